/** Deployment variants: each stage, and each setting of `lib/context.ts` in at least one of them. */
import type { SynthesisRequest } from './synthesiser.ts';

/** The settings of a passive deployment in a second region. */
export const passiveContext = {
  passive: 'true',
  recordsTable: 'booking-prod-data-StoresRecords',
  recordsStream: '2026-11-21T12:00:00.000',
  deliveriesTable: 'booking-prod-data-StoresDeliveries',
  keysTable: 'booking-prod-data-StoresKeys',
  secretsTable: 'booking-prod-data-StoresSecrets',
  secretsKey: 'arn:aws:kms:eu-west-1:123456789012:key/1',
};

/** The settings of a stage whose owners sign in elsewhere. */
export const otherIssuer = {
  ownerIssuer: 'https://issuer.example',
  ownerAudience: 'booking',
  ownerOrigins: 'https://login.example,https://token.example',
};

const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;

/** Settings that can be combined with each other and with a user pool. */
const settings = {
  egress: 'nat',
  apiDomain: 'api.example.com',
  certificateArn: certificate('eu-central-1'),
  apiEdgeCertificateArn: certificate('us-east-1'),
  consoleDomain: 'console.example.com',
  consoleCertificateArn: certificate('us-east-1'),
  consoleOrigins: 'https://console.example.com,http://localhost:5173',
  webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/booking/1',
  alarmEmail: 'operator@booking.example',
  mailFrom: 'notices@mail.booking.example',
  monthlyBudget: '250.50',
  lambdaConcurrency: '3000',
  requestsPerSecond: '5000',
  deliveryConcurrency: '200',
  sourceMaps: 'shipped',
  traces: 'on',
  ownerPool: 'eu-central-1_AbCd12345',
  warmWrites: '20000',
  warmReads: '40000',
  backup: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:booking',
};

const stream = '2026-11-21T10:00:00.000';

export const variants = {
  // This variant is first, because the rules are read again for each new type of resource.
  'all settings': { stage: 'prod', context: settings },
  prod: { stage: 'prod', context: {} },
  dev: { stage: 'dev', context: {} },
  branch: { stage: 'pr-42', context: {} },
  'edge and direct requests': {
    stage: 'dev',
    context: {
      apiDomain: settings.apiDomain,
      certificateArn: settings.certificateArn,
      apiEdgeCertificateArn: settings.apiEdgeCertificateArn,
      apiDirect: 'allowed',
    },
  },
  ownerIssuer: { stage: 'prod', context: otherIssuer },
  backup: { stage: 'prod', context: { backup: settings.backup } },
  'existing tables': {
    stage: 'prod',
    context: {
      // With it, one more function writes: the tests of the runbook restore.md need it.
      mailFrom: settings.mailFrom,
      keysTable: 'keys-1',
      recordsTable: 'records-1',
      recordsStream: stream,
      deliveriesTable: 'deliveries-1',
      secretsTable: 'secrets-1',
      secretsKey: 'arn:aws:kms:eu-central-1:123456789012:key/1',
    },
  },
  replicas: { stage: 'prod', context: { region: 'eu-central-1', replicaRegion: 'eu-west-1' } },
  passive: { stage: 'prod', context: { ...settings, ...passiveContext } },
  '60 more endpoints': { stage: 'prod', context: {}, laterEndpoints: 60 },
} as const satisfies Readonly<Record<string, SynthesisRequest>>;
