/**
 * The drill of docs/runbooks/restore.md on one machine. The commands of the page run unchanged. A restored table gets
 * the content that the lost table had at a given moment, and the properties that the commands set. The stacks are
 * synthesised with the settings that the commands deploy. The system must then continue from that moment.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { integrationPrefix } from '../contract/prefixes.ts';
import { adminClientOptions } from '../packages/local-cloud/src/start-cloud.ts';
import type { Teardown } from '../packages/local-cloud/src/teardown.ts';
import type { Resource, Template } from '../packages/local-cloud/src/templates.ts';
import { type Admin, adminOf, putAll } from './admin.ts';
import { callJson, type JsonResponse } from './call-json.ts';
import { commandsOf, flag, pageText, runCommands, settingsIn, shorthand } from './page-commands.ts';
import { seedDemo } from './seed-demo.ts';
import { type LocalOptions, type LocalRun, startLocal } from './start-local.ts';
import { synthesise } from './synthesis.ts';
import { openReceiver, type ReceivedDelivery } from './webhook-receiver.ts';

const stores = ['records', 'deliveries'] as const;
type Restored = (typeof stores)[number];

interface DrillOptions {
  /** Gets the steps that remove everything that the drill creates. */
  readonly teardown: Teardown;
  readonly progress?: (line: string) => void;
  /** A cloud assembly that is already synthesised. */
  readonly assemblyDir?: string;
}

/** A system whose tables are lost. */
export interface Drill {
  /**
   * Restores the tables to the moment with the commands of the page, and restarts the system. Tests restore only some
   * tables, or change the page: the drill must then report what is missing. Returns a sentence for each problem; empty
   * if the drill passes.
   */
  putBack(otherwise?: { readonly only?: readonly Restored[]; readonly page?: string }): Promise<string[]>;
}

/** A stream label in DynamoDB's format. The local emulator names every stream `local`. */
const streamLabel = '2026-01-01T00:00:00.000';
const timeoutMs = 60_000;

/** Runs a system, records its tables at a moment, continues it and then discards its tables. */
export async function beginDrill(options: DrillOptions): Promise<Drill> {
  const { teardown } = options;
  const folder = await mkdtemp(join(tmpdir(), 'restore-drill-'));
  teardown.add(() => rm(folder, { recursive: true, force: true }));
  const delivered: ReceivedDelivery[] = [];
  const receiver = await openReceiver({ port: 0, onDelivery: (one) => delivered.push(one) });
  teardown.add(() => receiver.close());
  const lost = await loseTables(folder, options, `${receiver.url}/hooks`, delivered, receiver.trust);
  return {
    putBack: async ({ only = stores, page = pageText('runbooks/restore.md') } = {}) =>
      checkRestored(
        lost,
        await followRunbook(page, lost),
        only,
        await mkdtemp(join(folder, 'restored-')),
        delivered,
        options,
      ),
  };
}

interface Lost {
  readonly dataDir: string;
  /** The tables as the templates describe them. */
  readonly tables: ReadonlyMap<string, Resource>;
  readonly names: Readonly<Record<Restored, string>>;
  /** The content of the tables at the moment to restore. */
  readonly moment: ReadonlyMap<Restored, readonly Record<string, unknown>[]>;
  readonly webhookId: number;
  /** The time of the moment, ISO 8601. */
  readonly momentAt: string;
  /** Ids of the bookings from before and after the moment. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

async function loseTables(
  folder: string,
  { teardown, progress = () => undefined, assemblyDir: asIs }: DrillOptions,
  targetUrl: string,
  delivered: readonly ReceivedDelivery[],
  trust: (secret: string) => void,
): Promise<Lost> {
  const dataDir = join(folder, 'data');
  progress('a business, a webhook, and a booking that is delivered');
  const tables = new Map<string, Resource>();
  const mutateTemplates = (all: readonly Template[]) => noteTables(all, tables);
  const first = await running(teardown, { dataDir, mutateTemplates, ...(asIs && { assemblyDir: asIs }) });
  const webhook = await first.call<{ id: number; secret: string }>('POST', '/webhooks', {
    targetUrl,
    events: ['booking.created'],
  });
  trust(webhook.body.secret);
  const before = await first.book();
  await until(() => delivered.length >= 1);
  await waitForDelivery(first, webhook.body.id);

  progress('the time to restore; after it, another booking; then the tables are lost');
  const moment = new Map<Restored, readonly Record<string, unknown>[]>();
  for (const store of stores) moment.set(store, await itemsOf(first.admin, store));
  const momentAt = new Date().toISOString();
  const after = await first.book();
  await until(() => delivered.length >= 2);
  const names = { records: first.admin.table('records'), deliveries: first.admin.table('deliveries') };
  await first.stop();
  return { dataDir, tables, names, moment, momentAt, webhookId: webhook.body.id, before, after };
}

/** A restored table: its name and properties by the commands. A restore copies no stream and no time to live. */
interface RestoredTable {
  readonly name: string;
  readonly set: Record<string, unknown>;
}

interface Walked {
  readonly tables: ReadonlyMap<Restored, RestoredTable>;
  readonly reconciles: boolean;
  /** The settings of the last deployment. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Runs the commands of the page in a simulated account that contains the lost tables, and records their effects. */
async function followRunbook(page: string, { names }: Pick<Lost, 'names'>): Promise<Walked> {
  const tables = new Map<Restored, RestoredTable>();
  const known = (words: readonly string[]) =>
    [...tables.values()].find(({ name }) => name === flag(words, 'table-name'));
  let settings = {};
  let reconciles = false;
  const operations: Readonly<Record<string, (words: readonly string[]) => string | undefined>> = {
    'describe-stacks': (words) => {
      const [, output = ''] = /OutputKey=='(\w+)TableName'/.exec(flag(words, 'query') ?? '') ?? [];
      return names[output.toLowerCase() as Restored];
    },
    'restore-table-to-point-in-time': (words) => {
      const store = stores.find((one) => names[one] === flag(words, 'source-table-name'));
      if (!store) throw new Error(`No table ${flag(words, 'source-table-name')} was lost.`);
      tables.set(store, { name: flag(words, 'target-table-name') ?? '', set: {} });
      return undefined;
    },
    'update-time-to-live': (words) => {
      const { Enabled, AttributeName } = shorthand(flag(words, 'time-to-live-specification'));
      Object.assign(known(words)?.set ?? {}, { TimeToLiveSpecification: { Enabled, AttributeName } });
      return undefined;
    },
    'update-table': (words) => {
      const { StreamViewType } = shorthand(flag(words, 'stream-specification'));
      if (StreamViewType) Object.assign(known(words)?.set ?? {}, { StreamSpecification: { StreamViewType } });
      return undefined;
    },
    'describe-table': () => streamLabel,
  };
  // The page uses the stage for production, and this machine runs a stage for development.
  const script = commandsOf(page, 'Restore', 'Switch').replaceAll(/(booking-|stage=)prod/g, '$1dev');
  await runCommands(script, {
    aws: ([, operation = '', ...words]) => operations[operation]?.(words),
    npx: ([, verb, ...words]) => {
      if (verb === 'deploy') settings = settingsIn(words);
      return undefined;
    },
    npm: (words) => {
      reconciles = words.includes('reconcile');
      return undefined;
    },
  });
  return { tables, reconciles, settings };
}

/** Continues with the restored data, in a separate copy. */
async function checkRestored(
  { dataDir: lostDir, tables, moment, momentAt, webhookId, before, after }: Lost,
  { tables: restored, reconciles, settings }: Walked,
  only: readonly Restored[],
  dataDir: string,
  delivered: readonly ReceivedDelivery[],
  { teardown, progress = () => undefined }: DrillOptions,
): Promise<string[]> {
  const found: string[] = [];
  const expect = (holds: boolean, sentence: string) => {
    progress(`${holds ? '✓' : '✗'} ${sentence}`);
    if (!holds) found.push(sentence);
  };
  progress('new tables, and stacks that use them, created by the commands of the runbook');
  await cp(lostDir, dataDir, { recursive: true });
  const assemblyDir = `${dataDir}-assembly`;
  const { stage: _, ...tableSettings } = settings;
  await synthesise(assemblyDir, { signal: new AbortController().signal, settings: tableSettings });
  const second = await running(
    teardown,
    { dataDir, assemblyDir, mutateTemplates: (all) => addRestoredTables(all, tables, restored) },
    async (admin, run) => {
      for (const store of only) await putAll(admin, store, moment.get(store) ?? []);
      if (reconciles) await reconcile(run, momentAt);
    },
  );
  try {
    const get = (path: string) => second.call<Record<string, unknown>>('GET', path);
    expect((await get('/business')).status === 200, 'an API key from before the restored time is accepted');
    expect((await get(`/bookings/${before}`)).status === 200, 'the booking from before the restored time exists');
    expect((await get(`/bookings/${after}`)).status === 404, 'the booking from after the restored time does not exist');
    const log = await get(`/webhooks/${webhookId}/deliveries`);
    const isKept = log.status === 200 && log.body.total === 1;
    expect(isKept, 'the webhook has the delivery records of the restored time');
    const earlier = delivered.length;
    const again = await second.book();
    // A lost webhook is not waited for.
    const arrived = isKept && (await until(() => delivered.length > earlier));
    expect(again !== undefined && arrived, 'a new booking reaches its receiver');
    expect(
      delivered.slice(earlier).every(({ signature }) => signature === 'valid'),
      'the message about the new booking is signed with the secret from before the restore',
    );
    const isNew = new Set(delivered.map(({ deliveryId }) => deliveryId)).size === delivered.length;
    expect(isNew, 'the message about the new booking has a delivery id that the receiver does not know');
    const page = await get(`/webhooks/${webhookId}/deliveries`);
    expect(page.body.total === 2, 'the webhook has a delivery record of the new booking');
  } finally {
    await second.stop();
  }
  return found;
}

/** Runs the command of the page with the tables of the run. */
async function reconcile(run: LocalRun, since: string): Promise<void> {
  const { region, credentials, endpoint } = adminClientOptions(run);
  const tables = Object.entries(run.resources.tables).map(([store, name]) => [`TABLE_${store.toUpperCase()}`, name]);
  const command = fileURLToPath(new URL('../bin/operate/reconcile.ts', import.meta.url));
  await promisify(execFile)(
    process.execPath,
    [command, '--stage', 'prod', '--since', since, '--until', new Date().toISOString()],
    {
      env: {
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        ...Object.fromEntries(tables),
      },
    },
  );
}

interface Running {
  readonly admin: Admin;
  call<T>(method: string, path: string, body?: unknown): Promise<JsonResponse<T>>;
  /** Books the first free start. Returns the booking's id if the API accepted it. */
  book(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** A running system with its demo business. `restore` fills its tables before the first request. */
async function running(
  teardown: Teardown,
  options: LocalOptions & { readonly dataDir: string },
  restore: (admin: Admin, run: LocalRun) => Promise<void> = async () => undefined,
): Promise<Running> {
  const starting = startLocal({ ...options, port: 0 });
  teardown.add(async () => (await starting).stop());
  const run = await starting;
  const admin = adminOf(run);
  await restore(admin, run);
  const seeded = () => seedDemo(admin, options.dataDir, Date.now());
  const { apiKey } = await seeded();
  const call = <T>(method: string, path: string, body?: unknown) =>
    callJson<T>(method, `${run.baseUrl}${integrationPrefix}${path}`, { headers: { 'X-API-Key': apiKey }, body });
  return {
    admin,
    call,
    book: async () => {
      const { free } = await seeded();
      const client = { name: 'Jane Doe', email: 'jane@example.com' };
      const { status, body } = await call<{ id: number }>('POST', '/bookings', { ...free, client });
      return status === 201 ? body.id : undefined;
    },
    stop: async () => {
      admin.db.destroy();
      await run.stop();
    },
  };
}

/** Records the templates' descriptions of the tables that will be restored. */
function noteTables(templates: readonly Template[], tables: Map<string, Resource>): void {
  for (const [id, resource] of templates.flatMap(({ resources }) => Object.entries(resources))) {
    if (resource.Type === 'AWS::DynamoDB::GlobalTable') tables.set(id, resource);
  }
}

/** The restored tables are in the account and in no template, so they are added to the stacks' resources here. */
function addRestoredTables(
  templates: readonly Template[],
  tables: ReadonlyMap<string, Resource>,
  restored: Walked['tables'],
): void {
  for (const { resources } of templates) {
    const named = JSON.parse(JSON.stringify(resources).replaceAll(`stream/${streamLabel}`, 'stream/local'));
    Object.assign(resources, named);
  }
  const [data] = templates;
  for (const [store, { name, set }] of restored) {
    const found = [...tables].find(([id]) => id.toLowerCase().includes(store));
    if (!data || !found) throw new Error(`The templates describe no table of ${store}.`);
    const { StreamSpecification: _, TimeToLiveSpecification: __, ...properties } = found[1].Properties ?? {};
    data.resources[`Restored${store}`] = { ...found[1], Properties: { ...properties, ...set, TableName: name } };
  }
}

async function itemsOf(admin: Admin, store: Restored): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of paginateScan(
    { client: admin.db },
    { TableName: admin.table(store), ConsistentRead: true },
  )) {
    items.push(...(page.Items ?? []));
  }
  return items;
}

/** Waits until the first delivery is recorded as delivered, so that nothing is under way at the moment. */
async function waitForDelivery({ call }: Running, webhookId: number): Promise<void> {
  await until(async () => {
    const { body } = await call<{ data: { deliveryStatus: string }[] }>('GET', `/webhooks/${webhookId}/deliveries`);
    return body.data[0]?.deliveryStatus === 'success';
  });
}

/** Whether the condition became true in time. */
async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(200)) if (await holds()) return true;
  return false;
}
