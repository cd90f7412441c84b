/** The commands of docs/runbooks/destroy-and-deploy.md, and the templates with the settings that they deploy. */
import { expect, test } from 'vitest';
import { commandsOf, flag, type Program, pageText, runCommands, settingsIn } from '../../../local/page-commands.ts';
import { type Assembly, inside, type Properties, synthesised } from '../../support/synthesised.ts';
import { variants } from '../../support/variants.ts';

const page = pageText('runbooks/destroy-and-deploy.md');
/** The tables of a stage whose bookings and deliveries were restored. */
const tables = {
  KEYS: 'booking-prod-data-StoresKeys1',
  RECORDS: 'booking-prod-records-restored-1',
  DELIVERIES: 'booking-prod-deliveries-restored-1',
  SECRETS: 'booking-prod-data-StoresSecrets1',
};
const found = { ...tables, POOL: 'eu-central-1_AbCd12345', CONSOLE: 'https://console.example.com' };
const key = 'arn:aws:kms:eu-central-1:123456789012:key/1';

/** Follows the page. Returns what it deploys, and the stacks whose protection it removes. */
async function walk() {
  const deployed: Readonly<Record<string, string>>[] = [];
  const unprotected: string[] = [];
  const aws: Program = ([, operation, ...words]) => {
    if (operation === 'update-termination-protection') unprotected.push(flag(words, 'stack-name') ?? '');
    if (operation === 'describe-stacks') {
      const [, store = ''] = /OutputKey=='(\w+)TableName'/.exec(flag(words, 'query') ?? '') ?? [];
      return tables[store.toUpperCase() as keyof typeof tables];
    }
    if (operation !== 'describe-table') return undefined;
    if (flag(words, 'query') === 'Table.LatestStreamLabel') {
      expect(flag(words, 'table-name')).toBe(found.RECORDS);
      return '2026-11-21T10:00:00.000';
    }
    expect(flag(words, 'table-name')).toBe(found.SECRETS);
    return key;
  };
  const npx: Program = ([, verb, ...words]) => {
    if (verb === 'deploy') deployed.push(settingsIn(words));
    return undefined;
  };
  const filledIn = commandsOf(page).replace(
    /^([A-Z]+)=\S*…$/gm,
    (_, name: keyof typeof found) => `${name}=${found[name]}`,
  );
  const printed = await runCommands(filledIn, { aws, npx });
  return { deployed, unprotected, printed };
}

const { deployed, unprotected, printed } = await walk();
/** The settings with the old user pool, and those with another token issuer. */
const [withPool = {}, withIssuer = {}] = deployed.map(({ stage: _, ...settings }) => settings);

const one = (of: Assembly, type: string) => of.ofType(type)[0];

/** The reasons why an owner cannot sign in, as sentences. */
function obstacles(of: Assembly, { issuer, audience }: { issuer: string; audience?: string }): string[] {
  const api = of.ofType('AWS::ApiGatewayV2::Api').find(({ stack }) => stack === 'AccountApi');
  const client = one(of, 'AWS::Cognito::UserPoolClient');
  const [scheme] = Object.values(inside<Record<string, Properties>>(api, 'Body', 'components', 'securitySchemes'));
  const authorizer = scheme?.['x-amazon-apigateway-authorizer'] as Properties;
  const jwt = authorizer.jwtConfiguration as Properties;
  const policies = JSON.stringify(of.ofType('AWS::CloudFront::ResponseHeadersPolicy'));
  const isOwnPool = audience === undefined;
  const problems = {
    'the API asks for tokens of another issuer': of.text('AccountApi', jwt.issuer) !== issuer,
    'the API asks for tokens for another application':
      of.text('AccountApi', jwt.audience) !== (audience ?? `AccountApi.${client?.id}`),
    'the client has no code flow': isOwnPool && !JSON.stringify(client?.properties.AllowedOAuthFlows).includes('code'),
    'owners cannot come back to the console':
      isOwnPool && !JSON.stringify(client?.properties.CallbackURLs).includes(`${found.CONSOLE}/signed-in`),
    'the pool has no address': isOwnPool && one(of, 'AWS::Cognito::UserPoolDomain') === undefined,
    'the pages of the pool answer nothing': isOwnPool && one(of, 'AWS::Cognito::ManagedLoginBranding') === undefined,
    'the console may not ask for tokens': !policies.includes(
      isOwnPool ? 'amazoncognito.com' : `${issuer} https://tokens.example.com`,
    ),
  };
  return Object.entries(problems).flatMap(([sentence, holds]) => (holds ? [sentence] : []));
}

const poolIssuer = { issuer: `https://cognito-idp.<AWS::Region>.<AWS::URLSuffix>/${found.POOL}` };
const otherIssuer = { issuer: 'https://issuer.example.com', audience: 'booking' };

test('A stage that the runbook destroy-and-deploy.md deletes and deploys again keeps its tables, KMS key and user pool', async () => {
  const assembly = await synthesised('prod', withPool);
  expect(assembly.ofType('AWS::DynamoDB::GlobalTable')).toEqual([]);
  expect(assembly.ofType('AWS::KMS::Key')).toEqual([]);
  const named = JSON.stringify(assembly.resources);
  for (const table of [found.KEYS, found.RECORDS, found.DELIVERIES, found.SECRETS, key]) expect(named).toContain(table);
  expect(assembly.ofType('AWS::Cognito::UserPool')).toEqual([]);
  expect(obstacles(assembly, poolIssuer)).toEqual([]);
});

test('The commands of the runbook destroy-and-deploy.md print the names of the tables that a stage uses, even of restored tables', () => {
  expect(printed).toContain(
    Object.entries(tables)
      .map(([name, table]) => `${name}=${table}\n`)
      .join(''),
  );
});

test("With an operator's own token issuer, owners can sign in after the runbook destroy-and-deploy.md deployed a stage again", async () => {
  const assembly = await synthesised('prod', withIssuer);
  expect(assembly.ofType('AWS::DynamoDB::GlobalTable')).toEqual([]);
  expect(obstacles(assembly, otherIssuer)).toEqual([]);
});

test('Negative control: if destroy-and-deploy.md omits the user pool, the address or the origins, owners cannot sign in', async () => {
  const { consoleOrigins: _, ...pool } = withPool;
  const { ownerPool: __, ...newPool } = withPool;
  const { ownerOrigins: ___, ...issuer } = withIssuer;
  expect(obstacles(await synthesised('prod', pool), poolIssuer)).toEqual(['owners cannot come back to the console']);
  expect(obstacles(await synthesised('prod', newPool), poolIssuer)).toContain(
    'the API asks for tokens of another issuer',
  );
  expect(obstacles(await synthesised('prod', issuer), otherIssuer)).toEqual(['the console may not ask for tokens']);
});

test('The runbook destroy-and-deploy.md disables the termination protection of every stack, also of those that settings add', async () => {
  const id = (name: string) => name.replace('booking-prod-', '').replaceAll('-', '');
  const ids = (of: Assembly) => of.stacks.map((stack) => stack.id.toLowerCase());
  expect(unprotected.map(id).sort()).toEqual(ids(await synthesised('prod')).sort());
  const some = [variants['all settings'], variants.replicas].map(({ stage, context }) => synthesised(stage, context));
  const added = (await Promise.all(some)).flatMap(ids).filter((name) => !unprotected.map(id).includes(name));
  expect(added.sort()).toEqual(['backup', 'firewall', 'replicakey']);
  const named = [...page.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => id(name));
  expect(named).toEqual(expect.arrayContaining(added));
});
