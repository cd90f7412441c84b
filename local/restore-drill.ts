/**
 * The drill of docs/runbooks/restore.md on one machine. The commands of the page run as they are written: what the tables
 * held at a moment goes into the tables that they restore, with the properties that they set; the stacks are synthesised with
 * the settings that they deploy, and the system must go on as it was at that moment.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { integrationPrefix } from '../contract/prefixes.ts';
import type { Resource, Template } from '../packages/local-cloud/src/templates.ts';
import { type Admin, adminOf } from './admin.ts';
import { commandsOf, flag, pageText, runCommands, settingsIn, shorthand } from './page-commands.ts';
import { seedDemo } from './seed-demo.ts';
import { type LocalOptions, startLocal } from './start-local.ts';
import { synthesise } from './synthesis.ts';
import { openReceiver, type ReceivedDelivery } from './webhook-receiver.ts';

/** The tables that are put back together. */
const stores = ['records', 'deliveries'] as const;
type Restored = (typeof stores)[number];

interface DrillOptions {
  readonly progress?: (line: string) => void;
  /** The stacks as they are, when they are synthesised already. */
  readonly assemblyDir?: string;
}

/** A system that has lost its tables. */
export interface Drill {
  /**
   * Puts tables back to the moment and lets the system go on: all of them by the page, or in tests a part, or by another
   * page, and then the drill must find what is missing. Returns what was not as it should be, as sentences: nothing when the
   * drill passes.
   */
  putBack(otherwise?: { readonly only?: readonly Restored[]; readonly page?: string }): Promise<string[]>;
  /** Leaves nothing behind. */
  end(): Promise<void>;
}

/** As DynamoDB writes the label of a stream. The local emulator calls every stream `local`. */
const streamLabel = '2026-01-01T00:00:00.000';
const patienceMs = 60_000;
/** DynamoDB's limit of one BatchWriteItem. */
const itemsPerCall = 25;

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** Lets a system work, notes what it holds at a moment, lets it go on and takes its tables for lost. */
export async function beginDrill(options: DrillOptions = {}): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'restore-drill-'));
  const delivered: ReceivedDelivery[] = [];
  const receiver = await openReceiver({ port: 0, onDelivery: (one) => delivered.push(one) });
  const end = async () => {
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const lost = await lose(folder, options, `${receiver.url}/hooks`, delivered, receiver.trust);
    return {
      putBack: async ({ only = stores, page = pageText('runbooks/restore.md') } = {}) =>
        goOn(
          lost,
          await walked(page, lost),
          only,
          await mkdtemp(join(folder, 'restored-')),
          delivered,
          options.progress,
        ),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Lost {
  readonly dataDir: string;
  /** How the templates describe the tables. */
  readonly tables: ReadonlyMap<string, Resource>;
  readonly names: Readonly<Record<Restored, string>>;
  /** What the tables held at the moment to go back to. */
  readonly moment: ReadonlyMap<Restored, readonly Record<string, unknown>[]>;
  readonly webhookId: number;
  /** Ids of the bookings that were made before the moment, and after it. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

async function lose(
  folder: string,
  { progress = () => undefined, assemblyDir: asIs }: DrillOptions,
  targetUrl: string,
  delivered: readonly ReceivedDelivery[],
  trust: (secret: string) => void,
): Promise<Lost> {
  const dataDir = join(folder, 'data');
  progress('a business, a webhook, and a booking that is delivered');
  const tables = new Map<string, Resource>();
  const mutateTemplates = (all: readonly Template[]) => noteTables(all, tables);
  const first = await running({ dataDir, mutateTemplates, ...(asIs && { assemblyDir: asIs }) });
  const webhook = await first.call<{ id: number; secret: string }>('POST', '/webhooks', {
    targetUrl,
    events: ['booking.created'],
  });
  trust(webhook.body.secret);
  const before = await first.book();
  await until(() => delivered.length >= 1);
  await settled(first, webhook.body.id);

  progress('the moment to go back to; then another booking, and the tables are taken for lost');
  const moment = new Map<Restored, readonly Record<string, unknown>[]>();
  for (const store of stores) moment.set(store, await itemsOf(first.admin, store));
  const after = await first.book();
  await until(() => delivered.length >= 2);
  const names = { records: first.admin.table('records'), deliveries: first.admin.table('deliveries') };
  await first.stop();
  return { dataDir, tables, names, moment, webhookId: webhook.body.id, before, after };
}

/** A restored table: what the commands called it, and what they gave it. A restore brings no stream and no time to live. */
interface RestoredTable {
  readonly name: string;
  readonly set: Record<string, unknown>;
}

interface Walked {
  readonly tables: ReadonlyMap<Restored, RestoredTable>;
  /** What the last deployment was given. */
  readonly given: Readonly<Record<string, string>>;
}

/** Runs the commands of the page in an account that knows the lost tables, and notes what they do to it. */
async function walked(page: string, { names }: Pick<Lost, 'names'>): Promise<Walked> {
  const tables = new Map<Restored, RestoredTable>();
  const known = (words: readonly string[]) =>
    [...tables.values()].find(({ name }) => name === flag(words, 'table-name'));
  let given = {};
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
  // The page is written for production, and this machine runs a stage for development.
  const script = commandsOf(page, 'Restore', 'Switch').replaceAll(/(booking-|stage=)prod/g, '$1dev');
  await runCommands(script, {
    aws: ([, operation = '', ...words]) => operations[operation]?.(words),
    npx: ([, verb, ...words]) => {
      if (verb === 'deploy') given = settingsIn(words);
      return undefined;
    },
  });
  return { tables, given };
}

/** From what was lost, in a copy of its own. */
async function goOn(
  { dataDir: lostDir, tables, moment, webhookId, before, after }: Lost,
  { tables: restored, given }: Walked,
  only: readonly Restored[],
  dataDir: string,
  delivered: readonly ReceivedDelivery[],
  progress: (line: string) => void = () => undefined,
): Promise<string[]> {
  const found: string[] = [];
  const expect = (holds: boolean, sentence: string) => {
    progress(`${holds ? '✓' : '✗'} ${sentence}`);
    if (!holds) found.push(sentence);
  };
  progress('new tables, and stacks that use them, by the commands of the page');
  await cp(lostDir, dataDir, { recursive: true });
  const assemblyDir = `${dataDir}-assembly`;
  const { stage: _, ...tablesGiven } = given;
  await synthesise(assemblyDir, { signal: new AbortController().signal, given: tablesGiven });
  const second = await running(
    { dataDir, assemblyDir, mutateTemplates: (all) => standBeside(all, tables, restored) },
    async (admin) => {
      for (const store of only) await putAll(admin, store, moment.get(store) ?? []);
    },
  );
  try {
    const get = (path: string) => second.call<Record<string, unknown>>('GET', path);
    expect((await get('/business')).status === 200, 'the key of before is accepted');
    expect((await get(`/bookings/${before}`)).status === 200, 'what was booked before the moment is there');
    expect((await get(`/bookings/${after}`)).status === 404, 'what was booked after it is not');
    const log = await get(`/webhooks/${webhookId}/deliveries`);
    expect(log.status === 200 && log.body.total === 1, 'the log of the webhook is that of the moment');
    const earlier = delivered.length;
    const again = await second.book();
    // A webhook that is lost is not waited for.
    const arrived = log.status === 200 && (await until(() => delivered.length > earlier, patienceMs / 4));
    expect(again !== undefined && arrived, 'a new booking reaches its receiver');
    expect(
      delivered.slice(earlier).every(({ signature }) => signature === 'valid'),
      'and is signed with the secret of before',
    );
    const page = await get(`/webhooks/${webhookId}/deliveries`);
    expect(page.body.total === 2, 'and is the next in the log');
  } finally {
    await second.stop();
  }
  return found;
}

interface Running {
  readonly admin: Admin;
  call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** Books the first free start. The booking's id, if the API took it. */
  book(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** A started system with its demo business. `restore` fills its tables before anybody looks at them. */
async function running(
  options: LocalOptions & { readonly dataDir: string },
  restore: (admin: Admin) => Promise<void> = async () => undefined,
): Promise<Running> {
  const run = await startLocal({ ...options, port: 0 });
  const admin = adminOf(run);
  await restore(admin);
  const seeded = () => seedDemo(admin, options.dataDir, Date.now());
  const { apiKey } = await seeded();
  const call = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(`${run.baseUrl}${integrationPrefix}${path}`, {
      method,
      headers: { 'X-API-Key': apiKey, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as T };
  };
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

/** Keeps how the templates describe the tables that will be restored. */
function noteTables(templates: readonly Template[], tables: Map<string, Resource>): void {
  for (const [id, resource] of templates.flatMap(({ resources }) => Object.entries(resources))) {
    if (resource.Type === 'AWS::DynamoDB::GlobalTable') tables.set(id, resource);
  }
}

/** The restored tables are in the account and in no template: here they stand beside what the stacks describe. */
function standBeside(
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
    const { StreamSpecification: _, TimeToLiveSpecification: __, ...kept } = found[1].Properties ?? {};
    data.resources[`Restored${store}`] = { ...found[1], Properties: { ...kept, ...set, TableName: name } };
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

async function putAll(admin: Admin, store: Restored, items: readonly Record<string, unknown>[]): Promise<void> {
  for (let from = 0; from < items.length; from += itemsPerCall) {
    const puts = items.slice(from, from + itemsPerCall).map((Item) => ({ PutRequest: { Item } }));
    await admin.db.send(new BatchWriteCommand({ RequestItems: { [admin.table(store)]: puts } }));
  }
}

/** Until the first delivery is on record as delivered, so that the moment is a quiet one. */
async function settled({ call }: Running, webhookId: number): Promise<void> {
  await until(async () => {
    const { body } = await call<{ data: { deliveryStatus: string }[] }>('GET', `/webhooks/${webhookId}/deliveries`);
    return body.data[0]?.deliveryStatus === 'success';
  });
}

/** Whether it came true in time. */
async function until(holds: () => boolean | Promise<boolean>, withinMs = patienceMs): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await delay(200)) if (await holds()) return true;
  return false;
}
