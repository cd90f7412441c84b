/**
 * Logical ids that a later deployment must find again. CloudFormation takes another id for another resource: it makes
 * the new one before it deletes the old one, which fails where the account allows a name once, and loses what is kept.
 * The ids of the stage `prod` are stored in `pinned-ids.json`; `npm run operate -- pin` writes them again.
 */
import { readFileSync } from 'node:fs';

/** By resource type: the property that names the resource once for the account. */
const pinnedTypes: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SQS::Queue': 'QueueName',
};

/**
 * What loses something when it is made again: records, secrets, sign-ins, or the address that integrators or owners open. And the
 * properties that nobody can change of it: with another value CloudFormation makes it again under the same id.
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
 * A route with limits of its own: they stay at the stage when the route goes, and the gateway then refuses the deployment.
 * So they are deleted first, by the command of docs/decisions/second-deployment.md.
 */
const limitedRoute = 'AWS::ApiGatewayV2::Stage';

/**
 * `Stack Type Name` → logical id. What is stateful goes by its own id, so that it can neither move nor go, and has what it
 * is made with behind its id.
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
      // What has no name of its own is not in the way of another.
      if (naming && Properties[naming] === undefined) return [];
      if (naming) return [[`${stack} ${Type} ${Properties[naming]}`, id] as const];
      const made = statefulTypes[Type]?.filter((name) => name in Properties);
      const fixed = made?.map((name) => ` ${name}: ${JSON.stringify(Properties[name])}`).join('');
      return fixed === undefined ? [] : [[`${stack} ${Type} ${id}`, id + fixed] as const];
    });
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A sentence for each pinned id that is another now, and for everything stateful that is gone or not pinned. A function may
 * go, and a new one is free until it is pinned.
 */
export function moved(pinned: PinnedIds, current: PinnedIds): string[] {
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
