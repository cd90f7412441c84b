/** Runs a complete system on one machine, created from its synthesised CloudFormation. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localRegion } from './arn.ts';
import { startAwsEndpoint } from './aws-endpoint.ts';
import { type Buckets, createBuckets, deployers } from './buckets.ts';
import { claimDataFolder, openCheckpoints } from './data-folder.ts';
import { behindDistributions } from './distributions.ts';
import { createTables } from './dynamodb.ts';
import { startDynamoEmulator } from './dynamodb-emulator.ts';
import { putEvent, putEvents, readRules } from './event-bus.ts';
import { startEventSources } from './event-sources.ts';
import { eventTargets } from './event-targets.ts';
import { describeFaults, type Faults } from './faults.ts';
import { createFunctions, readInvokePermissions } from './functions.ts';
import { createHttpApis } from './http-api.ts';
import { startHttpServer } from './http-server.ts';
import { LocalLog } from './log.ts';
import type { KeptMail } from './mail-page.ts';
import { createMails, withMails } from './mails.ts';
import { buildModel } from './model.ts';
import { readPolicies } from './policies.ts';
import { resourceKinds } from './resource-kinds.ts';
import { startSchedules } from './schedules.ts';
import { type CloudQueue, createQueues } from './sqs.ts';
import { startQueueEmulator } from './sqs-emulator.ts';
import { streamReader } from './stream-reader.ts';
import { stopOnSignals, Teardown } from './teardown.ts';
import { readTemplates, type Template } from './templates.ts';
import { createIssuers, newKeyPair, type TokenIssuer, withIssuers } from './user-pools.ts';

export interface CloudOptions {
  /** The folder of a cloud assembly, or a function that writes one into a folder while the emulators start. */
  readonly assembly: string | ((folder: string, signal: AbortSignal) => Promise<void>);
  /** Variables that every function gets in addition to those of its template. */
  readonly environment?: (baseUrl: string) => Readonly<Record<string, string>>;
  /** Port of the HTTP APIs on 127.0.0.1. Default: 0, any free port. */
  readonly port?: number;
  /** The folder that keeps tables and queues between runs. Default: everything is kept in memory. */
  readonly dataDir?: string;
  /** Receives a short sentence for each step of the start. */
  readonly progress?: (line: string) => void;
  /** Changes the templates before anything is created, for example to remove a grant in a test. */
  readonly mutateTemplates?: (templates: readonly Template[]) => void;
  /** The maximum of concurrent invocations of one function. Default: 4. */
  readonly workersPerFunction?: number;
  /** Faults that are injected into the functions' calls. Default: none. */
  readonly faults?: Faults;
  /** Whether distributions serve their files on the port of the APIs. Default: yes. */
  readonly withDistributions?: boolean;
  /** Returns the folder with the content of an asset for a bucket. Default: the asset. */
  readonly contentOf?: (asset: string) => Promise<string | undefined>;
  /** Returns the folder with the code of an asset. Default: the asset. */
  readonly codeFolder?: (asset: string) => Promise<string>;
  /** The timeout of functions and of their callers in seconds, instead of that in the templates, for debuggers. */
  readonly timeoutSeconds?: number | undefined;
  /** The visibility timeout of every queue in seconds, instead of that in the templates, for tests of retries. */
  readonly visibilitySeconds?: number;
  /** An endpoint with the DynamoDB API, instead of the emulator of the project. Default: `DYNAMODB_URL`. */
  readonly emulatorUrl?: string;
}

/** The created resources by physical name, for tools that access tables and queues from outside. */
export interface CloudResources {
  readonly tables: readonly string[];
  readonly queues: readonly CloudQueue[];
  readonly functions: readonly { readonly name: string; readonly environment: Readonly<Record<string, string>> }[];
}

export interface Cloud {
  /** The address of the HTTP APIs: `http://127.0.0.1:port`. */
  readonly baseUrl: string;
  /** Serves DynamoDB, DynamoDB Streams, SQS and EventBridge. `adminClientOptions` returns options for an SDK client. */
  readonly awsEndpoint: string;
  /** The access key id that may do everything. It is generated at the start; calls with an unknown id are rejected. */
  readonly adminAccessKeyId: string;
  readonly resources: CloudResources;
  /** Absent if the templates name an external issuer. */
  readonly tokens: TokenIssuer | undefined;
  /** The files that the distributions serve. An added file is served at once. */
  readonly buckets: Buckets;
  /** Emails that functions sent by Amazon SES, newest last. The page `/_local/mails` shows them. */
  readonly mails: readonly KeptMail[];
  readonly log: LocalLog;
  /** Restarts functions whose code folder is stale. Returns their number. */
  renew(isStale: (codeFolder: string) => boolean): number;
  /** Ends every worker, child process, timer and server of this run. It is safe to call it twice. */
  stop(): Promise<void>;
}

const workersPerFunctionDefault = 4;

/** Returns options for `new DynamoDBClient(...)` and other clients that may do everything, for seeding and tests. */
export function adminClientOptions({ awsEndpoint, adminAccessKeyId }: Pick<Cloud, 'awsEndpoint' | 'adminAccessKeyId'>) {
  return {
    endpoint: awsEndpoint,
    region: localRegion,
    credentials: { accessKeyId: adminAccessKeyId, secretAccessKey: 'local' },
  };
}

/** Starts the assembly. If it fails, throws an Error that names the cause, and leaves nothing running. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const teardown = new Teardown();
  stopOnSignals(teardown);
  try {
    return await createAll(options, teardown);
  } catch (error) {
    const interrupted = teardown.begun;
    await teardown.run();
    throw interrupted ? new Error('The start was interrupted.', { cause: error }) : error;
  }
}

async function createAll(options: CloudOptions, teardown: Teardown): Promise<Cloud> {
  const { progress = () => undefined } = options;
  const log = new LocalLog();

  // The steps that fail most often are first: the folder and the port.
  const folder = options.dataDir === undefined ? undefined : claimDataFolder(options.dataDir);
  if (folder) teardown.add(() => folder.release());
  const http = await startHttpServer(options.port ?? 0, log);
  teardown.add(() => http.stop());
  const endpoint = await startAwsEndpoint(log, options.faults);
  if (options.faults) progress(describeFaults(options.faults));
  teardown.add(() => endpoint.stop());

  const keyPair = newKeyPair();
  // The emulators start while the app synthesises; if one fails, the others are ended before the error is reported.
  const cancelled = new AbortController();
  teardown.add(() => cancelled.abort());
  const starting = [
    started(
      'DynamoDB',
      startDynamoEmulator({
        url: options.emulatorUrl ?? process.env.DYNAMODB_URL,
        dataDir: folder?.path,
        onEnd: (reason) =>
          log.write('fatal', '', `The DynamoDB emulator ended; start again. Its last output: ${reason}`),
      }),
    ),
    started('SQS', startQueueEmulator(folder?.path)),
    templatesOf(options.assembly, cancelled.signal, teardown),
  ] as const;
  const [dynamo, queueEmulator, templates] = await Promise.all(starting).catch(async (error) => {
    cancelled.abort();
    await Promise.allSettled(starting);
    throw error;
  });
  if (teardown.begun) throw new Error('A signal stopped the start.');

  options.mutateTemplates?.(templates);
  const model = buildModel(templates, resourceKinds, { awsEndpoint: endpoint.url, baseUrl: http.url });
  const policies = readPolicies(model);
  const rules = readRules(model);
  const permissions = readInvokePermissions(model, policies);

  const tables = await createTables(model, dynamo.client);
  const queues = await createQueues(model, queueEmulator, options.visibilitySeconds);
  progress(`${tables.names.length} tables and ${queues.count} queues are created`);

  const functions = await createFunctions(model, {
    log,
    policies,
    environment: options.environment?.(http.url) ?? {},
    workersPerFunction: options.workersPerFunction ?? workersPerFunctionDefault,
    notRun: deployers(model),
    codeFolder: options.codeFolder,
    timeoutSeconds: options.timeoutSeconds,
  });
  teardown.add(() => functions.stop());
  const apis = createHttpApis(model, { functions, permissions, log, timeoutSeconds: options.timeoutSeconds });

  const keyOf = (resourceArn: string) => tables.keys.get(resourceArn) ?? queues.keys.get(resourceArn);
  const deliver = eventTargets({ endpoint, queues: queueEmulator, functions, permissions, keyOf, log });
  const adminAccessKeyId = `admin-${randomUUID()}`;
  const issuers = await createIssuers(model, keyPair);
  const mails = createMails(model, (Source, DetailType, detail) =>
    putEvent({ Source, DetailType, Detail: JSON.stringify(detail) }, rules, deliver),
  );
  let wakeStreams: () => void = () => undefined;
  endpoint.connect({
    dynamodb: dynamo.client,
    queues: queueEmulator,
    policies,
    keyOf,
    streams: tables.streams,
    putEvents: (body) => putEvents(body, rules, deliver),
    people: issuers.administer,
    mail: mails.send,
    principalOf: (accessKeyId) =>
      accessKeyId === adminAccessKeyId ? { kind: 'admin' } : functions.byAccessKeyId(accessKeyId)?.role,
    written: () => wakeStreams(),
  });

  const streams = streamReader(dynamo.client, tables.streams);
  const checkpoints = openCheckpoints(folder);
  const { visibilitySeconds } = queues;
  const polled = { queues: queueEmulator, visibilitySeconds, streams, checkpoints };
  const sources = await startEventSources(model, { endpoint, functions, ...polled, keyOf, log });
  teardown.add(() => Promise.all([sources.stop(), functions.stop()]));
  wakeStreams = sources.wake;
  teardown.add(startSchedules(model, rules, { deliver, endpoint, functions, log, policies }));

  const isFronted = options.withDistributions ?? true;
  const buckets = isFronted ? await createBuckets(model, options.contentOf) : new Map();
  const fronted = isFronted ? await behindDistributions(model, buckets, policies, apis) : apis;
  http.serve(withMails(mails, withIssuers(issuers, fronted)));
  progress(`${functions.all.length} functions run, and ${http.url} accepts requests`);
  return {
    baseUrl: http.url,
    awsEndpoint: endpoint.url,
    adminAccessKeyId,
    resources: { tables: tables.names, queues: queues.queues, functions: functions.all },
    tokens: issuers.tokens,
    buckets,
    mails: mails.mails,
    log,
    renew: (isStale) => functions.renew(isStale),
    stop: () => teardown.run(),
  };

  async function started<T extends { stop(): Promise<void> }>(name: string, emulator: Promise<T>): Promise<T> {
    const running = await emulator;
    teardown.add(() => running.stop());
    progress(`${name} emulator runs`);
    return running;
  }
}

async function templatesOf(
  assembly: CloudOptions['assembly'],
  signal: AbortSignal,
  teardown: Teardown,
): Promise<Template[]> {
  if (typeof assembly === 'string') return readTemplates(assembly);
  const folder = await mkdtemp(join(tmpdir(), 'cloud-assembly-'));
  teardown.add(() => rm(folder, { recursive: true, force: true }));
  signal.throwIfAborted();
  await assembly(folder, signal);
  return readTemplates(folder);
}
