/** The settings of an operator with `-c name=value` (docs/operating.md). */
import { expect, test } from 'vitest';
import { passiveContext } from '../support/passive-context.ts';
import { synthesised } from '../support/synthesised.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
const ownerPool = 'eu-central-1_AbCd12345';
const consoleDomain = 'console.example.com';
const replicas = { region: 'eu-central-1', replicaRegion: 'eu-west-1' };
const misformed = (name: string) => `-c ${name} is invalid`;
const both = (one: string, other: string) => `Give -c ${one}=… and -c ${other}=…`;

test.each<readonly [context: Readonly<Record<string, string>>, message: string]>([
  [{ alarmMail: 'ops@example.com' }, '-c alarmMail is no setting'],
  [{ alarmEmail: 'a@example.com,b@example.com' }, misformed('alarmEmail')],
  [{ monthlyBudget: 'much' }, misformed('monthlyBudget')],
  [{ lambdaConcurrency: 'Infinity' }, 'It must be an integer of at least 10.'],
  [{ deliveryConcurrency: '2.5' }, 'It must be an integer from 2 to 1000.'],
  [{ egress: 'somehow' }, '-c egress is invalid: somehow. It must be "nat".'],
  [{ backup: 'booking-prod' }, misformed('backup')],
  [{ consoleOrigins: 'http://console.example.com' }, misformed('consoleOrigins')],
  [{ consoleOrigins: 'https://console.example.com/' }, misformed('consoleOrigins')],
  [{ consoleOrigins: 'console.example.com' }, misformed('consoleOrigins')],
  [{ consoleDomain }, '-c consoleCertificateArn is missing'],
  [{ consoleDomain, consoleCertificateArn: certificateArn }, misformed('consoleCertificateArn')],
  [{ webAclArn: 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/booking/1' }, misformed('webAclArn')],
  [{ apiDomain: 'api.example.com' }, both('apiDomain', 'certificateArn')],
  [{ apiDomain: 'https://api.example.com', certificateArn }, both('apiDomain', 'certificateArn')],
  [{ apiDomain: 'example.com', certificateArn }, both('apiDomain', 'certificateArn')],
  [{ apiEdgeCertificateArn: certificateArn.replace('eu-central-1', 'us-east-1') }, 'apiEdgeCertificateArn'],
  [{ apiDomain: 'api.example.com', certificateArn, apiEdgeCertificateArn: certificateArn }, 'apiEdgeCertificateArn'],
  [{ region: 'eu-west-1', apiDomain: 'api.example.com', certificateArn }, '-c certificateArn must be in eu-west-1'],
  [{ apiDirect: 'allowed' }, 'apiEdgeCertificateArn'],
  [
    {
      apiDomain: 'api.example.com',
      certificateArn,
      consoleDomain: 'account-api.example.com',
      consoleCertificateArn: certificateArn.replace('eu-central-1', 'us-east-1'),
    },
    '-c consoleDomain must not be the host of an API',
  ],
  [{ ownerPool: 'not a pool' }, 'ownerPool'],
  [{ ownerPool, ownerIssuer: 'https://issuer.example', ownerAudience: 'booking' }, 'ownerPool'],
  [{ ownerOrigins: 'https://login.example' }, 'ownerPool'],
  [{ ownerIssuer: 'https://issuer.example' }, both('ownerIssuer', 'ownerAudience')],
  [{ ownerIssuer: 'http://issuer.example', ownerAudience: 'booking' }, both('ownerIssuer', 'ownerAudience')],
  [{ warmWrites: '20000' }, both('warmWrites', 'warmReads')],
  [{ warmWrites: '100', warmReads: '40000' }, both('warmWrites', 'warmReads')],
  // Without the stream, events would be lost silently.
  [{ recordsTable: 'restored-records' }, '-c recordsStream=LABEL'],
  [{ secretsTable: 'restored', secretsStream: '2026-11-21T12:00:00' }, 'leave out -c secretsStream'],
  [{ replicaRegion: 'eu-west-1' }, '-c region='],
  [{ region: 'eu-west-1', replicaRegion: 'eu-west-1' }, '-c region='],
  [{ region: 'somewhere' }, misformed('region')],
  [{ ...replicas, recordsTable: 'restored-1', recordsStream: '2026-11-21T12:00:00.000' }, 'not to existing tables'],
  [{ passive: 'true' }, '-c recordsTable'],
  [{ ...passiveContext, passive: 'false' }, misformed('passive')],
])(
  'A setting that is unknown, invalid or incomplete is reported as an error that names it: %j',
  async (context, message) => {
    await expect(synthesised('prod', context)).rejects.toThrow(message);
  },
);

test('A stage without alarms, such as a mistyped `prd`, is refused if an email address for alarms is set', async () => {
  await expect(synthesised('prd', { alarmEmail: 'ops@example.com' })).rejects.toThrow('The stage prd has no alarms');
});
