/**
 * `npm run bench -- delivery`: the cost of a delivery to a webhook that responds with 200. Compares the production
 * handler of the queue `deliveries`, with full batches, with two baselines. A naive handler makes four calls to
 * DynamoDB and a global `fetch` for each message. A bare loop signs and sends, and stores nothing. All send to the same
 * receiver on this machine and use the same DynamoDB emulator in the same run.
 *
 * Emulator and receiver on this machine cost processor time instead of waiting. The emulator costs more: a write takes
 * longer than a whole request to the receiver. In the cloud it is the other way round. So both are some milliseconds
 * away, by timers that are the same for all, and with recorded responses of DynamoDB (delivery/distant-store.ts).
 *
 * The bare loop gives no guarantee. Each guarantee is a step with its cost. First, the loop takes one batch at a time,
 * as a queue does. Then each connection belongs to one webhook, and leads to a checked address. Then webhook, record,
 * key and secret are read again. Last, each attempt is recorded before it is acknowledged, as in production
 * (docs/decisions/cost-of-a-delivery.md).
 *
 * Before anything is timed, each contender delivers the same events to a receiver that checks both signatures, and the
 * received messages and the records are compared.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { queues } from '../contract/system/queues.ts';
import { dynamo } from '../core/clients.ts';
import { deliveriesPerBatch } from '../core/deliveries/model/batch.ts';
import type { WebhookItem } from '../core/webhooks/registry/webhook.ts';
import { newSecret } from '../core/webhooks/sender/secret.ts';
import { connectFunctions, createTables, startDynamo } from '../test/support/dynamo.ts';
import { type RecordedCall, scriptDynamo } from '../test/support/scripted-dynamo.ts';
import { assertSameDeliveries } from './delivery/agreement.ts';
import {
  bareLoop,
  type Contender,
  naive,
  naiveTogether,
  ours,
  readsAndSends,
  senderAlone,
} from './delivery/baselines.ts';
import { type DistantStore, distantStore } from './delivery/distant-store.ts';
import { type Planned, plan, subscribe } from './delivery/planned.ts';
import type { Row } from './row.ts';
import { median, ratioOf, type Size, takeTurns, together } from './turns.ts';

interface Setting {
  /** The response times of DynamoDB and of the receiver in addition to those on this machine. */
  readonly storeMs: number;
  readonly receiverMs: number;
  readonly rounds: number;
  /** Deliveries per round; the naive handler gets fewer, because the results are per delivery. */
  readonly deliveries: number;
  readonly naively: number;
}

/** The number of deliveries in a full batch of full messages. */
const batchSize = queues.deliveries.batchSize * deliveriesPerBatch;

const sizes: Readonly<Record<Size, Setting>> = {
  full: { storeMs: 4, receiverMs: 30, rounds: 7, deliveries: 300, naively: 20 },
  tiny: { storeMs: 1, receiverMs: 1, rounds: 1, deliveries: 4, naively: 2 },
};

/** The number of webhooks, each of its own business: a batch is mixed, as in a queue. */
const webhookCount = 10;

/** The rows about deliveries. Takes about two minutes. */
export async function bench(size: Size): Promise<Row[]> {
  const emulator = await startDynamo();
  await createTables(emulator.endpoint);
  connectFunctions(emulator.endpoint);
  Object.assign(process.env, { ALLOW_LOOPBACK_TARGETS: 'true', QUEUE_RETRIES: 'http://127.0.0.1:9/retries' });
  process.env.METRICS_NAMESPACE = 'bench';
  const receiver = new Worker(new URL('./receiver-thread.ts', import.meta.url));
  const [port] = (await once(receiver, 'message')) as [number];
  const store = await distantStore(dynamo());
  const secretOf = new Map<number, string>();
  const bare = bareLoop(secretOf);
  try {
    const calls = scriptDynamo([], { attempts: true }).calls;
    await assertSameDeliveries([ours, naive, naiveTogether]);
    const contenders = {
      ours,
      naive,
      naiveTogether,
      bare: bare.rolling,
      inBatches: bare.inBatches,
      sender: senderAlone(secretOf),
      reading: readsAndSends,
    };
    const setting = sizes[size];
    const secret = newSecret();
    const webhooks = await together([...Array(webhookCount).keys()], 4, (i) =>
      subscribe(`http://127.0.0.1:${port}/hooks/${i}?after=${setting.receiverMs}`, secret),
    );
    for (const { id } of webhooks) secretOf.set(id, secret);
    return await compare(setting, contenders, webhooks, calls, store);
  } finally {
    await Promise.all([bare.close(), store.close()]);
    await receiver.terminate();
    dynamo().destroy();
    await emulator.stop();
  }
}

type ContenderName = 'ours' | 'naive' | 'naiveTogether' | 'bare' | 'inBatches' | 'sender' | 'reading';

/**
 * The steps from the bare loop to the production handler: each does what the previous step does, and one thing more.
 */
const steps: readonly (readonly [ContenderName, string])[] = [
  ['bare', 'bare loop'],
  ['inBatches', 'plus batches'],
  ['sender', 'plus a connection per webhook to a checked address'],
  ['reading', 'plus reading webhooks and events'],
  ['ours', 'plus delivery records: ours'],
];
async function compare(
  setting: Setting,
  contenders: Readonly<Record<ContenderName, Contender>>,
  webhooks: readonly WebhookItem[],
  calls: RecordedCall[],
  store: DistantStore,
): Promise<Row[]> {
  const { storeMs, receiverMs, rounds } = setting;
  const callsOf = new Map<string, number>();
  const countOf = (name: string) => (name === 'naive' ? setting.naively : setting.deliveries);
  let planned: Planned[] = [];
  const times = await takeTurns(
    Object.entries(contenders).map(([name, contender]) => ({
      name,
      prepare: async () => {
        await store.pass();
        planned = await plan(webhooks, countOf(name));
        store.listen();
        await contender(planned, batchSize);
        await store.repeat(storeMs);
        calls.length = 0;
      },
      run: async () => {
        await contender(planned, batchSize);
        callsOf.set(name, calls.length / countOf(name));
      },
    })),
    rounds,
  );
  await store.pass();

  const each = new Map([...times].map(([name, wall]) => [name, wall.map((ms) => ms / countOf(name))]));
  const relative = (other: ContenderName) => ratioOf(each, other, 'ours');
  const distance = `DynamoDB ${storeMs} ms and receiver ${receiverMs} ms away`;
  const named = (what: string) => `delivery, batches of ${batchSize}, ${distance}: ${what}`;
  const speed = (what: string, contender: ContenderName): Row => ({
    name: named(what),
    value: 1_000 / median(each.get(contender) ?? []),
    unit: 'deliveries/s',
  });
  const ofBare = relative('bare');
  const ofBatch = relative('naiveTogether');
  const oursCalls = callsOf.get('ours') ?? Number.NaN;
  return [
    {
      ...speed('ours', 'ours'),
      ratio: `${ofBare.toFixed(2)} of the bare loop`,
      goal: '≥ 0.5 of the bare loop',
      met: ofBare >= 0.5,
    },
    { ...speed('naive, one message at a time', 'naive'), ratio: `ours is ${relative('naive').toFixed(1)} ×` },
    {
      ...speed('naive, a batch at a time', 'naiveTogether'),
      ratio: `ours is ${ofBatch.toFixed(1)} ×`,
      goal: 'ours ≥ 3 ×',
      met: ofBatch >= 3,
    },
    speed('bare loop, which only signs and sends', 'bare'),
    ...stepCosts(each, named),
    { name: named('ours'), value: oursCalls, unit: 'DynamoDB calls a delivery', goal: '≤ 0.1', met: oursCalls <= 0.1 },
    { name: named('naive'), value: callsOf.get('naive') ?? Number.NaN, unit: 'DynamoDB calls a delivery' },
  ];
}

/** The time of a batch at each step, and its difference from the step before. */
function stepCosts(each: ReadonlyMap<string, readonly number[]>, named: (what: string) => string): Row[] {
  const batchMs = steps.map(([contender]) => median(each.get(contender) ?? []) * batchSize);
  return steps.map(([, what], i) => {
    const value = batchMs[i] ?? Number.NaN;
    const more = value - (batchMs[i - 1] ?? value);
    return { name: named(`step: ${what}`), value, unit: 'ms a batch', ...(i > 0 && { ratio: signedMs(more) }) };
  });
}

function signedMs(ms: number): string {
  return `${ms < 0 ? '−' : '+'} ${Math.abs(ms).toFixed(0)} ms`;
}
