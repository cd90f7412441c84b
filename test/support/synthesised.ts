/**
 * The app, synthesised into a folder of the test's own. Its handlers are stubs, so that what is tested is what lib/
 * makes of the tables; `test/lib/bundle.test.ts` bundles the real ones.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { afterAll } from 'vitest';
import { bookingApp } from '../../lib/app.ts';
import type { Bundles } from '../../lib/bundle.ts';
import { handlers } from '../../lib/handlers.ts';
import { namePages } from '../../lib/named-code.ts';
import { shared, sharedBundles } from './assembly.ts';

/** JSON of a template; a test says by its own expectation what it must look like. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

export interface Resource {
  readonly id: string;
  readonly stack: string;
  readonly type: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
}

/** A value inside the properties of a resource, which must be there. The caller says what it is. */
export function inside<T = Json>(resource: Resource | undefined, ...path: readonly string[]): T {
  let value: unknown = resource?.properties;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  if (value === undefined) throw new Error(`${resource?.id ?? 'Nothing'} has no ${path.join('.')}.`);
  return value as T;
}

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder that goes when the test file is done. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  made.push(folder);
  return folder;
}

/** A handler file for every row, except those that `without` names. */
export function stubFunctions(without: readonly string[] = []): string {
  const folder = temporaryFolder('functions');
  for (const { name } of handlers) {
    if (without.includes(name)) continue;
    const file = join(folder, `${name}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export const handler = async () => ${JSON.stringify(name)};\n`);
  }
  return folder;
}

/** Bundled once in a test run. */
export function stubBundles(): Promise<Bundles> {
  return sharedBundles('stubs', stubFunctions);
}

/** What the app is made of beside its tables. */
export async function stubs() {
  return { bundles: await stubBundles(), pages: namePages() };
}

/** The app with stub handlers, not synthesised yet. */
export async function stubApp(
  stage = 'dev',
  folder = temporaryFolder('assembly'),
): Promise<{ app: App; folder: string }> {
  return { app: bookingApp({ ...(await stubs()), stage, outdir: folder }), folder };
}

/** The templates of all stacks, with references between and inside them made readable. */
export class Assembly {
  readonly folder: string;
  readonly resources: readonly Resource[];
  readonly #exports = new Map<string, { stack: string; value: Json }>();

  constructor(app: App | CloudAssembly) {
    const assembly = app instanceof CloudAssembly ? app : synth(app);
    this.folder = assembly.directory;
    this.resources = assembly.stacks.flatMap(({ id: stack, templateFullPath }) => {
      const template = JSON.parse(readFileSync(templateFullPath, 'utf8'));
      for (const output of Object.values<{ Value: Json; Export?: { Name: string } }>(template.Outputs ?? {})) {
        if (output.Export) this.#exports.set(output.Export.Name, { stack, value: output.Value });
      }
      return Object.entries<{ Type: string; Properties?: Properties; DeletionPolicy?: string }>(template.Resources).map(
        ([id, { Type, Properties = {}, DeletionPolicy }]) => ({
          id,
          stack,
          type: Type,
          properties: Properties,
          deletionPolicy: DeletionPolicy,
        }),
      );
    });
  }

  ofType(type: string): readonly Resource[] {
    return this.resources.filter((resource) => resource.type === type);
  }

  /** Functions of the project. Those of the CDK, which work during deployments alone, have no name. */
  get functions(): readonly Resource[] {
    return this.ofType('AWS::Lambda::Function').filter(({ properties }) => properties.FunctionName !== undefined);
  }

  /**
   * One text for one thing, from whichever stack it is named: `Delivery.RetriesQueue1A2B.Arn`. Pseudo parameters
   * stay in brackets, text that is put together is put together.
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
      const exported = this.#exports.get(String(argument));
      if (!exported) throw new Error(`Nothing exports ${argument}.`);
      return this.text(exported.stack, exported.value);
    }
    throw new Error(`What is ${intrinsic}?`);
  }

  /** What `property` of `resource` names. */
  named(resource: Resource, property: string): string {
    return this.text(resource.stack, resource.properties[property]);
  }

  /** The same, for a value deeper inside. */
  refers(resource: Resource, value: Json | undefined): string {
    return this.text(resource.stack, value);
  }

  byName(functionName: string): Resource | undefined {
    return this.ofType('AWS::Lambda::Function').find(({ properties }) => properties.FunctionName === functionName);
  }
}

function synth(app: App): CloudAssembly {
  // The rules about findings have a test of their own (nag.test.ts) and take longer than all else.
  process.env.CDK_VALIDATION = 'false';
  return app.synth();
}

/** Synthesised once in a test run for each stage. */
export async function synthesised(stage = 'dev'): Promise<Assembly> {
  const folder = await shared(`stage-${stage}`, async (into) => {
    synth((await stubApp(stage, into)).app);
  });
  return new Assembly(new CloudAssembly(folder));
}
