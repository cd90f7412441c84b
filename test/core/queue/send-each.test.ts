/** Messages are handled separately: accepted ones are not sent again, and the result contains the others. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sqs } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { sendEach } from '../../../core/queue/send-each.ts';

const queue = mockClient(sqs());
const pauses: number[] = [];
const messages = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ body: { nth: i }, tenantId: 7, delaySeconds: 0 }));
const sent = () =>
  queue
    .commandCalls(SendMessageBatchCommand)
    .map(({ args }) => args[0].input.Entries?.map(({ Id }) => Number(Id)) ?? []);

/** A queue that accepts by the `nth` of the body, and reports the rest as failed or omits it. */
function taking(takes: (nth: number) => boolean): void {
  queue.on(SendMessageBatchCommand).callsFake(({ Entries }: { Entries: { Id: string; MessageBody: string }[] }) => {
    const [Successful, Failed] = [true, false].map((wanted) =>
      Entries.filter(({ MessageBody }) => takes(JSON.parse(MessageBody).nth) === wanted),
    );
    return {
      ...(Successful?.length && { Successful }),
      ...(Failed?.length && { Failed: Failed.map(({ Id }) => ({ Id, Code: 'InternalError' })) }),
    };
  });
}

beforeEach(() => {
  process.env.QUEUE_EVENTS = 'https://sqs.test/events';
  queue.reset();
  pauses.length = 0;
  setRuntime({
    randomBytes: (size) => new Uint8Array(size).fill(255),
    sleep: async (ms) => {
      pauses.push(Math.round(ms));
    },
  });
});
afterEach(() => setRuntime());
afterAll(() => queue.restore());

test('Queue messages that are refused are sent up to four times with growing pauses, and then reported as not sent', async () => {
  taking((nth) => nth % 5 !== 3);
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  expect(await sendEach('events', messages(12))).toEqual(Array.from({ length: 12 }, (_, i) => i % 5 !== 3));
  expect(sent().toSorted((a, b) => b.length - a.length)).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [10, 11],
    [3, 8],
    [3, 8],
    [3, 8],
  ]);
  expect(pauses).toEqual([100, 200, 400]);
  expect(warned).toHaveBeenLastCalledWith(expect.any(String), {
    queue: 'events',
    reasons: ['InternalError', 'InternalError'],
  });
});

test.each([
  ['refuses every message', () => taking(() => false), expect.objectContaining({ queue: 'events' })],
  [
    'does not answer',
    () => queue.on(SendMessageBatchCommand).rejects(new Error('no queue')),
    { queue: 'events', error: new Error('no queue') },
  ],
])(
  'When sending to a queue fails (the queue %s), all messages are reported as not sent and no error is thrown',
  async (_, begin, result) => {
    begin();
    const warned = vi.spyOn(log, 'warn').mockReturnValue();
    expect(await sendEach('events', messages(3))).toStrictEqual([false, false, false]);
    expect(sent()).toEqual(Array(4).fill([0, 1, 2]));
    expect(warned).toHaveBeenCalledWith(expect.any(String), result);
  },
);
