/**
 * The settings of an operator with `-c name=value`, beside the stage. Settings that belong together are required
 * together. A malformed value or an unknown name fails the synth with the name of the setting.
 */
import type { Node } from 'constructs';

export type Settings = ReturnType<typeof settingsOf>;

export function settingsOf(node: Node) {
  const owner = together(node, 'ownerIssuer', 'ownerAudience');
  const ownerPool = setting(node, 'ownerPool');
  const ownerOrigins = setting(node, 'ownerOrigins')?.split(',');
  if (owner ? ownerPool !== undefined : ownerOrigins !== undefined) {
    throw new Error('Give -c ownerPool=…, or -c ownerIssuer=… with -c ownerOrigins=…, or none (docs/operating.md).');
  }
  const warm = together(node, 'warmWrites', 'warmReads');
  const domain = together(node, 'apiDomain', 'certificateArn');
  const apiEdgeCertificateArn = setting(node, 'apiEdgeCertificateArn');
  if (apiEdgeCertificateArn !== undefined && !domain) {
    throw new Error('-c apiEdgeCertificateArn needs -c apiDomain and -c certificateArn (docs/operating.md).');
  }
  const allowsDirect = setting(node, 'apiDirect') !== undefined;
  if (allowsDirect && apiEdgeCertificateArn === undefined) {
    throw new Error('-c apiDirect=allowed needs -c apiEdgeCertificateArn (docs/operating.md).');
  }
  const console = together(node, 'consoleDomain', 'consoleCertificateArn');
  if (domain && console && [domain.apiDomain, `account-${domain.apiDomain}`].includes(console.consoleDomain)) {
    throw new Error('-c consoleDomain must not be the host of an API: apiDomain, or account- before apiDomain.');
  }
  const region = setting(node, 'region');
  const replicaRegion = setting(node, 'replicaRegion');
  if (region !== undefined && ownerPool !== undefined && !ownerPool.startsWith(`${region}_`)) {
    throw new Error(`-c ownerPool must be in ${region}, the region of the stage (docs/operating.md).`);
  }
  if (region !== undefined && domain && domain.certificateArn.split(':')[3] !== region) {
    throw new Error(`-c certificateArn must be in ${region}, the region of the stage (docs/operating.md).`);
  }
  const isPassive = setting(node, 'passive') !== undefined;
  if (replicaRegion !== undefined && (region === undefined || region === replicaRegion || isPassive)) {
    throw new Error(
      '-c replicaRegion=… needs -c region=… with another region, the one of the stage, and cannot be used with -c passive (docs/operating.md).',
    );
  }
  return {
    /** A foreign OpenID Connect issuer, whose tokens contain `custom:businessId`. Without it there is a user pool. */
    ownerIssuer: owner && {
      issuer: owner.ownerIssuer,
      audience: owner.ownerAudience,
      origins: [new URL(owner.ownerIssuer).origin, ...(ownerOrigins ?? [])],
    },
    /** An existing user pool that replaces the stage's own. */
    ownerPool,
    consoleDomain: console && { name: console.consoleDomain, certificateArn: console.consoleCertificateArn },
    consoleOrigins: setting(node, 'consoleOrigins')?.split(',') ?? (console && [`https://${console.consoleDomain}`]),
    webAclArn: setting(node, 'webAclArn'),
    warm: warm && { writes: Number(warm.warmWrites), reads: Number(warm.warmReads) },
    fixedEgress: setting(node, 'egress') !== undefined,
    shipsSourceMaps: setting(node, 'sourceMaps') !== undefined,
    isTraced: setting(node, 'traces') !== undefined,
    requestsPerSecond: numberOf(node, 'requestsPerSecond'),
    /** Concurrent batches of deliveries for each of the two lanes, instead of the row's. */
    deliveryConcurrency: numberOf(node, 'deliveryConcurrency'),
    backupVaultArn: setting(node, 'backup'),
    mailFrom: setting(node, 'mailFrom'),
    alarmEmail: setting(node, 'alarmEmail'),
    monthlyBudget: numberOf(node, 'monthlyBudget'),
    /** Lambda's quota of concurrent executions in the account, for an alarm; new accounts may have less. */
    lambdaConcurrency: numberOf(node, 'lambdaConcurrency') ?? 1_000,
    domain: domain && { name: domain.apiDomain, certificateArn: domain.certificateArn },
    /** The certificate of the integration API's host at the edge; if set, requests come only through the edge. */
    apiEdgeCertificateArn,
    /** Whether the gateway still accepts requests that bypass the edge, until the host's DNS points to the edge. */
    allowsDirect,
    /** The region of the stage. Without it the templates deploy to any region. */
    region,
    replicaRegion,
    /** Whether this deployment is passive in a second region: it returns 503 and processes nothing. */
    isPassive,
  };
}

/** What a setting must be, in words for an error message, and the check. */
type Form = readonly [words: string, check: { test(value: string): boolean }];

/** Accepts only integers: CloudFormation would refuse other numbers in the middle of a deployment. */
function between(least: number, most = Number.POSITIVE_INFINITY): Form {
  const words = most < Number.POSITIVE_INFINITY ? `from ${least} to ${most}` : `of at least ${least}`;
  return [`an integer ${words}`, { test: (value) => /^\d+$/.test(value) && +value >= least && +value <= most }];
}

const host: Form = ['a host name such as api.example.com', /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.){2,}[a-z]{2,}$/];
const region: Form = ['a region such as eu-central-1', /^[a-z]{2,4}(-[a-z]+)+-\d$/];
const tableName: Form = ['the name of a table', /^[\w.-]{3,255}$/];
// The edge accepts certificates and web ACLs only from this region.
const edgeCertificate: Form = ['the ARN of an ACM certificate in us-east-1', /^arn:[\w-]+:acm:us-east-1:/];

const forms = {
  ownerIssuer: [
    'a URL such as https://issuer.example.com',
    { test: (value) => /^https:\/\/\S+$/.test(value) && URL.canParse(value) },
  ],
  ownerAudience: ['an audience', /./],
  ownerOrigins: ['origins such as https://login.example.com', /^https:\/\/[^\s/,]+(,https:\/\/[^\s/,]+)*$/],
  ownerPool: ['the id of a user pool such as eu-central-1_AbCd12345', /^[\w-]+_[0-9A-Za-z]+$/],
  warmWrites: between(4_000),
  warmReads: between(12_000),
  apiDomain: host,
  certificateArn: ['the ARN of an ACM certificate', /^arn:[\w-]+:acm:/],
  apiEdgeCertificateArn: edgeCertificate,
  apiDirect: ['"allowed"', /^allowed$/],
  consoleDomain: host,
  consoleCertificateArn: edgeCertificate,
  webAclArn: ['the ARN of a global web ACL in us-east-1', /^arn:[\w-]+:wafv2:us-east-1:\d+:global\/webacl\/./],
  consoleOrigins: [
    'origins such as https://console.example.com, without a slash at the end',
    /^(https:\/\/[^\s/,]+|http:\/\/localhost(:\d+)?)(,(https:\/\/[^\s/,]+|http:\/\/localhost(:\d+)?))*$/,
  ],
  monthlyBudget: ['an amount in US dollars such as 50', /^[1-9]\d*(\.\d{1,2})?$/],
  egress: ['"nat"', /^nat$/],
  sourceMaps: ['"shipped"', /^shipped$/],
  traces: ['"on"', /^on$/],
  requestsPerSecond: between(1, 10_000),
  // This is the range of SQS for the concurrency of an event source.
  deliveryConcurrency: between(2, 1_000),
  backup: ['the ARN of a vault of AWS Backup', /^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:./],
  // The identity in Amazon SES and the permission use exactly this spelling.
  mailFrom: ['an email address in lower case', /^[\w.+-]+@([a-z0-9-]+\.)+[a-z]{2,}$/],
  alarmEmail: ['one email address', /^[^\s@,;]+@[^\s@,;]+$/],
  lambdaConcurrency: between(10),
  region,
  replicaRegion: region,
  passive: ['"true"', /^true$/],
  keysTable: tableName,
  recordsTable: tableName,
  recordsStream: ['the label of a stream such as 2026-11-21T12:00:00.000', /^\d{4}-[\w:.-]+$/],
  deliveriesTable: tableName,
  secretsTable: tableName,
  secretsKey: ['the ARN of a KMS key', /^arn:[\w-]+:kms:/],
} as const satisfies Readonly<Record<string, Form>>;

type Name = keyof typeof forms;

export const settingNames: ReadonlySet<string> = new Set(['stage', ...Object.keys(forms)]);

/** `cdk acknowledge` and `cdk cli-telemetry` write these to `cdk.context.json`. Other names of the CDK contain a `:`. */
const namesOfCdk = ['acknowledged-issue-numbers', 'cli-telemetry'];

/** Throws for an unknown name: `-c alarmMail=…` would leave every alarm unsent. */
export function refuseUnknown(node: Node): void {
  const isKnown = (name: string) => settingNames.has(name) || name.includes(':') || namesOfCdk.includes(name);
  const unknown = Object.keys(node.getAllContext()).find((name) => !isKnown(name));
  if (unknown !== undefined) throw new Error(`-c ${unknown} is no setting (docs/operating.md lists them).`);
}

/** The value of a setting that is independent of others. */
export function setting(node: Node, name: Name): string | undefined {
  return together(node, name)?.[name];
}

function numberOf(node: Node, name: Name): number | undefined {
  const value = setting(node, name);
  return value === undefined ? undefined : Number(value);
}

/** Returns the values if all are given, and undefined if none is. */
export function together<const K extends Name>(node: Node, ...keys: readonly K[]): Record<K, string> | undefined {
  const values = keys.map((key): [K, unknown] => [key, node.tryGetContext(key)]);
  if (values.every(([, value]) => value === undefined)) return undefined;
  const wrong = values.find(([key, value]) => value === undefined || !forms[key][1].test(String(value)));
  if (wrong) {
    const [name, value] = wrong;
    const problem = value === undefined ? 'is missing' : `is invalid: ${value}. It must be ${forms[name][0]}`;
    const all = keys.map((key) => `-c ${key}=…`).join(' and ');
    throw new Error(`-c ${name} ${problem}. Give ${all}, or none (docs/operating.md).`);
  }
  return Object.fromEntries(values.map(([key, value]) => [key, String(value)])) as Record<K, string>;
}
