/** The policies of the templates, of roles and of resources. */
import * as z from 'zod/mini';
import { arn, localAccount, resourceOf } from './arn.ts';
import {
  type Decision,
  decide,
  type Permission,
  policyDocument,
  type Statement,
  statementsFor,
  unknownConditions,
} from './iam.ts';
import { ignored, type Kind } from './kind.ts';
import type { Model } from './model.ts';

/** IAM is global, so its ARNs have no region. */
const iamArn = (resource: string) => `arn:aws:iam::${localAccount}:${resource}`;
const roleArn = (name: string) => iamArn(`role/${name}`);

const role = {
  type: 'AWS::IAM::Role',
  nameProperty: 'RoleName',
  attribute: (attribute, name) => ({ Arn: roleArn(name), RoleId: name })[attribute],
  properties: z.strictObject({
    RoleName: z.optional(z.string()),
    AssumeRolePolicyDocument: policyDocument,
    ManagedPolicyArns: z.optional(z.array(z.string())),
    Policies: z.optional(z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocument }))),
    Description: ignored,
    MaxSessionDuration: ignored,
    Path: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

const policyProperties = {
  PolicyDocument: policyDocument,
  Roles: z.optional(z.array(z.string())),
  Description: ignored,
  Path: ignored,
};

const policy = {
  type: 'AWS::IAM::Policy',
  nameProperty: 'PolicyName',
  properties: z.strictObject({ ...policyProperties, PolicyName: z.string() }),
} satisfies Kind;

const managedPolicy = {
  type: 'AWS::IAM::ManagedPolicy',
  nameProperty: 'ManagedPolicyName',
  ref: (name) => iamArn(`policy/${name}`),
  properties: z.strictObject({ ...policyProperties, ManagedPolicyName: z.optional(z.string()) }),
} satisfies Kind;

const encryptionKey = {
  type: 'AWS::KMS::Key',
  attribute: (attribute, name) => ({ Arn: arn('kms', `key/${name}`), KeyId: name })[attribute],
  properties: z.strictObject({
    KeyPolicy: policyDocument,
    EnableKeyRotation: ignored,
    RotationPeriodInDays: ignored,
    PendingWindowInDays: ignored,
    Description: ignored,
    KeySpec: ignored,
    KeyUsage: ignored,
    MultiRegion: ignored,
    Enabled: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

const queuePolicy = {
  type: 'AWS::SQS::QueuePolicy',
  properties: z.strictObject({ Queues: z.array(z.string()), PolicyDocument: policyDocument }),
} satisfies Kind;

const bucketPolicy = {
  type: 'AWS::S3::BucketPolicy',
  properties: z.strictObject({ Bucket: z.string(), PolicyDocument: policyDocument }),
} satisfies Kind;

export const policyKinds: readonly Kind[] = [role, policy, managedPolicy, encryptionKey, queuePolicy, bucketPolicy];

/** The managed policies of AWS that roles of functions use. */
const awsManagedPolicies: Readonly<Record<string, readonly string[]>> = {
  AWSLambdaBasicExecutionRole: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
  AWSXRayDaemonWriteAccess: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
};

/** The caller: a function by its role, or a service by its name. */
export type Principal =
  | { readonly kind: 'admin' }
  | { readonly kind: 'role'; readonly roleName: string; readonly functionName: string }
  | { readonly kind: 'service'; readonly name: string };

export interface Policies {
  decide(principal: Principal, permission: Permission): Decision;
  /** Returns whether the trust policy of a role allows the service to assume it for the source. */
  trusts(roleArn: string, service: string, sourceArn: string): boolean;
}

export function readPolicies(model: Model): Policies {
  const ofRole = new Map<string, Statement[]>();
  const trust = new Map(
    model
      .all(role)
      .map(({ name, logicalId, properties }) => [
        roleArn(name),
        accept(logicalId, properties.AssumeRolePolicyDocument),
      ]),
  );
  const ofResource = new Map<string, z.infer<typeof policyDocument>[]>();

  const grant = (roleName: string, statements: readonly Statement[]) =>
    ofRole.set(roleName, [...(ofRole.get(roleName) ?? []), ...statements]);

  for (const { name, logicalId, properties } of model.all(role)) {
    grant(name, []);
    for (const inline of properties.Policies ?? []) grant(name, accept(logicalId, inline.PolicyDocument).Statement);
    for (const managed of properties.ManagedPolicyArns ?? []) grant(name, managedStatements(managed, logicalId, model));
  }
  for (const { logicalId, properties } of [...model.all(policy), ...model.all(managedPolicy)]) {
    const { Statement } = accept(logicalId, properties.PolicyDocument);
    for (const roleName of properties.Roles ?? []) grant(roleName, Statement);
  }
  const attach = (resource: string, where: string, document: z.infer<typeof policyDocument>) =>
    ofResource.set(resource, [...(ofResource.get(resource) ?? []), accept(where, document)]);
  for (const { name, logicalId, properties } of model.all(encryptionKey)) {
    attach(arn('kms', `key/${name}`), logicalId, properties.KeyPolicy);
  }
  for (const { logicalId, properties } of model.all(queuePolicy)) {
    for (const queueUrl of properties.Queues) {
      attach(arn('sqs', queueUrl.split('/').at(-1) ?? queueUrl), logicalId, properties.PolicyDocument);
    }
  }
  for (const { logicalId, properties } of model.all(bucketPolicy)) {
    attach(`arn:aws:s3:::${properties.Bucket}`, logicalId, properties.PolicyDocument);
  }

  const accountRoot = iamArn('root');
  /** The policy of an object is that of its bucket. */
  const owner = ({ resource }: Permission) =>
    resource.startsWith('arn:aws:s3:::') ? resource.split('/')[0] : resource;
  const resourceStatements = (permission: Permission, principal: string) =>
    (ofResource.get(owner(permission) ?? '') ?? []).flatMap((document) => statementsFor(document, principal));

  return {
    trusts(arnOfRole, service, sourceArn) {
      const document = trust.get(arnOfRole);
      const statements = document ? statementsFor(document, service) : [];
      const context = { 'aws:SourceArn': [sourceArn], 'aws:SourceAccount': [localAccount] };
      return decide(statements, { action: 'sts:AssumeRole', resource: arnOfRole, context }) === 'allow';
    },
    decide(principal, permission) {
      if (principal.kind === 'admin') return 'allow';
      if (principal.kind === 'service') return decide(resourceStatements(permission, principal.name), permission);
      const own = decide(ofRole.get(principal.roleName) ?? [], permission);
      const direct = decide(resourceStatements(permission, roleArn(principal.roleName)), permission);
      if (own === 'explicit deny' || direct === 'explicit deny') return 'explicit deny';
      if (direct === 'allow') return 'allow';
      // Identity policies apply to a key only if the key's own policy gives the account that right.
      if (own === 'allow' && permission.action.startsWith('kms:')) {
        return decide(resourceStatements(permission, accountRoot), permission);
      }
      return own;
    },
  };
}

function accept(where: string, document: z.infer<typeof policyDocument>): z.infer<typeof policyDocument> {
  const [unknown] = unknownConditions(document);
  if (unknown) throw new Error(`The local run does not support the condition ${unknown} in the policy of ${where}.`);
  return document;
}

function managedStatements(managedArn: string, logicalId: string, model: Model): readonly Statement[] {
  const name = resourceOf(managedArn).split('/').at(-1) ?? '';
  const actions = awsManagedPolicies[name];
  if (actions) return [{ Effect: 'Allow', Action: [...actions], Resource: ['*'] }];
  const own = model.all(managedPolicy).find((candidate) => managedArn.endsWith(`:policy/${candidate.name}`));
  if (own) return own.properties.PolicyDocument.Statement;
  throw new Error(`The local run does not support the managed policy ${managedArn} (${logicalId}).`);
}
