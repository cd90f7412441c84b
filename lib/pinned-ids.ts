/**
 * Logical ids that later deployments must keep. With another id CloudFormation creates a new resource before it deletes
 * the old one, which fails where a name is unique in the account, and loses stored data. The ids of the stage `prod`
 * are in `pinned-ids.json`; `npm run operate -- pin` updates them.
 */
import { readFileSync } from 'node:fs';

/** The property that holds a name that is unique in the account, by resource type. */
const pinnedTypes: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SQS::Queue': 'QueueName',
};

/**
 * Resources whose replacement loses something: records, secrets, sign-ins, or the address that integrators or owners
 * use. The listed properties cannot change: with another value CloudFormation replaces the resource under the same id.
 */
const statefulTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::CloudFront::Distribution': [],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolClient': ['GenerateSecret', 'UserPoolId'],
  'AWS::DynamoDB::GlobalTable': ['KeySchema', 'LocalSecondaryIndexes', 'TableName'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
};

export interface SynthesisedStack {
  readonly id: string;
  readonly templateFullPath: string;
}

/**
 * Limits of a route stay at the stage when the route is removed, and the gateway then refuses the deployment. So they
 * are deleted first, with the command of docs/decisions/second-deployment.md.
 */
const limitedRoute = 'AWS::ApiGatewayV2::Stage';

/**
 * Maps `Stack Type Name` to the logical id. The key of a stateful resource contains its own id: such a resource can
 * neither move nor be removed. Its value also contains the properties that it is created with.
 */
type PinnedIds = Readonly<Record<string, string>>;

export function idsOf({ stacks }: { readonly stacks: readonly SynthesisedStack[] }): PinnedIds {
  const found = stacks.flatMap(({ id: stack, templateFullPath }) => {
    const template: { Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }> } = JSON.parse(
      readFileSync(templateFullPath, 'utf8'),
    );
    return Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) => {
      const limited = Type === limitedRoute ? Object.keys(Properties.RouteSettings ?? {}) : [];
      if (limited.length > 0) return limited.map((route) => [`${stack} ${Type} limits of ${route}`, id] as const);
      const naming = pinnedTypes[Type];
      // A resource without a name cannot conflict with another.
      if (naming && Properties[naming] === undefined) return [];
      if (naming) return [[`${stack} ${Type} ${Properties[naming]}`, id] as const];
      const physicalNames = statefulTypes[Type]?.filter((name) => name in Properties);
      const fixed = physicalNames?.map((name) => ` ${name}: ${JSON.stringify(Properties[name])}`).join('');
      return fixed === undefined ? [] : [[`${stack} ${Type} ${id}`, id + fixed] as const];
    });
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns a sentence for each pinned id that has changed, and for each stateful resource that is missing or not pinned.
 * A function may be removed, and a new one is free until it is pinned.
 */
export function changedIds(pinned: PinnedIds, current: PinnedIds): string[] {
  const stateful = (what: string) =>
    [limitedRoute, ...Object.keys(statefulTypes)].some((type) => what.includes(` ${type} `));
  return [
    ...Object.entries(pinned).flatMap(([what, id]) => {
      const now = current[what];
      if (now === id || (now === undefined && !stateful(what))) return [];
      return [now === undefined ? `${what} is gone.` : `${what} was ${id} and is ${now}.`];
    }),
    ...Object.keys(current).flatMap((what) => (stateful(what) && !(what in pinned) ? [`${what} is not pinned.`] : [])),
  ];
}
