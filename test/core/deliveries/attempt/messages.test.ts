import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setWorld } from '../../../../core/clock.ts';
import {
  type DeliveryMessage,
  parseDeliveryMessage,
  sendMessages,
} from '../../../../core/deliveries/attempt/messages.ts';
import { log } from '../../../../core/log.ts';

const sqs = mockClient(SQSClient);
const message = (number: number): DeliveryMessage => ({
  businessId: 1,
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
  sqs.reset();
});
afterEach(() => setWorld());

type Entry = { Id: string; MessageBody: string; MessageGroupId: string; DelaySeconds: number };
const takeAllBut = (refused: (entry: Entry) => boolean) => (input: { Entries: Entry[] }) => ({
  Successful: input.Entries.filter((entry) => !refused(entry)).map(({ Id }) => ({ Id })),
  Failed: input.Entries.filter(refused).map(({ Id }) => ({ Id, Code: 'InternalError' })),
});
const sizes = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries?.length);

test('messages go in tens, each with its delay, in the group of its webhook', async () => {
  sqs.on(SendMessageBatchCommand).callsFake(takeAllBut(() => false));
  expect(await sendMessages('retries', outgoing(23))).toEqual(Array(23).fill(true));
  expect(sizes()).toEqual([10, 10, 3]);
  const [first] = sqs.commandCalls(SendMessageBatchCommand);
  expect(first?.args[0].input.Entries?.[7]).toMatchObject({ DelaySeconds: 7, MessageGroupId: '3' });
  expect(parseDeliveryMessage(first?.args[0].input.Entries?.[7]?.MessageBody ?? '')).toEqual(message(8));
});

test('what the queue refuses once is sent again, and only that', async () => {
  let call = 0;
  sqs.on(SendMessageBatchCommand).callsFake((input) => takeAllBut(({ Id }) => call++ === 0 && Id === '0')(input));
  expect(await sendMessages('retries', outgoing(4))).toEqual([true, true, true, true]);
  expect(sizes()).toEqual([4, 1]);
});

test('what the queue refuses for good is named, and the rest is sent', async () => {
  sqs.on(SendMessageBatchCommand).callsFake(takeAllBut(({ MessageBody }) => JSON.parse(MessageBody).number === 12));
  const sent = await sendMessages('retries', outgoing(14));
  expect(sent.flatMap((one, i) => (one ? [] : [i]))).toEqual([11]);
});

test('a queue that does not answer has taken nothing, and nothing is thrown', async () => {
  sqs.on(SendMessageBatchCommand).rejects(new Error('no queue'));
  expect(await sendMessages('retries', outgoing(2))).toEqual([false, false]);
});

test('nothing to send is no call', async () => {
  expect(await sendMessages('retries', [])).toEqual([]);
  expect(sizes()).toEqual([]);
});

test('anything but a delivery message is refused', () => {
  const good = message(1);
  expect(parseDeliveryMessage(JSON.stringify(good))).toEqual(good);
  for (const bad of [{}, { ...good, attempt: 0 }, { ...good, number: '1' }, { ...good, body: 'x' }, [], null]) {
    expect(() => parseDeliveryMessage(JSON.stringify(bad)), JSON.stringify(bad)).toThrow();
  }
});
