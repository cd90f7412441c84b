/** A whole system on one machine, created from its synthesised CloudFormation. */
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
import { busNames, putEvent, putEvents, readRules } from './event-bus.ts';
import { startEventSources } from './event-sources.ts';
import { eventTargets } from './event-targets.ts';
import { describeFaults, type Faults } from './faults.ts';
import { createFunctions, readInvokePermissions } from './functions.ts';
import { createHttpApis } from './http-api.ts';
import { startHttpServer } from './http-server.ts';
import { LocalLog } from './log.ts';
import type { KeptMail } from './mail-page.ts';
import { besideMails, createMails } from './mails.ts';
import { buildModel } from './model.ts';
import { readPolicies } from './policies.ts';
import { resourceKinds } from './resource-kinds.ts';
import { type CloudResources, resourcesOf } from './resources.ts';
import { startSchedules } from './schedules.ts';
import { createQueues } from './sqs.ts';
import { startQueueEmulator } from './sqs-emulator.ts';
import { streamReader } from './stream-reader.ts';
import { stopOnSignals, Teardown } from './teardown.ts';
import { readTemplates, type Template } from './templates.ts';
import { behindIssuers, createIssuers, type TokenIssuer } from './user-pools.ts';

export interface CloudOptions {
  /** Folder of a cloud assembly, or what writes one into a folder, while the emulators start. */
  readonly assembly: string | ((folder: string, signal: AbortSignal) => Promise<void>);
  /** Variables that every function gets beside those of its template. */
  readonly environment?: (baseUrl: string) => Readonly<Record<string, string>>;
  /** Port of the HTTP APIs on 127.0.0.1. 0 or left out: any free one. */
  readonly port?: number;
  /** Folder that keeps tables and queues between runs. Left out: everything lives in memory. */
  readonly dataDir?: string;
  /** Gets one short sentence for each thing that happens while starting. */
  readonly progress?: (line: string) => void;
  /** Changes the templates before anything is created. For tests, such as one that removes a grant. */
  readonly mutateTemplates?: (templates: readonly Template[]) => void;
  /** Concurrent invocations of one function at most. Default 4. */
  readonly workersPerFunction?: number;
  /** Troubles that the functions' calls meet. Default: none. */
  readonly faults?: Faults;
  /** Whether distributions answer on the port of the APIs for what they have a file for. Default: yes. */
  readonly withDistributions?: boolean;
  /** Where the content of an asset is that a bucket gets. Nothing: in the asset. */
  readonly contentOf?: (asset: string) => Promise<string | undefined>;
  /** Where the code of an asset is. Default: in the asset. */
  readonly codeFolder?: (asset: string) => Promise<string>;
  /** Seconds that a function has, and a caller waits for it, instead of the time in the templates: for debuggers. */
  readonly timeoutSeconds?: number | undefined;
  /** An endpoint that speaks DynamoDB, instead of the emulator that comes with the project. Default: `DYNAMODB_URL`. */
  readonly emulatorUrl?: string;
}

export interface Cloud {
  /** `http://127.0.0.1:port`: the HTTP APIs. */
  readonly baseUrl: string;
  /** Speaks DynamoDB, DynamoDB Streams, SQS and EventBridge. `adminClientOptions` gives an SDK client for it. */
  readonly awsEndpoint: string;
  /** May do everything. Drawn at the start: who does not know it, or a function's, gets nothing. */
  readonly adminAccessKeyId: string;
  readonly resources: CloudResources;
  /** Absent if the templates name a foreign issuer. */
  readonly tokens: TokenIssuer | undefined;
  /** What the distributions serve. A file that is put into one is there at once. */
  readonly buckets: Buckets;
  /** What functions sent by Amazon SES, newest last. The page `/_local/mails` shows them. */
  readonly mails: readonly KeptMail[];
  readonly log: LocalLog;
  /** The code in some folders has changed: functions that run it start again. Returns how many they are. */
  renew(isStale: (codeFolder: string) => boolean): number;
  /** Ends every worker, child process, timer and server of this run. Safe to call twice. */
  stop(): Promise<void>;
}

const workersPerFunctionDefault = 4;

/** Options for `new DynamoDBClient(...)` and its like that may do everything: for seeding and for tests. */
export function adminClientOptions({ awsEndpoint, adminAccessKeyId }: Pick<Cloud, 'awsEndpoint' | 'adminAccessKeyId'>) {
  return {
    endpoint: awsEndpoint,
    region: localRegion,
    credentials: { accessKeyId: adminAccessKeyId, secretAccessKey: 'local' },
  };
}

/** Stands the assembly up. Throws an Error with one clear sentence when it cannot; nothing is left then. */
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

  // What can be refused is tried first: the folder and the port.
  const folder = options.dataDir === undefined ? undefined : claimDataFolder(options.dataDir);
  if (folder) teardown.add(() => folder.release());
  const http = await startHttpServer(options.port ?? 0, log);
  teardown.add(() => http.stop());
  const endpoint = await startAwsEndpoint(log, options.faults);
  if (options.faults) progress(describeFaults(options.faults));
  teardown.add(() => endpoint.stop());

  // The emulators start while the app synthesises; if one of them fails, the others are ended before that is reported.
  const cancelled = new AbortController();
  teardown.add(() => cancelled.abort());
  const starting = [
    started(
      'DynamoDB',
      startDynamoEmulator({ url: options.emulatorUrl ?? process.env.DYNAMODB_URL, dataDir: folder?.path }),
    ),
    started('SQS', startQueueEmulator(folder?.path)),
    templatesOf(options.assembly, cancelled.signal, teardown),
  ] as const;
  const [dynamo, queueEmulator, templates] = await Promise.all(starting).catch(async (error) => {
    cancelled.abort();
    await Promise.allSettled(starting);
    throw error;
  });
  if (teardown.begun) throw new Error('A signal came before the system stood.');

  options.mutateTemplates?.(templates);
  const model = buildModel(templates, resourceKinds, { awsEndpoint: endpoint.url, baseUrl: http.url });
  const policies = readPolicies(model);
  const rules = readRules(model);
  const permissions = readInvokePermissions(model, policies);

  const tables = await createTables(model, dynamo.client);
  const queues = await createQueues(model, queueEmulator);
  progress(`${tables.names.length} tables and ${queues.names.length} queues stand`);

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
  const issuers = await createIssuers(model);
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

  const streams = streamReader(dynamo.client, tables.streams, openCheckpoints(folder));
  const sources = await startEventSources(model, { endpoint, functions, queues: queueEmulator, streams, keyOf, log });
  teardown.add(() => Promise.all([sources.stop(), functions.stop()]));
  wakeStreams = sources.wake;
  teardown.add(startSchedules(model, rules, { deliver, endpoint, functions, log }));

  const isFronted = options.withDistributions ?? true;
  const buckets = isFronted ? await createBuckets(model, { contentOf: options.contentOf }) : { all: new Map() };
  const fronted = isFronted ? behindDistributions(model, buckets, policies, apis) : apis;
  http.serve(besideMails(mails, behindIssuers(issuers, fronted)));
  progress(`${functions.all.length} functions answer at ${http.url}`);
  return {
    baseUrl: http.url,
    awsEndpoint: endpoint.url,
    adminAccessKeyId,
    resources: resourcesOf({ tables, queues, functions, busNames: busNames(model) }),
    tokens: issuers.tokens,
    buckets,
    mails: mails.kept,
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
