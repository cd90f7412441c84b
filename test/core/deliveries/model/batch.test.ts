import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqs } from '../../../../core/clients.ts';
import { setWorld } from '../../../../core/clock.ts';
import { type DeliveryRef, parseDeliveryBatch, sendMessages } from '../../../../core/deliveries/model/batch.ts';
import { log } from '../../../../core/log.ts';

const queue = mockClient(sqs());
const message = (number: number): DeliveryRef => ({
  tenantId: 1,
  keyId: 2,
  webhookId: 3,
  number,
  attempt: 1,
  dueAt: 5,
});
const outgoing = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ message: message(i + 1), delaySeconds: i }));

beforeEach(() => {
  process.env.QUEUE_RETRIES = 'https://sqs.test/retries';
  log.setLogLevel('SILENT');
  setWorld({ sleep: () => Promise.resolve() });
  queue.reset();
});
afterEach(() => setWorld());

type Entry = { Id: string; MessageBody: string; MessageGroupId: string; DelaySeconds: number };
const takeAllBut = (refused: (entry: Entry) => boolean) => (input: { Entries: Entry[] }) => ({
  Successful: input.Entries.filter((entry) => !refused(entry)).map(({ Id }) => ({ Id })),
  Failed: input.Entries.filter(refused).map(({ Id }) => ({ Id, Code: 'InternalError' })),
});
const sizes = () => queue.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries?.length);

const entries = () => queue.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? []);

test('deliveries of one business and one delay share a message, ten at most, in the group of the business', async () => {
  queue.on(SendMessageBatchCommand).callsFake(takeAllBut(() => false));
  const alike = (count: number, tenantId: number, delaySeconds: number) =>
    Array.from({ length: count }, (_, i) => ({ message: { ...message(i + 1), tenantId }, delaySeconds }));
  const outgoing = [...alike(23, 1, 0), ...alike(2, 2, 0), ...alike(1, 2, 60), ...alike(3, 1, 60)];
  expect(await sendMessages('retries', outgoing)).toEqual(Array(29).fill(true));
  expect(entries().map((one) => [one.MessageGroupId, one.DelaySeconds])).toEqual([
    ...Array(3).fill(['1', 0]),
    ['2', 0],
    ['2', 60],
    ['1', 60],
  ]);
  const packs = entries().map(({ MessageBody }) => parseDeliveryBatch(MessageBody ?? ''));
  expect(packs.map(({ length }) => length)).toEqual([10, 10, 3, 2, 1, 3]);
  expect(packs.flat()).toEqual(outgoing.map((one) => one.message));
});

test('packs go in tens, each with its delay', async () => {
  queue.on(SendMessageBatchCommand).callsFake(takeAllBut(() => false));
  expect(await sendMessages('retries', outgoing(23))).toEqual(Array(23).fill(true));
  expect(sizes()).toEqual([10, 10, 3]);
  const [first] = queue.commandCalls(SendMessageBatchCommand);
  expect(first?.args[0].input.Entries?.[7]).toMatchObject({ DelaySeconds: 7, MessageGroupId: '1' });
  expect(parseDeliveryBatch(first?.args[0].input.Entries?.[7]?.MessageBody ?? '')).toEqual([message(8)]);
});

test('what the queue refuses once is sent again, and only that', async () => {
  let call = 0;
  queue.on(SendMessageBatchCommand).callsFake((input) => takeAllBut(({ Id }) => call++ === 0 && Id === '0')(input));
  expect(await sendMessages('retries', outgoing(4))).toEqual([true, true, true, true]);
  expect(sizes()).toEqual([4, 1]);
});

test('what the queue refuses for good is named, and the rest is sent', async () => {
  const numbersIn = (body: string) => parseDeliveryBatch(body).map(({ number }) => number);
  queue.on(SendMessageBatchCommand).callsFake(takeAllBut(({ MessageBody }) => numbersIn(MessageBody).includes(12)));
  const sent = await sendMessages('retries', outgoing(14));
  expect(sent.flatMap((one, i) => (one ? [] : [i]))).toEqual([11]);
});

test('a queue that does not answer has taken nothing, and nothing is thrown', async () => {
  queue.on(SendMessageBatchCommand).rejects(new Error('no queue'));
  expect(await sendMessages('retries', outgoing(2))).toEqual([false, false]);
});

test('nothing to send is no call', async () => {
  expect(await sendMessages('retries', [])).toEqual([]);
  expect(sizes()).toEqual([]);
});

const pack = ({ tenantId, ...named }: DeliveryRef) => ({ tenantId, deliveries: [named] });

test('anything but deliveries of a business is refused', () => {
  const good = message(1);
  expect(parseDeliveryBatch(JSON.stringify(pack(good)))).toEqual([good]);
  const bad = [
    { ...good, attempt: 0 },
    { ...good, number: '1' },
    { ...good, webhookId: 1.5 },
    { ...good, keyId: null },
  ];
  const none = [{}, [], null, 1, { tenantId: 1, deliveries: [] }, { ...pack(good), tenantId: 0 }, { deliveries: 1 }];
  for (const body of [...none, ...bad, ...bad.map((one) => pack(one as DeliveryRef))]) {
    expect(() => parseDeliveryBatch(JSON.stringify(body)), JSON.stringify(body)).toThrow();
  }
});

test('a newer form with more fields is read, and so is the older one that names one delivery', () => {
  const good = message(1);
  const newer = { ...pack({ ...good, priority: 1 } as DeliveryRef), trace: 'abc', shard: 7 };
  expect(parseDeliveryBatch(JSON.stringify(newer))).toEqual([good]);
  expect(parseDeliveryBatch(JSON.stringify(good))).toEqual([good]);
});
