/** Acknowledged attempts are recorded, and their effects are decided on the state at their end. */
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { setRuntime } from '../../../../core/clock.ts';
import { deliver, type Sender } from '../../../../core/deliveries/attempt/deliver.ts';
import { type DeliveryRef, parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { log } from '../../../../core/log.ts';
import type { Key } from '../../../../core/store/key.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import type { SendOutcome } from '../../../../core/webhooks/sender/send.ts';
import { writing } from '../../../support/faults.ts';
import { withoutConditions } from '../../../support/interfere.ts';
import { context, ok, type Pipeline, refused } from '../../../support/pipeline.ts';
import { deliveriesOf, outbox, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
import { plannedMessages } from '../../../support/planned-messages.ts';
import { scriptTest } from '../../../support/script-test.ts';
import type { Call } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** The deliveries in the queue of retries. */
const retries = ({ queues }: Pipeline): DeliveryRef[] => queues.retries.take().flatMap(parseDeliveryBatch);

const setFields = (key: Key, fields: object) => writeOne(set('deliveries', key, fields));

/** Makes the next attempt of the delivery its last. */
const fiveAttemptsFailed = (record: Key) => setFields(record, { attempts: 5, state: 'retrying' });

/** The number of active webhooks of its key. */
async function activeBeside({ tenantId, keyId }: WebhookItem): Promise<unknown> {
  return (await getItem<{ active: number }>('deliveries', deliveries.quota(tenantId, keyId)))?.active;
}

/** Records calls to DynamoDB with the number of items, as `TransactWriteItems 4`. The first of one kind fail. */
function watched(failing?: { readonly kind: string; readonly times: number }): string[] {
  const calls: string[] = [];
  const note = ({ operation, input: { TransactItems } }: Call) =>
    calls.push(TransactItems ? `${operation} ${TransactItems.length}` : operation);
  const { kind = '', times = 0 } = failing ?? {};
  scriptTest([{ before: note }, { when: kind, nth: (nth) => nth <= times, fail: 'InternalServerError' }]);
  return calls;
}

/** Delivers messages, and calls `meanwhile` before the receiver responds. */
const deliverWhile = (messages: readonly DeliveryRef[], meanwhile: () => Promise<unknown>, outcome: SendOutcome = ok) =>
  Promise.all(deliver([messages], context, () => meanwhile().then(() => outcome)));

type Planned = Awaited<ReturnType<typeof plannedMessages>>;

test.each<[string, (planned: Planned) => Promise<unknown>]>([
  ['its webhook was deleted', ({ webhook }) => transact([remove('deliveries', webhook)])],
  [
    'another function made the same attempt',
    ({ messages }) => Promise.all(deliver([messages], context, async () => ok)),
  ],
])('An outdated result of a delivery attempt is not recorded (during the attempt, %s)', async (_, change) => {
  const planned = await plannedMessages(begin, 1);
  const { pipeline, messages, webhook } = planned;
  let before: unknown;
  const meanwhile = async () => {
    await change(planned);
    before = await recordsOf(webhook.id);
    pipeline.advance(1_000);
  };
  await deliverWhile(messages, meanwhile, refused);
  expect(await recordsOf(webhook.id)).toEqual(before);
  expect(retries(pipeline)).toEqual([]);
});

test('A delivery that succeeds while a failed delivery is being recorded resets the failure counter of the webhook', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 1);
  pipeline.advance(1_000);
  await deliverWhile(messages, () => setFields(webhook, { consecutiveFailures: 1 }));
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 0, updatedAt: webhook.updatedAt });
  expect(await activeBeside(webhook)).toBe(1);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }]);
});

test('A successful delivery resets the failure counter of its webhook even while another process changes the webhook', async () => {
  const { messages, webhook } = await plannedMessages(begin, 1, () => ({ consecutiveFailures: 2 }));
  await deliverWhile(messages, () => setFields(webhook, { lastNumber: 7 }));
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 0, lastNumber: 7 });
});

test('If two delivery attempts to one webhook fail at about the same time, `failingSince` is the time of the earlier failure', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 1);
  const earlier = new Date(pipeline.now).toISOString();
  pipeline.advance(1_000);
  await deliverWhile(messages, () => setFields(webhook, { failingSince: earlier }), refused);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'retrying', attempts: 1 }]);
  expect(await webhookNow(webhook)).toMatchObject({ failingSince: earlier });
});

test('If two deliveries to a failing webhook succeed concurrently, only one event reports that the webhook works again', async () => {
  const { messages, webhook } = await plannedMessages(begin, 2, () => ({ consecutiveFailures: 3 }));
  const [one = [], two = []] = messages.map((message) => [message]);
  await deliverWhile(one, () => Promise.all(deliver([two], context, async () => ok)));
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }, { state: 'success' }]);
  const reported = (await outbox()).filter(({ tenantId }) => tenantId === webhook.tenantId);
  expect(reported.map(({ name }) => name)).toEqual(['webhook.recovered']);
});

test('If a failed and a later successful attempt are recorded together, `recoveredAt` is the time of the successful one', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 2, () => ({ consecutiveFailures: 3 }));
  let time = pipeline.now;
  // No coalescing window ends.
  setRuntime({ now: () => time, sleep: () => new Promise(() => {}) });
  let requests = 0;
  const sender: Sender = async () => {
    requests += 1;
    if (requests === 1) return refused;
    await setImmediate();
    time += 5_000;
    return ok;
  };
  await Promise.all(deliver([messages], context, sender));
  expect(await webhookNow(webhook)).toMatchObject({ recoveredAt: new Date(time).toISOString(), failingSince: null });
});

/** A delivery succeeds while this many others fail for good, after two before. The webhook, and the reported events. */
async function overtakenByFailures(failed: number, before: () => void = () => {}) {
  const { messages, webhook } = await plannedMessages(begin, 1 + failed, () => ({ consecutiveFailures: 2 }));
  const [succeeds, ...others] = messages;
  for (const { number } of others) await fiveAttemptsFailed(deliveries.record(webhook.id, number));
  const last = others.map((message) => ({ ...message, attempt: 6 }));
  await deliverWhile(succeeds ? [succeeds] : [], async () => {
    await Promise.all(deliver([last], context, async () => refused));
    before();
  });
  const reported = (await outbox()).filter(({ tenantId }) => tenantId === webhook.tenantId);
  return { webhook: await webhookNow(webhook), reported: reported.map(({ name }) => name).sort() };
}

test.each([
  ['third', 1, 'active', ['webhook.failing', 'webhook.recovered']],
  ['fifth', 3, 'failed', ['webhook.disabled', 'webhook.failing']],
] as const)(
  'If a delivery succeeds while the %s failed delivery in a row is recorded, the reported events match the state of the webhook',
  async (_, failed, status, names) => {
    const { webhook, reported } = await overtakenByFailures(failed);
    expect(webhook).toMatchObject({ status, consecutiveFailures: 0 });
    expect(reported).toEqual(names);
  },
);

test('Negative control: if a success resets the failure counter without a condition, no event reports that the webhook works again', async () => {
  const { webhook, reported } = await overtakenByFailures(1, () => scriptTest([writing(withoutConditions)]));
  expect(webhook).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  expect(reported).toEqual(['webhook.failing']);
});

test.each([
  ['a database transaction fails', 'TransactWriteItems', 1, { consecutiveFailures: 2 }, 'active', 'success', 4, 0],
  ['database writes without a transaction fail', 'BatchExecuteStatement', 3, {}, 'active', 'success', 4, 3],
  ['database writes for a disabled webhook fail', 'BatchExecuteStatement', 3, {}, 'failed', 'failed', 3, 3],
  ['the state of webhooks cannot be read again', 'BatchGetItem', 1, {}, 'active', 'success', 4, 1],
] as const)('Delivery attempts are recorded and not sent twice even if database calls fail (%s)', async (...row) => {
  const [, kind, times, fields, status, end, writes, warnings] = row;
  const { pipeline, messages, webhook } = await plannedMessages(begin, 3, () => fields);
  const warned = vi.spyOn(log, 'warn').mockReturnValue(undefined);
  await setFields(webhook, { status });
  let calls: string[] = [];
  let requests = 0;
  const sender: Sender = async () => {
    requests += 1;
    if (requests === 3) calls = watched({ kind, times });
    return ok;
  };
  if (status === 'failed') calls = watched({ kind, times });
  await Promise.all(deliver([messages], context, sender));
  expect(calls.at(-1)).toBe(`TransactWriteItems ${writes}`);
  expect(requests).toBe(status === 'active' ? 3 : 0);
  expect(retries(pipeline)).toEqual([]);
  expect((await recordsOf(webhook.id)).map(({ deliveryStatus }) => deliveryStatus)).toEqual(Array(3).fill(end));
  expect(warned.mock.calls.map(([, attributes]) => attributes)).toEqual(
    Array(warnings).fill({ error: expect.any(Error) }),
  );
});

test('Queue messages whose delivery attempts cannot be recorded go back to the queue', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 2, () => ({ consecutiveFailures: 2 }));
  watched({ kind: 'TransactWriteItems', times: Number.POSITIVE_INFINITY });
  const [end] = await Promise.allSettled(deliver([messages], context, async () => ok));
  expect(end).toMatchObject({
    reason: { message: expect.stringContaining('not be recorded'), cause: { message: 'InternalServerError' } },
  });
  expect(retries(pipeline)).toEqual([]);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);
});

test('If two functions handle one delivery, the message for its retry is sent even if one of them cannot send it', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 1);
  let first: Promise<PromiseSettledResult<void>[]> | undefined;
  const slower: Sender = async () => {
    // The faster one records the attempt, and the queue accepts none of its messages.
    pipeline.refuseMessages = Array.from({ length: 10 }, () => [0]);
    first = Promise.allSettled(deliver([messages], context, async () => refused));
    expect(await first).toMatchObject([{ status: 'rejected' }]);
    pipeline.refuseMessages = [];
    return refused;
  };
  await Promise.all(deliver([messages], context, slower));
  expect(retries(pipeline)).toMatchObject([{ attempt: 2 }]);
  expect(await recordsOf(webhook.id)).toHaveLength(1);
});

test('Two processes never write delivery records of one webhook under the same number', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 2);
  await Promise.all(deliver([messages], context, async () => refused));
  const seconds = retries(pipeline);
  expect(seconds).toHaveLength(2);
  pipeline.advance(120_000);
  await deliverWhile(seconds, () => setFields(webhook, { lastNumber: 7 }));
  expect(await webhookNow(webhook)).toMatchObject({ lastNumber: 9 });
  const all = await recordsOf(webhook.id);
  expect(all.map(({ id, attemptNumber, laterRecords }) => [id, attemptNumber, laterRecords])).toEqual([
    [1, 1, [8]],
    [2, 1, [9]],
    [8, 2, undefined],
    [9, 2, undefined],
  ]);
});

test('A failed delivery adds one to the failure counter of its webhook, and the fifth failed delivery in a row disables the webhook', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 1);
  await fiveAttemptsFailed(deliveries.record(webhook.id, 1));
  pipeline.advance(1_000);
  const last = messages.map((message) => ({ ...message, attempt: 6 }));
  await deliverWhile(last, () => setFields(webhook, { consecutiveFailures: 4 }), refused);
  expect(retries(pipeline)).toEqual([]);
  const updatedAt = new Date(pipeline.now).toISOString();
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 5, status: 'failed', updatedAt });
  expect(await activeBeside(webhook)).toBe(0);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'failed', attempts: 6 }]);
});

/** `+` succeeds at the first attempt, `-` fails at the first, `x` fails at the sixth and last, `s` succeeds at the sixth. */
test.each<[string, string, number, object]>([
  ['four failures, a success and a failure', 'xxxx+x', 0, { status: 'active', consecutiveFailures: 1 }],
  ['two failures, a success and three failures', 'xx+xxx', 0, { status: 'active', consecutiveFailures: 3 }],
  ['three failures that are retried and a success', '---+', 0, { status: 'active', failingSince: null }],
  [
    'three failures that are retried, a success and a failure',
    '---+-',
    0,
    { status: 'active', failingSince: expect.any(String) },
  ],
  ['three failures and a success, twelve times', 'xxxs'.repeat(12), 0, { status: 'active', consecutiveFailures: 0 }],
  ['47 successes and a failure', `${'+'.repeat(47)}x`, 4, { status: 'active', consecutiveFailures: 1 }],
])(
  'Attempts that are recorded as a batch leave the webhook in the same state as attempts recorded one after another (%s)',
  async (...row) => {
    const [, ends, consecutiveFailures, expected] = row;
    const { pipeline, messages, webhook } = await plannedMessages(begin, ends.length, () => ({ consecutiveFailures }));
    const isLast = (i: number) => ends[i] === 'x' || ends[i] === 's';
    for (const [i, delivery] of (await deliveriesOf(webhook.id)).entries())
      if (isLast(i)) await fiveAttemptsFailed(delivery);
    pipeline.advance(1_000);
    const due = messages.map((message, i) => (isLast(i) ? { ...message, attempt: 6 } : message));
    // The first transaction runs after everything else.
    const everythingElse = async () => {
      for (let i = 0; i < 100; i++) await setImmediate();
    };
    scriptTest([{ when: 'TransactWriteItems', nth: 1, before: everythingElse }]);
    let attempts = 0;
    await Promise.all(deliver([due], context, async () => (/[+s]/.test(ends[attempts++] ?? '') ? ok : refused)));
    expect(await webhookNow(webhook)).toMatchObject(expected);
    expect((await deliveriesOf(webhook.id)).map((one) => one.attempts)).toEqual(
      [...ends].map((_, i) => (isLast(i) ? 6 : 1)),
    );
  },
);
