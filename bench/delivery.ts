/**
 * `npm run bench -- delivery`: what it takes to deliver a webhook that answers 200 (design §6). Ours is the production
 * handler of the queue `deliveries`, fed with full batches; beside it a naive handler, which makes four calls to DynamoDB
 * and a global `fetch` for each message, and a bare loop, which signs and sends and keeps nothing. All send to the same
 * receiver on this machine and speak to the same local engine in the same run.
 *
 * Engine and receiver on this machine cost processor time and no waiting, and the engine's share of it is the larger one:
 * every item read or written costs it about as much as a whole request costs the receiver. In the cloud it is the other
 * way round. So all is measured a second time with both some milliseconds away, by timers that are the same for all.
 *
 * Before anything is timed each party delivers the same events to a receiver that checks both signatures, and what
 * arrived and what is on record is compared.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { BatchWriteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { Pool } from 'undici';
import { events as eventRows } from '../contract/events.ts';
import { queues } from '../contract/queues.ts';
import { dynamo } from '../core/clients.ts';
import { newId, now, timestamp } from '../core/clock.ts';
import { deliver } from '../core/deliveries/deliver.ts';
import { deliveryId } from '../core/deliveries/delivery-id.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../core/deliveries/messages.ts';
import { newHead } from '../core/deliveries/records.ts';
import type { Event } from '../core/events/event.ts';
import { consumer } from '../core/queue/consumer.ts';
import { deliveries, records, secrets } from '../core/table-keys.ts';
import { eventBody } from '../core/webhooks/message.ts';
import { newSecret } from '../core/webhooks/secret.ts';
import { send } from '../core/webhooks/sender.ts';
import { signedHeaders } from '../core/webhooks/signature.ts';
import type { WebhookItem } from '../core/webhooks/webhook.ts';
import { handler } from '../functions/queues/deliver-webhook.ts';
import { openReceiver } from '../local/webhook-receiver.ts';
import { countCalls } from '../test/support/count-calls.ts';
import { connectFunctions, createTables, startDynamo, tableName } from '../test/support/dynamo.ts';
import type { Row } from './row.ts';
import { median, ratioOf, type Size, takeTurns, together } from './turns.ts';

interface Setting {
  readonly batchSize: number;
  /** How long DynamoDB takes to answer a call, and the receiver a request, beyond what they take on this machine. */
  readonly storeMs: number;
  readonly receiverMs: number;
  readonly rounds: number;
  /** Deliveries a turn; the naive handler gets fewer, because all is reckoned by delivery. */
  readonly deliveries: number;
  readonly naively: number;
}

const { batchSize } = queues.deliveries;
const here = { storeMs: 0, receiverMs: 0 };
const away = { storeMs: 4, receiverMs: 30 };

const sizes: Readonly<Record<Size, readonly Setting[]>> = {
  full: [
    { ...here, batchSize, rounds: 7, deliveries: 300, naively: 100 },
    { ...here, batchSize: 100, rounds: 7, deliveries: 300, naively: 100 },
    { ...away, batchSize, rounds: 5, deliveries: 100, naively: 20 },
    { ...away, batchSize: 100, rounds: 5, deliveries: 300, naively: 20 },
  ],
  tiny: [{ storeMs: 1, receiverMs: 1, batchSize, rounds: 1, deliveries: 20, naively: 10 }],
};

/** Webhooks of as many businesses: a batch is a mixture, as it is in a queue. */
const webhookCount = 10;

const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'bench' } as Context;

/** One delivery as all parties know it. */
interface Planned {
  readonly webhook: WebhookItem;
  readonly event: Event;
  readonly number: number;
}

interface Subscriber {
  readonly webhook: WebhookItem;
  readonly secret: string;
}

async function subscribe(targetUrl: string, secret: string): Promise<Subscriber> {
  const [businessId, keyId, id] = [newId(), newId(), newId()];
  const at = timestamp(now());
  const webhook: WebhookItem = {
    ...deliveries.webhook(businessId, keyId, id),
    id,
    businessId,
    keyId,
    targetUrl,
    events: ['booking.created'],
    description: '',
    status: 'active',
    consecutiveFailures: 0,
    lastTriggeredAt: null,
    createdAt: at,
    updatedAt: at,
    lastNumber: 0,
  };
  const key = { ...records.key(businessId, keyId), id: keyId, businessId, status: 'active' };
  await put('records', key);
  await put('deliveries', webhook);
  await put('secrets', { ...secrets.signing(id), secret });
  return { webhook, secret };
}

async function put(store: 'records' | 'deliveries' | 'secrets', Item: object): Promise<void> {
  await dynamo().send(new PutCommand({ TableName: tableName(store), Item }));
}

/** Planned as `plan-deliveries` leaves it: a pending record each. */
async function plan(subscribers: readonly Subscriber[], count: number): Promise<Planned[]> {
  const planned = Array.from({ length: count }, (_, i): Planned => {
    const { webhook } = subscribers[i % subscribers.length] ?? fail();
    numbers.set(webhook.id, (numbers.get(webhook.id) ?? 0) + 1);
    const { businessId } = webhook;
    const data = eventRows['booking.created'].example;
    const event = { id: newId(), businessId, name: 'booking.created', occurredAt: timestamp(now()), data } as Event;
    return { webhook, event, number: numbers.get(webhook.id) ?? 0 };
  });
  const heads = planned.map(({ webhook, event, number }) => newHead(event, webhook, number, now()));
  await together(batches(heads, 25), 4, (items) =>
    dynamo().send(
      new BatchWriteCommand({
        RequestItems: { [tableName('deliveries')]: items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    ),
  );
  return planned;
}

/** The number of the last record of each webhook. */
const numbers = new Map<number, number>();

function fail(): never {
  throw new Error('There are subscribers');
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Delivers all of them, a batch at a time, as one container does. */
type Party = (planned: readonly Planned[], batchSize: number) => Promise<void>;

function fromQueue(handle: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>): Party {
  return async (planned, batchSize) => {
    for (const batch of batches(planned, batchSize)) {
      const Records = batch.map(({ webhook, number }) => {
        const { businessId, keyId, id: webhookId } = webhook;
        const message: DeliveryMessage = { businessId, keyId, webhookId, number, attempt: 1, dueAt: 0 };
        return { messageId: `${webhookId} ${number}`, body: JSON.stringify(message) };
      });
      const answer = await handle({ Records } as unknown as SQSEvent, context);
      deepStrictEqual(answer, { batchItemFailures: [] });
    }
  };
}

const ours = fromQueue(handler);

/** Ours with a receiver that costs nothing. */
const storageAlone = fromQueue(
  consumer(parseDeliveryMessage, (messages, time) =>
    deliver(messages, time, async () => ({ kind: 'answered', status: 200, body: '', timeMs: 1 })),
  ),
);

function naiveBody({ webhook, event, number }: Planned): string {
  return eventBody({ ...event, deliveryId: deliveryId(webhook.id, number), event: event.name });
}

/** The webhook, its secret, the request, the record, the webhook again. */
async function deliverNaively(planned: Planned): Promise<void> {
  const { pk, sk } = planned.webhook;
  const webhook = (await dynamo().send(new GetCommand({ TableName: tableName('deliveries'), Key: { pk, sk } })))
    .Item as WebhookItem;
  const { Item: signing } = await dynamo().send(
    new GetCommand({ TableName: tableName('secrets'), Key: secrets.signing(webhook.id) }),
  );
  const id = deliveryId(webhook.id, planned.number);
  const body = naiveBody(planned);
  const sentAt = now();
  const { name: event } = planned.event;
  const response = await fetch(webhook.targetUrl, {
    method: 'POST',
    headers: signedHeaders({ secret: signing?.secret, deliveryId: id, event, body, sentAt }),
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  const responseBody = await response.text();
  await put('deliveries', {
    ...deliveries.record(webhook.id, planned.number),
    id: planned.number,
    event,
    deliveryId: id,
    responseStatusCode: response.status,
    responseTimeMs: now() - sentAt,
    deliveryStatus: response.ok ? 'success' : 'failed',
    attemptNumber: 1,
    responseBody,
    createdAt: timestamp(sentAt),
  });
  await dynamo().send(
    new UpdateCommand({
      TableName: tableName('deliveries'),
      Key: { pk, sk },
      UpdateExpression: 'SET lastTriggeredAt = :at, consecutiveFailures = :zero',
      ExpressionAttributeValues: { ':at': timestamp(sentAt), ':zero': 0 },
    }),
  );
}

const naive: Party = async (planned) => {
  for (const one of planned) await deliverNaively(one);
};

const naiveTogether: Party = async (planned, batchSize) => {
  for (const batch of batches(planned, batchSize)) await Promise.all(batch.map(deliverNaively));
};

/** Signs and sends over connections that stay open; as many requests at a time as a batch has. */
function bareLoop(secretOf: ReadonlyMap<number, string>): Party & { close(): Promise<void> } {
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string) => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 100 });
    pools.set(origin, pool);
    return pool;
  };
  const party: Party = async (planned, batchSize) => {
    await together(planned, batchSize, async (one) => {
      const { origin, pathname, search } = new URL(one.webhook.targetUrl);
      const body = naiveBody(one);
      const id = deliveryId(one.webhook.id, one.number);
      const secret = secretOf.get(one.webhook.id) ?? fail();
      const headers = signedHeaders({ secret, deliveryId: id, event: one.event.name, body, sentAt: now() });
      const response = await poolOf(origin).request({ method: 'POST', path: pathname + search, headers, body });
      await response.body.dump();
      deepStrictEqual(response.statusCode, 200);
    });
  };
  const close = async () => {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  };
  return Object.assign(party, { close });
}

/** The guarded sender and the signatures of ours, without its storage. */
function senderAlone(secretOf: ReadonlyMap<number, string>): Party {
  return async (planned, batchSize) => {
    for (const batch of batches(planned, batchSize)) {
      const outcomes = await Promise.all(
        batch.map((one) => {
          const body = naiveBody(one);
          const secret = secretOf.get(one.webhook.id) ?? fail();
          const id = deliveryId(one.webhook.id, one.number);
          const headers = signedHeaders({ secret, deliveryId: id, event: one.event.name, body, sentAt: now() });
          return send({ url: one.webhook.targetUrl, headers, body });
        }),
      );
      deepStrictEqual(new Set(outcomes.map((one) => one.kind === 'answered' && one.status)), new Set([200]));
    }
  };
}

/** Every delivery arrives once, with both signatures valid and its own body, and is on record as a success. */
async function assertSameDeliveries(parties: readonly { party: Party; records: boolean }[]): Promise<void> {
  const secret = newSecret();
  const arrived: object[] = [];
  const receiver = await openReceiver({
    port: 0,
    secret,
    fail: 0,
    onDelivery: ({ deliveryId, signature, standardWebhooks, answered, rawBody }) =>
      arrived.push({ deliveryId, signature, standardWebhooks, answered, body: rawBody.toString() }),
  });
  const subscriber = await subscribe(`${receiver.url}/hooks`, secret);
  for (const { party, records: keepsRecords } of parties) {
    arrived.length = 0;
    const planned = await plan([subscriber], 4);
    await party(planned, 2);
    const sorted = arrived.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    const expected = planned
      .map((one) => ({
        deliveryId: deliveryId(one.webhook.id, one.number),
        signature: 'valid',
        standardWebhooks: 'valid',
        answered: 200,
        body: naiveBody(one),
      }))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    deepStrictEqual(sorted, expected);
    for (const { webhook, number } of keepsRecords ? planned : []) {
      const { Item } = await dynamo().send(
        new GetCommand({ TableName: tableName('deliveries'), Key: deliveries.record(webhook.id, number) }),
      );
      deepStrictEqual([Item?.deliveryStatus, Item?.responseStatusCode, Item?.attemptNumber], ['success', 200, 1]);
    }
  }
  await receiver.close();
}

/** From here on DynamoDB's answers are on their way for so long. */
function delayStore(): { ms: number } {
  const delay = { ms: 0 };
  dynamo().middlewareStack.add(
    (next) => async (args) => {
      if (delay.ms > 0) await pause(delay.ms);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'delayStore' },
  );
  return delay;
}

/** The rows of design §6 about deliveries. Takes about two minutes. */
export async function deliveryBench(size: Size = 'full'): Promise<Row[]> {
  const engine = await startDynamo();
  await createTables(engine.endpoint);
  connectFunctions(engine.endpoint);
  Object.assign(process.env, { ALLOW_LOOPBACK_TARGETS: 'true', QUEUE_RETRIES: 'http://127.0.0.1:9/retries' });
  const receiver = new Worker(new URL('./receiver-thread.ts', import.meta.url));
  const secretOf = new Map<number, string>();
  const bare = bareLoop(secretOf);
  try {
    const [port] = (await once(receiver, 'message')) as [number];
    const calls = countCalls(dynamo());
    const delay = delayStore();
    await assertSameDeliveries([
      { party: ours, records: true },
      { party: naive, records: true },
      { party: naiveTogether, records: true },
    ]);
    const parties = { ours, naive, naiveTogether, bare, sender: senderAlone(secretOf), storage: storageAlone };
    const rows: Row[] = [];
    for (const setting of sizes[size]) {
      const secret = newSecret();
      const subscribers = await together([...Array(webhookCount).keys()], 4, (i) =>
        subscribe(`http://127.0.0.1:${port}/hooks/${i}?after=${setting.receiverMs}`, secret),
      );
      for (const { webhook } of subscribers) secretOf.set(webhook.id, secret);
      rows.push(...(await compare(setting, parties, subscribers, calls, delay)));
    }
    return rows;
  } finally {
    await bare.close();
    await receiver.terminate();
    dynamo().destroy();
    await engine.stop();
  }
}

type PartyName = 'ours' | 'naive' | 'naiveTogether' | 'bare' | 'sender' | 'storage';

async function compare(
  setting: Setting,
  parties: Readonly<Record<PartyName, Party>>,
  subscribers: readonly Subscriber[],
  calls: string[],
  delay: { ms: number },
): Promise<Row[]> {
  const { batchSize, storeMs, receiverMs, rounds } = setting;
  const callsOf = new Map<string, number>();
  const countOf = (name: string) => (name === 'naive' ? setting.naively : setting.deliveries);
  let planned: Planned[] = [];
  const taking = Object.entries(parties).filter(([name]) => storeMs === 0 || !['sender', 'storage'].includes(name));
  const times = await takeTurns(
    taking.map(([name, party]) => ({
      name,
      prepare: async () => {
        delay.ms = 0;
        planned = await plan(subscribers, countOf(name));
        calls.length = 0;
        delay.ms = storeMs;
      },
      run: async () => {
        await party(planned, batchSize);
        callsOf.set(name, calls.length / countOf(name));
      },
    })),
    rounds,
  );
  delay.ms = 0;

  const each = new Map([...times.wall].map(([name, wall]) => [name, wall.map((ms) => ms / countOf(name))]));
  const relative = (other: PartyName) => ratioOf(each, other, 'ours');
  const isAway = storeMs > 0;
  const distance = isAway ? `, DynamoDB ${storeMs} ms and receiver ${receiverMs} ms away` : '';
  const named = (what: string) => `delivery, batches of ${batchSize}${distance}: ${what}`;
  const speed = (what: string, party: PartyName): Row => ({
    name: named(what),
    value: 1_000 / median(each.get(party) ?? []),
    unit: 'deliveries/s',
  });
  const ofBare = relative('bare');
  const ofNaive = relative('naive');
  const oursCalls = callsOf.get('ours') ?? Number.NaN;
  return [
    {
      ...speed('ours', 'ours'),
      ratio: `${ofBare.toFixed(2)} of the bare loop`,
      goal: '≥ 0.25 of the bare loop',
      met: ofBare >= 0.25,
    },
    {
      ...speed('naive, one message after the other', 'naive'),
      ratio: `ours is ${ofNaive.toFixed(1)} ×`,
      goal: 'ours ≥ 12 ×',
      met: ofNaive >= 12,
    },
    {
      ...speed('naive, a batch at a time', 'naiveTogether'),
      ratio: `ours is ${relative('naiveTogether').toFixed(1)} ×`,
    },
    speed('bare loop: signs and sends', 'bare'),
    ...(isAway
      ? []
      : [speed('our sender alone: a checked connection each', 'sender'), speed('our storage alone', 'storage')]),
    {
      name: named('ours'),
      value: oursCalls,
      unit: 'DynamoDB calls a delivery',
      goal: '≤ 0.5',
      met: oursCalls <= 0.5,
    },
    { name: named('naive'), value: callsOf.get('naive') ?? Number.NaN, unit: 'DynamoDB calls a delivery' },
  ];
}
