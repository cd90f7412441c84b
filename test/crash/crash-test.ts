/**
 * Crash tests: a local run is killed at random moments under load, with its DynamoDB emulator and all its threads, and
 * restarted with the same data folder. Acknowledged changes must exist afterwards, and all work is completed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Tenant } from '../../local/demo.ts';
import { openReceiver, type ReceivedDelivery } from '../../local/webhook-receiver.ts';
import { Random } from '../simulation/random.ts';
import { Caller } from './caller.ts';
import { Integrator } from './integrator.ts';
import { type Received, violationsOf } from './judge.ts';
import type { VictimOptions, VictimReady } from './victim.ts';

export interface CrashTestOptions {
  readonly kills: number;
  readonly seed: number;
  readonly assemblyDir: string;
  /** Injected bugs, in the form for `wrapHandlers`. Default: none. */
  readonly wrappers?: Readonly<Record<string, string>>;
  /** Resolves with its name when the next kill is due. Default: a random moment of the work. */
  readonly moment?: () => Promise<string>;
  /** The time for completing the work after the last start. Default: half a minute. */
  readonly settleMs?: number;
  readonly progress?: (line: string) => void;
}

export interface CrashTestReport {
  readonly booked: number;
  readonly cancelled: number;
  readonly refused: number;
  /** Calls that a kill aborted. Each was repeated with its Idempotency-Key. */
  readonly brokenOff: number;
  readonly deliveries: number;
  readonly violations: readonly string[];
}

const victim = fileURLToPath(new URL('./victim.ts', import.meta.url));
const compileCache = fileURLToPath(new URL('../../.build/compile-cache', import.meta.url));
const integrators = 5;
/** Several keys, because each may make only sixty requests a minute. */
const keysPerIntegrator = 8;
const webhooks = 2;
/**
 * The event after which a kill follows, with its maximum delay. So kills happen in the middle of changes, plans and
 * deliveries, however slow the machine is.
 */
const moments = [
  { first: 'a change', withinMs: 600 },
  { first: 'a delivery', withinMs: 200 },
] as const;

export async function crashTest(options: CrashTestOptions): Promise<CrashTestReport> {
  const folder = await mkdtemp(join(tmpdir(), 'crash-'));
  const received: Messages = Object.assign([], { onMore: () => undefined });
  const receivers = await Promise.all(
    Array.from({ length: webhooks }, () =>
      openReceiver({
        port: 0,
        onDelivery: (delivery) => {
          received.push(receivedBy(delivery));
          received.onMore();
        },
      }),
    ),
  );
  const victims = new Victims({
    dataDir: join(folder, 'data'),
    assemblyDir: options.assemblyDir,
    wrappers: options.wrappers ?? {},
  });
  try {
    const targets = receivers.map(({ url }, i) => `${url}/hooks/${i}`);
    return await run(options, victims, targets, received);
  } finally {
    await victims.kill();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** The messages that receivers got, and a callback for the next. */
type Messages = Received[] & { onMore: () => void };

function next(received: Messages): Promise<void> {
  return new Promise((resolve) => {
    received.onMore = resolve;
  });
}

function receivedBy({ path, event, rawBody }: ReceivedDelivery): Received {
  return { path, event, bookingId: JSON.parse(rawBody.toString()).data.bookingId };
}

async function run(
  { kills: count, seed, moment, settleMs = 120_000, progress = () => undefined }: CrashTestOptions,
  victims: Victims,
  targets: readonly string[],
  received: Messages,
): Promise<CrashTestReport> {
  const random = new Random(seed, 'kills');
  const { tenant, keys } = await victims.first(integrators * keysPerIntegrator);
  const caller = new Caller(() => victims.ready);
  const owner = { caller, keys };

  const hooks = await Promise.all(
    targets.map((targetUrl) =>
      caller.call<{ id: number }>(keys[0] ?? '', 'POST', '/webhooks', {
        targetUrl,
        events: ['booking.created', 'booking.cancelled'],
      }),
    ),
  );
  const offered = await offeredBy(owner, tenant);
  const crowd = Array.from({ length: integrators }, (_, i) => {
    const own = keys.slice(i * keysPerIntegrator, (i + 1) * keysPerIntegrator);
    return new Integrator({ caller, keys: own, random: new Random(seed, `integrator ${i}`), offered });
  });
  const working = crowd.map((one) => one.work());

  for (let nth = 1; nth <= count; nth++) {
    const when = await (moment ? moment() : randomMoment(random, caller, received));
    await victims.kill();
    victims.start();
    progress(`kill ${nth} of ${count}, ${when}: ${caller.answered} calls were answered so far`);
  }
  for (const one of crowd) one.stop();
  await Promise.all(working);

  const bookings = crowd.flatMap((one) => [...one.bookings]);
  const judged = {
    ...owner,
    tenant,
    offered,
    bookings,
    webhookIds: hooks.map(({ body }) => body.id),
    targets,
    received,
  };
  const { violations, deliveries } = await violationsOf(judged, settleMs);
  return {
    booked: bookings.length,
    cancelled: bookings.filter(({ status }) => status === 'cancelled').length,
    refused: crowd.reduce((sum, { refused }) => sum + refused, 0),
    brokenOff: caller.brokenOff,
    deliveries,
    violations,
  };
}

/** Resolves with its description after the first such event since the call. */
async function randomMoment(random: Random, caller: Caller, received: Messages): Promise<string> {
  const { first, withinMs } = random.pick(moments);
  const afterMs = random.below(withinMs);
  await (first === 'a change' ? caller.changesAgain() : next(received));
  await pause(afterMs);
  return `${afterMs} ms after ${first}`;
}

/** All slots of the first service, of each staff member, in the weeks of one call. */
async function offeredBy({ caller, keys }: { caller: Caller; keys: readonly string[] }, tenant: Tenant) {
  const serviceId = tenant.services[0]?.id ?? 0;
  const [from, to] = [1, 14].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  const path = `/slots?serviceId=${serviceId}&from=${from}&to=${to}`;
  const { body } = await caller.call<{ data: readonly Offered[] }>(keys[1] ?? '', 'GET', path);
  return { path, slots: body.data };
}

export interface Offered {
  readonly serviceId: number;
  readonly staffId: number;
  readonly startTime: string;
  readonly endTime: string;
}

/** The local run, and the one that is started after each kill. */
class Victims {
  readonly #options: Omit<VictimOptions, 'newKeys'>;
  #child: ChildProcess | undefined;
  #ready: Promise<VictimReady> = Promise.reject(new Error('Nothing was started'));

  constructor(options: Omit<VictimOptions, 'newKeys'>) {
    this.#options = options;
    this.#ready.catch(() => undefined);
  }

  /** Resolves with the address of the run when it responds. */
  get ready(): Promise<VictimReady> {
    return this.#ready;
  }

  async first(newKeys: number): Promise<{ tenant: Tenant; keys: readonly string[] }> {
    this.start(newKeys);
    const { tenant, keys } = await this.#ready;
    if (!tenant) throw new Error('The local run made no business.');
    return { tenant, keys };
  }

  start(newKeys = 0): void {
    const options: VictimOptions = { ...this.#options, newKeys };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', victim, JSON.stringify(options)], {
      // The local run ends when its stdin ends: the system closes this pipe even if this process is killed.
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
      // It has its own process group, so that its emulator dies at the same time.
      detached: true,
    });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    this.#child = child;
    this.#ready = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
      child.once('close', () => reject(new Error(`The local run ended before it was ready: ${output.trim()}`)));
    });
    this.#ready.catch(() => undefined);
  }

  /** Sends SIGKILL to all its processes at once. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child ?? {};
    if (!this.#child || pid === undefined || exitCode !== null || signalCode !== null) return;
    const closed = new Promise((resolve) => this.#child?.once('close', resolve));
    process.kill(-pid, 'SIGKILL');
    await closed;
  }
}
