/**
 * All resources of all templates, evaluated, parsed by their kinds and indexed by type. Nothing is created here, so
 * that an unknown resource type, property or function stops the local run before anything has started.
 */
import type * as z from 'zod/mini';
import { localAccount, localRegion } from './arn.ts';
import { evaluate, noValue, type Scope } from './intrinsics.ts';
import type { Addresses, Kind, TemplateResource } from './kind.ts';
import { messageOf } from './log.ts';
import type { Resource, Template } from './templates.ts';

export interface Model {
  readonly addresses: Addresses;
  /** Returns the resources of a kind, in the order of the templates. */
  all<Properties>(kind: Kind<Properties>): readonly TemplateResource<Properties>[];
  /** Returns the asset folder of an object key, in any template. */
  asset(objectKey: string): string | undefined;
}

const readme = 'packages/local-cloud/README.md lists what is supported, and how to add a resource type.';

/** Throws one error that lists all resources with an unsupported type, property or function, a line for each. */
export function buildModel(templates: readonly Template[], kinds: readonly Kind[], addresses: Addresses): Model {
  const kindOf = new Map(kinds.map((kind) => [kind.type, kind]));
  const exports = new Map<string, () => unknown>();
  const standing = new Map<string, TemplateResource<unknown>[]>();

  const scopes = templates.map((template) => {
    const scope = scopeOf(template, kindOf, addresses, exports);
    for (const { Value, Export } of Object.values(template.outputs)) {
      if (Export) exports.set(String(evaluate(Export.Name, scope)), () => evaluate(Value, scope));
    }
    return { template, scope };
  });

  const unsupported = new Set<string>();
  for (const { template, scope } of scopes) {
    for (const [logicalId, resource] of Object.entries(template.resources)) {
      if (resource.Condition !== undefined && !scope.condition(resource.Condition)) continue;
      try {
        const kind = kindFor(kindOf, resource, logicalId);
        const name = nameOf(template, logicalId, kind, scope);
        const properties = parsed(kind, logicalId, evaluate(resource.Properties ?? {}, scope));
        standing.set(kind.type, [...(standing.get(kind.type) ?? []), { logicalId, name, properties }]);
      } catch (error) {
        // A reference to an unsupported resource throws the line of that resource again, which the set keeps once.
        if (error instanceof Unsupported) unsupported.add(error.message);
        else unsupported.add(`The local run cannot read ${resource.Type} (${logicalId}): ${messageOf(error)}.`);
      }
    }
  }
  if (unsupported.size > 0) throw new Error([...unsupported, readme].join('\n'));

  return {
    addresses,
    // Each entry was parsed by the schema of this kind.
    all: <Properties>(kind: Kind<Properties>) => (standing.get(kind.type) ?? []) as TemplateResource<Properties>[],
    asset: (objectKey) => templates.map((template) => template.assets.get(objectKey)).find((folder) => folder),
  };
}

const pseudoParameters: Readonly<Record<string, unknown>> = {
  'AWS::AccountId': localAccount,
  'AWS::Region': localRegion,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NotificationARNs': [],
  'AWS::NoValue': noValue,
};

function scopeOf(
  template: Template,
  kindOf: ReadonlyMap<string, Kind>,
  addresses: Addresses,
  exports: ReadonlyMap<string, () => unknown>,
): Scope {
  const { stackName } = template;
  const resourceOf = (logicalId: string): { resource: Resource; kind: Kind } => {
    const resource = template.resources[logicalId];
    if (!resource) throw new Error(`stack ${stackName} has no resource ${logicalId}`);
    return { resource, kind: kindFor(kindOf, resource, logicalId) };
  };
  const scope: Scope = {
    ref(name) {
      if (name in pseudoParameters) return pseudoParameters[name];
      if (name === 'AWS::StackName') return stackName;
      if (name === 'AWS::StackId')
        return `arn:aws:cloudformation:${localRegion}:${localAccount}:stack/${stackName}/local`;
      const parameter = template.parameters[name];
      if (parameter) {
        if (parameter.Default === undefined) throw new Error(`parameter ${name} of stack ${stackName} has no default`);
        return parameter.Default;
      }
      const { kind } = resourceOf(name);
      const physicalName = nameOf(template, name, kind, scope);
      return kind.ref?.(physicalName, addresses) ?? physicalName;
    },
    attribute(logicalId, attribute) {
      const { kind } = resourceOf(logicalId);
      const value = kind.attribute?.(attribute, nameOf(template, logicalId, kind, scope), addresses);
      if (value === undefined) {
        throw new Error(`the local run does not support the attribute ${attribute} of ${kind.type} (${logicalId})`);
      }
      return value;
    },
    importValue(name) {
      const value = exports.get(name);
      if (!value) throw new Error(`no stack exports ${name}`);
      return value();
    },
    condition(name) {
      if (!(name in template.conditions)) throw new Error(`stack ${stackName} has no condition ${name}`);
      return evaluate(template.conditions[name], scope) === true;
    },
    mapping(map, first, second) {
      const value = template.mappings[map]?.[first]?.[second];
      if (value === undefined) throw new Error(`stack ${stackName} maps nothing to ${map}.${first}.${second}`);
      return value;
    },
  };
  return scope;
}

function kindFor(kindOf: ReadonlyMap<string, Kind>, resource: Resource, logicalId: string): Kind {
  const kind = kindOf.get(resource.Type);
  if (kind) return kind;
  throw new Unsupported(`the resource type ${resource.Type} (${logicalId})`);
}

/** Returns the given name, or one that is equal in every run, so that kept data is found again. */
function nameOf(template: Template, logicalId: string, kind: Kind, scope: Scope): string {
  const given = kind.nameProperty && template.resources[logicalId]?.Properties?.[kind.nameProperty];
  const name = given === undefined ? undefined : evaluate(given, scope);
  return typeof name === 'string' && name !== '' ? name : `${template.stackName}-${logicalId}`;
}

class Unsupported extends Error {
  constructor(part: string) {
    super(`The local run does not support ${part}.`);
  }
}

function parsed(kind: Kind, logicalId: string, properties: unknown): unknown {
  const result = kind.properties.safeParse(properties);
  if (result.success) return result.data;
  const parts = result.error.issues.flatMap((issue) => problems(issue)).join(', ');
  throw new Unsupported(`${parts} of ${kind.type} (${logicalId})`);
}

function problems(issue: z.core.$ZodIssue): string[] {
  const at = (last: readonly PropertyKey[]) => [...issue.path, ...last].join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `property ${at([key])}`);
  return [`property ${at([])} (${issue.message})`];
}
