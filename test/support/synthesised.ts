/** The templates of the app, synthesised with stub handlers once per test run for each stage and context. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { SynthesisedStack } from '../../lib/pinned-ids.ts';
import { synthesisedFolder } from './assembly.ts';
import type { Context } from './stub-app.ts';
import type { SynthesisRequest } from './synthesiser.ts';

/** JSON of a template, whose shape the test asserts. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

export interface Resource {
  readonly id: string;
  readonly stack: string;
  readonly type: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
  /** The ids of dependencies in the same stack. */
  readonly dependsOn: readonly string[];
}

/** A value inside the properties of a resource. Throws if it is missing. The caller declares its type. */
export function inside<T = Json>(resource: Resource | undefined, ...path: readonly string[]): T {
  let value: unknown = resource?.properties;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  if (value === undefined) throw new Error(`${resource?.id ?? 'Nothing'} has no ${path.join('.')}.`);
  return value as T;
}

interface Operation {
  readonly isDefaultRoute?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-amazon-apigateway-integration': { readonly uri: Json; readonly credentials: Json };
}

export interface Route {
  readonly stack: string;
  /** The route key: `GET /v1/account/me`, or `$default`. */
  readonly key: string;
  /** The function or alias that responds, and the role that invokes it. */
  readonly target: string;
  readonly role: string;
  /** The authorizers that run first. */
  readonly schemes: readonly string[];
}

/** Parses a URI in the form that the import of an HTTP API documents and exports. Throws for any other. */
function invoked(uri: string): string {
  const form = /^arn:<AWS::Partition>:apigateway:<AWS::Region>:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/;
  const [, functionArn] = form.exec(uri) ?? [];
  if (functionArn === undefined) throw new Error(`${uri} is not where the gateway invokes a function.`);
  return functionArn;
}

interface Artifact {
  readonly type: string;
  readonly environment?: string;
  readonly dependencies?: readonly string[];
  readonly properties: { readonly templateFile: string; readonly terminationProtection?: boolean };
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is deleted after the test file. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  folders.push(folder);
  return folder;
}

/** The templates of all stacks with readable references within and between them. */
export class Assembly {
  readonly folder: string;
  /** The artifacts of the manifest, by id. */
  readonly artifacts: Readonly<Record<string, Artifact>>;
  readonly stacks: readonly SynthesisedStack[];
  readonly resources: readonly Resource[];
  /** By name: the stack that exports the value, and the value. */
  readonly exports = new Map<string, { stack: string; value: Json }>();

  constructor(folder: string) {
    this.folder = folder;
    this.artifacts = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).artifacts;
    this.stacks = Object.entries(this.artifacts)
      .filter(([, { type }]) => type === 'aws:cloudformation:stack')
      .map(([id, { properties }]) => ({ id, templateFullPath: join(folder, properties.templateFile) }));
    this.resources = this.stacks.flatMap(({ id: stack, templateFullPath }) => {
      const template = JSON.parse(readFileSync(templateFullPath, 'utf8'));
      for (const output of Object.values<{ Value: Json; Export?: { Name: string } }>(template.Outputs ?? {})) {
        if (output.Export) this.exports.set(output.Export.Name, { stack, value: output.Value });
      }
      type Written = { Type: string; Properties?: Properties; DeletionPolicy?: string; DependsOn?: string[] };
      return Object.entries<Written>(template.Resources).map(
        ([id, { Type, Properties = {}, DeletionPolicy, DependsOn = [] }]) => ({
          id,
          stack,
          type: Type,
          properties: Properties,
          deletionPolicy: DeletionPolicy,
          dependsOn: DependsOn,
        }),
      );
    });
  }

  ofType(type: string): readonly Resource[] {
    return this.resources.filter((resource) => resource.type === type);
  }

  /** The permissions of a role, with its id: its inline policies and attached policies. */
  statementsOf<Statement>(role: (found: Resource) => boolean): readonly Statement[] {
    const roles = this.ofType('AWS::IAM::Role').filter(role);
    const names = new Set(roles.map(({ stack, id }) => `${stack}.${id}`));
    const inline = roles.flatMap(
      ({ properties }) => (properties.Policies ?? []) as unknown as { PolicyDocument: { Statement: Statement[] } }[],
    );
    const attached = this.ofType('AWS::IAM::Policy').filter((policy) =>
      names.has(this.text(policy.stack, policy.properties.Roles)),
    );
    return [
      ...inline.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      ...attached.flatMap((policy) => inside<Statement[]>(policy, 'PolicyDocument', 'Statement')),
    ];
  }

  /** The routes of the HTTP APIs, from their OpenAPI bodies, with the names of referenced resources. */
  get routes(): readonly Route[] {
    return this.ofType('AWS::ApiGatewayV2::Api').flatMap(({ stack, properties }) => {
      const { paths } = properties.Body as unknown as { paths: Record<string, Record<string, Operation>> };
      return Object.entries(paths).flatMap(([path, { parameters: _, ...operations }]) =>
        Object.entries(operations).map(([method, operation]): Route => {
          const { uri, credentials } = operation['x-amazon-apigateway-integration'];
          return {
            stack,
            key: operation.isDefaultRoute ? '$default' : `${method.toUpperCase()} ${path}`,
            target: invoked(this.text(stack, uri)),
            role: this.text(stack, credentials),
            schemes: (operation.security ?? []).flatMap((one) => Object.keys(one)),
          };
        }),
      );
    });
  }

  /** Functions of the project. Those of the CDK, which only run during deployments, have no name. */
  get functions(): readonly Resource[] {
    return this.ofType('AWS::Lambda::Function').filter(({ properties }) => properties.FunctionName !== undefined);
  }

  /**
   * A readable text for a value, the same from every stack: `Delivery.RetriesQueue1A2B.Arn`. Pseudo parameters stay in
   * brackets, and parts of a text are joined.
   */
  text(stack: string, value: Json | undefined): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'object') return String(value);
    if (Array.isArray(value)) return value.map((part) => this.text(stack, part)).join(',');
    const [[intrinsic, argument] = ['', '']] = Object.entries(value as Properties);
    if (intrinsic === 'Ref') return String(argument).startsWith('AWS::') ? `<${argument}>` : `${stack}.${argument}`;
    if (intrinsic === 'Fn::GetAtt') return [stack, ...(argument as string[])].join('.');
    if (intrinsic === 'Fn::Join')
      return (argument as [string, Json[]])[1].map((part) => this.text(stack, part)).join('');
    if (intrinsic === 'Fn::Sub') return String(argument).replace(/\$\{([^}]+)\}/g, '<$1>');
    if (intrinsic === 'Fn::ImportValue') {
      const exported = this.exports.get(String(argument));
      if (!exported) throw new Error(`Nothing exports ${argument}.`);
      return this.text(exported.stack, exported.value);
    }
    throw new Error(`What is ${intrinsic}?`);
  }

  named(resource: Resource, property: string): string {
    return this.text(resource.stack, resource.properties[property]);
  }

  refers(resource: Resource, value: Json | undefined): string {
    return this.text(resource.stack, value);
  }

  byName(functionName: string): Resource | undefined {
    return this.ofType('AWS::Lambda::Function').find(({ properties }) => properties.FunctionName === functionName);
  }
}

/** Adds `context` as `-c` does. Rejects with the errors of `cdk synth`. */
export function synthesised(stage = 'dev', context: Context = {}): Promise<Assembly> {
  return synthesisedAs({ stage, context });
}

export async function synthesisedAs(request: SynthesisRequest): Promise<Assembly> {
  const answer = await synthesisedFolder(request);
  if ('refusal' in answer) throw new Error(answer.refusal);
  return new Assembly(answer.folder);
}
