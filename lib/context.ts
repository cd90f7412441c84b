/**
 * What an operator may set with `-c name=value`, beside the stage. Settings that belong together are given together, and
 * a value without its form, or a name that is none, stops the synth with the name of the setting.
 */
import type { Node } from 'constructs';
import type { SignIn } from './constructs/owners.ts';
import type { WarmThroughput } from './constructs/stores.ts';
import { givenNames } from './given-tables.ts';

export interface Settings {
  /** An OpenID Connect issuer of one's own, whose tokens carry `custom:businessId`. Without it there is a user pool. */
  readonly ownerIssuer: SignIn | undefined;
  /** A user pool that exists already and takes the place of the stage's own. */
  readonly ownerPool: string | undefined;
  /** Where the console is, for an owner who comes back from signing in. */
  readonly consoleOrigins: readonly string[] | undefined;
  /** The host of the console, at the edge. */
  readonly consoleDomain: { readonly name: string; readonly certificateArn: string } | undefined;
  /** A web ACL that the distribution asks about each request. */
  readonly webAclArn: string | undefined;
  /** For an opening day; without it a table grows with its traffic. Paid once. */
  readonly warm: WarmThroughput | undefined;
  /** Whether receivers are called from fixed addresses. */
  readonly fixedEgress: boolean;
  /** Whether functions have their source maps with them: stacks then name lines of the sources, and starts are slower. */
  readonly shipsSourceMaps: boolean;
  /** Whether X-Ray records requests, at $5 a million. */
  readonly isTraced: boolean;
  /** A vault in another account, which gets daily copies of the tables. */
  readonly backupVaultArn: string | undefined;
  /** Of all callers together, in the place of the stage's own. */
  readonly requestsPerSecond: number | undefined;
  /** Batches of deliveries at once, for each of both lanes, in the place of the row's own. */
  readonly deliveryConcurrency: number | undefined;
  /** The address that notices are sent from; given, they are sent as emails. */
  readonly mailFrom: string | undefined;
  /** Who receives every alarm. */
  readonly alarmEmail: string | undefined;
  /** US dollars. */
  readonly monthlyBudget: number | undefined;
  /** Lambda's quota of concurrent executions in the account, which an alarm compares with; new accounts may have less. */
  readonly lambdaConcurrency: number;
  /** The host of the integration API; the account API is at `account-` before it. */
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  /** For the host of the integration API at the edge; given, requests come by the edge alone. */
  readonly apiEdgeCertificateArn: string | undefined;
  /** Whether the gateway still takes requests that do not come by the edge, until the host points there. */
  readonly allowsDirect: boolean;
  /** The region of the stage. Without it the templates deploy to any. */
  readonly region: string | undefined;
  /** Where the tables have replicas. */
  readonly replicaRegion: string | undefined;
  /** Whether this deployment stands by in a second region: it answers 503 and works on nothing. */
  readonly isPassive: boolean;
}

export function settingsOf(node: Node): Settings {
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
  const region = setting(node, 'region');
  const replicaRegion = setting(node, 'replicaRegion');
  const isPassive = setting(node, 'passive') !== undefined;
  if (replicaRegion !== undefined && (region === undefined || region === replicaRegion || isPassive)) {
    throw new Error(
      '-c replicaRegion=… needs -c region=…, the region of the stage, which must be another one; without -c passive (docs/operating.md).',
    );
  }
  return {
    ownerIssuer: owner && {
      issuer: owner.ownerIssuer,
      audience: owner.ownerAudience,
      origins: [new URL(owner.ownerIssuer).origin, ...(ownerOrigins ?? [])],
    },
    ownerPool,
    consoleDomain: console && { name: console.consoleDomain, certificateArn: console.consoleCertificateArn },
    consoleOrigins: setting(node, 'consoleOrigins')?.split(',') ?? (console && [`https://${console.consoleDomain}`]),
    webAclArn: setting(node, 'webAclArn'),
    warm: warm && { writes: Number(warm.warmWrites), reads: Number(warm.warmReads) },
    fixedEgress: setting(node, 'egress') !== undefined,
    shipsSourceMaps: setting(node, 'sourceMaps') !== undefined,
    isTraced: setting(node, 'traces') !== undefined,
    requestsPerSecond: numberOf(node, 'requestsPerSecond'),
    deliveryConcurrency: numberOf(node, 'deliveryConcurrency'),
    backupVaultArn: setting(node, 'backup'),
    mailFrom: setting(node, 'mailFrom'),
    alarmEmail: setting(node, 'alarmEmail'),
    monthlyBudget: numberOf(node, 'monthlyBudget'),
    lambdaConcurrency: numberOf(node, 'lambdaConcurrency') ?? 1_000,
    domain: domain && { name: domain.apiDomain, certificateArn: domain.certificateArn },
    apiEdgeCertificateArn,
    allowsDirect,
    region,
    replicaRegion,
    isPassive,
  };
}

const host = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.){2,}[a-z]{2,}$/;

const regionName = /^[a-z]{2}(-[a-z]+)+-\d$/;

const origins = /^(https:\/\/[^\s/,]+|http:\/\/localhost(:\d+)?)(,(https:\/\/[^\s/,]+|http:\/\/localhost(:\d+)?))*$/;

interface Form {
  test(value: string): boolean;
}

function atLeast(least: number): Form {
  return between(least, Number.POSITIVE_INFINITY);
}

/** All numbers are whole: CloudFormation would refuse another in the middle of a deployment. */
function between(least: number, most: number): Form {
  return { test: (value) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most };
}

/** The form of each. */
const forms = {
  ownerIssuer: /^https:\/\/\S+$/,
  ownerAudience: /./,
  ownerOrigins: /^https:\/\/[^\s/,]+(,https:\/\/[^\s/,]+)*$/,
  ownerPool: /^[\w-]+_[0-9A-Za-z]+$/,
  warmWrites: atLeast(4_000),
  warmReads: atLeast(12_000),
  apiDomain: host,
  certificateArn: /^arn:[\w-]+:acm:/,
  apiEdgeCertificateArn: /^arn:[\w-]+:acm:us-east-1:/,
  apiDirect: /^allowed$/,
  consoleDomain: host,
  // The edge takes certificates, and web ACLs, of this region alone.
  consoleCertificateArn: /^arn:[\w-]+:acm:us-east-1:/,
  webAclArn: /^arn:[\w-]+:wafv2:us-east-1:\d+:global\/webacl\/./,
  consoleOrigins: origins,
  monthlyBudget: atLeast(1),
  egress: /^nat$/,
  sourceMaps: /^shipped$/,
  traces: /^on$/,
  requestsPerSecond: between(1, 10_000),
  // What SQS takes as the concurrency of an event source.
  deliveryConcurrency: between(2, 1_000),
  backup: /^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:./,
  // The identity of Amazon SES and the permission are for it as it is written here.
  mailFrom: /^[\w.+-]+@([a-z0-9-]+\.)+[a-z]{2,}$/,
  alarmEmail: /^[^\s@,;]+@[^\s@,;]+$/,
  lambdaConcurrency: atLeast(10),
  region: regionName,
  replicaRegion: regionName,
  passive: /^true$/,
} as const satisfies Readonly<Record<string, Form>>;

type Name = keyof typeof forms;

export const settingNames: ReadonlySet<string> = new Set(['stage', ...givenNames, ...Object.keys(forms)]);

/** Throws at a name that nothing reads: `-c alarmMail=…` would leave every alarm unheard. The names of the CDK have a `:`. */
export function refuseUnknown(node: Node): void {
  const unknown = Object.keys(node.getAllContext()).find((name) => !name.includes(':') && !settingNames.has(name));
  if (unknown !== undefined) throw new Error(`-c ${unknown} is no setting (docs/operating.md lists them).`);
}

/** Of a setting that stands alone. */
function setting(node: Node, name: Name): string | undefined {
  return together(node, name)?.[name];
}

function numberOf(node: Node, name: Name): number | undefined {
  const value = setting(node, name);
  return value === undefined ? undefined : Number(value);
}

/** The values when all are given, nothing when none is. */
function together<const K extends Name>(node: Node, ...keys: readonly K[]): Record<K, string> | undefined {
  const values = keys.map((key): [K, unknown] => [key, node.tryGetContext(key)]);
  if (values.every(([, value]) => value === undefined)) return undefined;
  const wrong = values.find(([key, value]) => value === undefined || !forms[key].test(String(value)));
  if (wrong) {
    const [name, value] = wrong;
    const problem = value === undefined ? 'is missing' : `has not its form: ${value}`;
    const all = keys.map((key) => `-c ${key}=…`).join(' and ');
    throw new Error(`-c ${name} ${problem}. Give ${all}, or none (docs/operating.md).`);
  }
  return Object.fromEntries(values.map(([key, value]) => [key, String(value)])) as Record<K, string>;
}
