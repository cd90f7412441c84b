/** Functions: each function of the templates becomes a pool of workers with its bundle, environment and limits. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { arn, localAccount, localRegion } from './arn.ts';
import { type FunctionPool, functionPool } from './function-pool.ts';
import { glob } from './iam.ts';
import { ignored, type Kind, number, type TemplateResource } from './kind.ts';
import type { LocalLog } from './log.ts';
import type { Model } from './model.ts';
import type { Policies, Principal } from './policies.ts';

const arnOf = (name: string) => arn('lambda', `function:${name}`);

const lambdaFunction = {
  type: 'AWS::Lambda::Function',
  nameProperty: 'FunctionName',
  attribute: (attribute, name) => ({ Arn: arnOf(name) })[attribute],
  properties: z.strictObject({
    FunctionName: z.optional(z.string()),
    Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
    Handler: z.string(),
    Runtime: z.string(),
    Role: z.string(),
    Environment: z.optional(z.strictObject({ Variables: z.record(z.string(), z.string()) })),
    MemorySize: z._default(number, 128),
    Timeout: z._default(number, 3),
    ReservedConcurrentExecutions: z.optional(number),
    Architectures: ignored,
    Description: ignored,
    EphemeralStorage: ignored,
    Layers: z._default(z.array(z.unknown()), []),
    LoggingConfig: z.optional(z.looseObject({ LogGroup: z.optional(z.string()) })),
    RecursiveLoop: ignored,
    RuntimeManagementConfig: ignored,
    Tags: ignored,
    TracingConfig: ignored,
  }),
} satisfies Kind;

/** Allows a service to invoke a function; it is checked before each invocation. */
const permission = {
  type: 'AWS::Lambda::Permission',
  properties: z.strictObject({
    Action: z.string(),
    FunctionName: z.string(),
    Principal: z.string(),
    SourceArn: z.optional(z.string()),
    SourceAccount: z.optional(z.string()),
  }),
} satisfies Kind;

const logGroupArn = (name: string) => arn('logs', `log-group:${name}:*`);

/** Log groups do not exist here, but a function may have to share one and must be allowed to write to it. */
const logGroup = {
  type: 'AWS::Logs::LogGroup',
  nameProperty: 'LogGroupName',
  attribute: (attribute, name) => ({ Arn: logGroupArn(name) })[attribute],
  properties: z.strictObject({ LogGroupName: ignored, RetentionInDays: ignored, Tags: ignored }),
} satisfies Kind;

export const functionKinds: readonly Kind[] = [lambdaFunction, logGroup, permission];

export interface LocalFunction {
  readonly name: string;
  readonly arn: string;
  readonly role: Principal & { kind: 'role' };
  /** Identifies the function at the AWS endpoint. It is generated at the start. */
  readonly accessKeyId: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly codeFolder: string;
  /** The timeout of the template, even if the function runs with another. */
  readonly timeoutSeconds: number;
  readonly pool: FunctionPool;
}

export interface Functions {
  readonly all: readonly LocalFunction[];
  /** Finds a function by name or ARN, with or without a qualifier. Throws if there is none. */
  find(nameOrArn: string): LocalFunction;
  byAccessKeyId(accessKeyId: string): LocalFunction | undefined;
  /** Restarts functions whose code folder is stale. Returns their number. */
  renew(isStale: (codeFolder: string) => boolean): number;
  /** Ends every container, including the invocations in progress. */
  stop(): Promise<void>;
}

export interface FunctionOptions {
  readonly log: LocalLog;
  readonly policies: Policies;
  /** Variables that every function gets in addition to its own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workersPerFunction: number;
  /** ARNs of functions whose resource is created without running them. */
  readonly notRun: ReadonlySet<string>;
  /** Returns the folder with the code of an asset. Default: the asset. */
  readonly codeFolder?: ((asset: string) => Promise<string>) | undefined;
  /** The timeout of every function in seconds, instead of that in its template. */
  readonly timeoutSeconds?: number | undefined;
}

export async function createFunctions(model: Model, options: FunctionOptions): Promise<Functions> {
  const run = model.all(lambdaFunction).filter(({ name }) => !options.notRun.has(arnOf(name)));
  const all = await Promise.all(run.map((definition) => createFunction(definition, model, options)));
  const byName = new Map(all.map((one) => [one.name, one]));
  const byKey = new Map(all.map((one) => [one.accessKeyId, one]));
  return {
    all,
    find(nameOrArn) {
      const name = nameOrArn.includes(':function:') ? nameOrArn.split(':')[6] : nameOrArn;
      const found = byName.get(name ?? '');
      if (!found) throw new Error(`The templates have no function ${nameOrArn}.`);
      return found;
    },
    byAccessKeyId: (accessKeyId) => byKey.get(accessKeyId),
    renew(isStale) {
      const stale = all.filter(({ codeFolder }) => isStale(codeFolder));
      for (const { pool } of stale) pool.renew();
      return stale.length;
    },
    stop: async () => {
      await Promise.all(all.map(({ pool }) => pool.stop()));
    },
  };
}

type Definition = TemplateResource<z.infer<typeof lambdaFunction.properties>>;

async function createFunction(
  { name, logicalId, properties }: Definition,
  model: Model,
  options: FunctionOptions,
): Promise<LocalFunction> {
  const asset = model.asset(properties.Code.S3Key);
  if (!asset) throw new Error(`The cloud assembly has no code for ${lambdaFunction.type} (${logicalId}).`);
  // The loader of modules follows symbolic links, too.
  const folder = await realpath((await options.codeFolder?.(asset)) ?? asset);
  const dot = properties.Handler.lastIndexOf('.');
  const moduleName = properties.Handler.slice(0, dot);
  if (!/^nodejs/.test(properties.Runtime)) {
    throw new Error(
      `The local run does not support the runtime ${properties.Runtime} of ${lambdaFunction.type} (${logicalId}).`,
    );
  }
  const functionArn = arnOf(name);
  if (!options.policies.trusts(properties.Role, 'lambda.amazonaws.com', functionArn))
    throw new Error(`The role of ${lambdaFunction.type} (${logicalId}) does not allow Lambda to assume it.`);
  const role = { kind: 'role', roleName: properties.Role.split('/').at(-1) ?? '', functionName: name } as const;
  checkLogPermissions(role, properties, options.policies);
  const accessKeyId = `${name}-${randomUUID()}`;
  const environment = {
    ...properties.Environment?.Variables,
    ...providedByLambda(name, properties, folder),
    AWS_ACCESS_KEY_ID: accessKeyId,
    // The SDK uses it for every service, so that none of its calls leaves the machine.
    AWS_ENDPOINT_URL: model.addresses.awsEndpoint,
    ...options.environment,
  };
  return {
    name,
    arn: functionArn,
    role,
    accessKeyId,
    environment,
    codeFolder: folder,
    timeoutSeconds: properties.Timeout,
    pool: functionPool(
      {
        file: bundleFile(folder, moduleName, logicalId),
        exportName: properties.Handler.slice(dot + 1),
        folderUrl: pathToFileURL(join(folder, '/')).href,
        hasLayers: properties.Layers.length > 0,
        functionName: name,
        functionArn,
        memoryMb: properties.MemorySize,
        environment,
        timeoutSeconds: options.timeoutSeconds ?? properties.Timeout,
        maxWorkers: Math.min(
          options.workersPerFunction,
          properties.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
        ),
      },
      options.log,
    ),
  };
}

/** Without these permissions, the log lines of a function in the account would be lost without an error. */
function checkLogPermissions(
  role: LocalFunction['role'],
  { LoggingConfig }: Definition['properties'],
  policies: Policies,
): void {
  const group = LoggingConfig?.LogGroup;
  if (group === undefined) return;
  for (const action of ['logs:CreateLogStream', 'logs:PutLogEvents']) {
    if (policies.decide(role, { action, resource: logGroupArn(group) }) === 'allow') continue;
    throw new Error(`The function ${role.functionName} has no permission for ${action} in its log group ${group}.`);
  }
}

/** The order of file endings is that of Lambda's runtime. */
function bundleFile(folder: string, moduleName: string, logicalId: string): string {
  const file = ['.js', '.mjs', '.cjs']
    .map((ending) => join(folder, moduleName + ending))
    .find((one) => existsSync(one));
  if (file !== undefined) return file;
  throw new Error(`The code of ${lambdaFunction.type} (${logicalId}) has no file ${moduleName} in ${folder}.`);
}

function providedByLambda(
  name: string,
  { MemorySize, Handler, LoggingConfig }: Definition['properties'],
  folder: string,
): Record<string, string> {
  return {
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_REGION: localRegion,
    AWS_DEFAULT_REGION: localRegion,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    AWS_LAMBDA_LOG_GROUP_NAME: LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    LAMBDA_TASK_ROOT: folder,
    _HANDLER: Handler,
    TZ: ':UTC',
  };
}

export interface InvokePermissions {
  /** Returns whether the function's policy allows the service to invoke it for the source. */
  allows(service: string, functionArn: string, sourceArn: string): boolean;
  /** Returns whether the service may assume the role, and the role may invoke the function or its alias. */
  allowsRole(service: string, functionArn: string, roleArn: string, sourceArn: string): boolean;
}

export function readInvokePermissions(model: Model, policies: Policies): InvokePermissions {
  const grants = model.all(permission).map(({ properties }) => properties);
  return {
    allowsRole: (service, resource, roleArn, sourceArn) => {
      const role = { kind: 'role', roleName: roleArn.split('/').at(-1) ?? '', functionName: service } as const;
      return (
        policies.trusts(roleArn, service, sourceArn) &&
        policies.decide(role, { action: 'lambda:InvokeFunction', resource }) === 'allow'
      );
    },
    allows: (service, functionArn, sourceArn) =>
      grants.some(
        (grant) =>
          grant.Action === 'lambda:InvokeFunction' &&
          grant.Principal === service &&
          (grant.FunctionName === functionArn || functionArn.endsWith(`:function:${grant.FunctionName}`)) &&
          (grant.SourceArn === undefined || glob(grant.SourceArn, sourceArn)) &&
          (grant.SourceAccount ?? localAccount) === localAccount,
      ),
  };
}
