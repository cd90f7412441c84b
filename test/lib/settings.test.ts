/** The settings of an operator with `-c name=value` (docs/operating.md). */
import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { expect, test } from 'vitest';
import { refuseUnknown, settingNames, settingsOf } from '../../lib/context.ts';
import { pageText } from '../../local/page-commands.ts';
import { type Assembly, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { passiveContext, variants } from '../support/variants.ts';

const api = { apiDomain: 'api.example.com', certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1' };
const edgeCertificate = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
const webAclArn = 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/booking/1';
const ownerPool = 'eu-central-1_AbCd12345';
const issuer = { ownerIssuer: 'https://issuer.example', ownerAudience: 'booking' };
const consoleDomain = 'console.example.com';
const replicas = { region: 'eu-central-1', replicaRegion: 'eu-west-1' };
const recordsTable = 'restored-records';
const time = '2026-11-21T12:00:00.000';
const misformed = (name: string) => `-c ${name} is invalid`;
const both = (one: string, other: string) => `Give -c ${one}=… and -c ${other}=…`;
const domain = both('apiDomain', 'certificateArn');
const pool = both('ownerIssuer', 'ownerAudience');
const warm = both('warmWrites', 'warmReads');

test.each<readonly [setting: string, context: Readonly<Record<string, string>>, message: string]>([
  ['an unknown setting', { alarmMail: 'ops@example.com' }, '-c alarmMail is no setting'],
  ['two addresses in the setting alarmEmail', { alarmEmail: 'a@example.com,b@example.com' }, misformed('alarmEmail')],
  ['a budget that is no number', { monthlyBudget: 'much' }, misformed('monthlyBudget')],
  ['an infinite Lambda concurrency', { lambdaConcurrency: 'Infinity' }, 'It must be an integer of at least 10.'],
  ['a delivery concurrency with a fraction', { deliveryConcurrency: '2.5' }, 'It must be an integer from 2 to 1000.'],
  ['an unknown kind of egress', { egress: 'somehow' }, '-c egress is invalid: somehow. It must be "nat".'],
  ['a backup vault without an ARN', { backup: 'booking-prod' }, misformed('backup')],
  ['a console origin with http', { consoleOrigins: `http://${consoleDomain}` }, misformed('consoleOrigins')],
  ['a console origin with a final slash', { consoleOrigins: `https://${consoleDomain}/` }, misformed('consoleOrigins')],
  ['a console origin without https', { consoleOrigins: consoleDomain }, misformed('consoleOrigins')],
  ['a console domain without a certificate', { consoleDomain }, '-c consoleCertificateArn is missing'],
  [
    'a console domain with a certificate of another region',
    { consoleDomain, consoleCertificateArn: api.certificateArn },
    misformed('consoleCertificateArn'),
  ],
  ['a web ACL of another region', { webAclArn }, misformed('webAclArn')],
  ['an API domain without a certificate', { apiDomain: api.apiDomain }, domain],
  ['an API domain with https', { ...api, apiDomain: 'https://api.example.com' }, domain],
  ['an API domain without a subdomain', { ...api, apiDomain: 'example.com' }, domain],
  [
    'a CloudFront certificate without an API domain',
    { apiEdgeCertificateArn: edgeCertificate },
    'apiEdgeCertificateArn',
  ],
  [
    'a CloudFront certificate of another region',
    { ...api, apiEdgeCertificateArn: api.certificateArn },
    'apiEdgeCertificateArn',
  ],
  ['an API certificate of another region', { ...api, region: 'eu-west-1' }, '-c certificateArn must be in eu-west-1'],
  ['direct API calls without CloudFront', { apiDirect: 'allowed' }, 'apiEdgeCertificateArn'],
  [
    'a console domain that is the host of an API',
    { ...api, consoleDomain: 'account-api.example.com', consoleCertificateArn: edgeCertificate },
    '-c consoleDomain must not be the host of an API',
  ],
  ['a malformed user pool', { ownerPool: 'not a pool' }, 'ownerPool'],
  ['a user pool together with another token issuer', { ...issuer, ownerPool }, 'ownerPool'],
  ['sign-in origins without a user pool', { ownerOrigins: 'https://login.example' }, 'ownerPool'],
  ['a token issuer without an audience', { ownerIssuer: issuer.ownerIssuer }, pool],
  ['a user pool of another region', { ownerPool, region: 'eu-west-1' }, '-c ownerPool must be in eu-west-1'],
  ['a token issuer with http', { ...issuer, ownerIssuer: 'http://issuer.example' }, pool],
  ['a token issuer that is no URL', { ...issuer, ownerIssuer: 'https://issuer:port' }, misformed('ownerIssuer')],
  ['warm throughput for writes but not for reads', { warmWrites: '20000' }, warm],
  ['more warm throughput for reads than allowed', { warmWrites: '100', warmReads: '40000' }, warm],
  // Without the stream, events would be lost silently.
  ['an existing table but not its stream', { recordsTable }, '-c recordsStream is missing'],
  [
    'a stream of a table that needs no stream',
    { secretsTable: 'restored', secretsStream: time },
    '-c secretsStream is no setting',
  ],
  ['a replica region without a region', { replicaRegion: 'eu-west-1' }, '-c region='],
  ['a replica region that is the region itself', { region: 'eu-west-1', replicaRegion: 'eu-west-1' }, '-c region='],
  ['an unknown region', { region: 'somewhere' }, misformed('region')],
  [
    'a replica region and only one existing table',
    { ...replicas, recordsTable, recordsStream: time },
    'also give -c keysTable, -c deliveriesTable, -c secretsTable, -c secretsKey',
  ],
  ['a passive deployment without existing tables', { passive: 'true' }, '-c recordsTable'],
  ['a passive setting other than true', { ...passiveContext, passive: 'false' }, misformed('passive')],
])('A deployment with %s is refused with an error that names the setting', async (_, context, message) => {
  await expect(synthesised('prod', context)).rejects.toThrow(message);
});

test('A deployment accepts what `cdk acknowledge` and `cdk cli-telemetry` write into cdk.context.json', () => {
  const { node } = new App({ context: { 'acknowledged-issue-numbers': [34892], 'cli-telemetry': false } });
  expect(() => refuseUnknown(node)).not.toThrow();
});

test("The operator's guide explains every setting, and a stage that the tests synthesise uses it", () => {
  const cells = pageText('operating.md').match(/^\| `[^|]+/gm) ?? [];
  const given = Object.values(variants).flatMap(({ context }) => Object.keys(context));
  const names = [...settingNames].filter((name) => name !== 'stage');
  const explained = (name: string) => cells.some((cell) => new RegExp(`\`${name}[=\`]`).test(cell));
  expect(
    names.filter((name) => !explained(name)),
    'Add rows to the table in docs/operating.md',
  ).toEqual([]);
  expect(
    names.filter((name) => !given.includes(name)),
    'Add values to test/support/variants.ts',
  ).toEqual([]);
});

test('The setting `region` accepts every region that the AWS CDK knows, such as eusc-de-east-1', () => {
  const regions = RegionInfo.regions.map(({ name }) => name);
  expect(regions).toContain('eusc-de-east-1');
  for (const region of regions) expect(settingsOf(new App({ context: { region } }).node).region).toBe(region);
});

test('A stage without alarms, such as a mistyped `prd`, is refused if an email address for alarms is set', async () => {
  await expect(synthesised('prd', { alarmEmail: 'ops@example.com' })).rejects.toThrow('The stage prd has no alarms');
});

/** The exports of all stacks, and by stack what it imports. */
function crossings({ stacks }: Assembly) {
  const templates = stacks.map(({ id, templateFullPath }) => [id, readFileSync(templateFullPath, 'utf8')] as const);
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  return {
    exports: new Set(templates.flatMap(([, text]) => named(text, /"Export": ?\{\s*"Name": ?"([^"]+)"/g))),
    imports: templates.map(([id, text]) => [id, named(text, /"Fn::ImportValue": ?"([^"]+)"/g)] as const),
  };
}

test.each(['egress', 'apiEdgeCertificateArn'] as const)(
  "The operator's guide names the stacks to deploy first when the setting %s is removed",
  async (setting) => {
    const { stage, context } = variants['all settings'];
    const { [setting]: _, ...others } = context;
    const before = crossings(await synthesised(stage, context));
    const after = crossings(await synthesised(stage, others));
    const removed = (name: string) => before.exports.has(name) && !after.exports.has(name);
    const users = before.imports.filter(([, names]) => names.some(removed)).map(([id]) => id);
    expect(users.length).toBeGreaterThan(0);
    expect(pageText('operating.md')).toContain(`\`npx cdk deploy --exclusively ${users.join(' ')} "`);
  },
);

test("The operator's guide names the stacks that remain when the settings that added them are removed", async () => {
  const idsIn = async (name: 'prod' | 'all settings' | 'replicas') =>
    (await synthesisedAs(variants[name])).stacks.map(({ id }) => id);
  const always = new Set(await idsIn('prod'));
  const added = [...(await idsIn('all settings')), ...(await idsIn('replicas'))];
  const remaining = added.filter((id) => !always.has(id)).sort();
  expect(pageText('operating.md')).toContain(
    `No deployment deletes the stacks ${remaining.join(', ').replace(/, (?=\w+$)/, ' and ')}.`,
  );
});
