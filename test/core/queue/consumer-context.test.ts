/** What a batch runs with: its own lines in the log, and an end to its time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setWorld } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { consumer, type HandleBatch } from '../../../core/queue/consumer.ts';
import { timeLeftMs } from '../../../core/time-left.ts';
import { context } from '../../support/pipeline.ts';
import { sqsEvent } from '../../support/queue-and-bus.ts';
import { saidOf } from '../../support/said-of.ts';

beforeEach(() => {
  log.setLogLevel('WARN');
  setWorld({ now: () => 1_000_000, sleep: () => new Promise((resolve) => setImmediate(resolve)) });
});
afterEach(() => {
  setWorld();
  log.resetKeys();
  log.setLogLevel('SILENT');
  vi.restoreAllMocks();
});

/** Another invocation each time: the logger remembers the last one. */
let awsRequestId = '';
let invocations = 0;
beforeEach(() => {
  awsRequestId = `invocation ${++invocations}`;
});

const run = (handle: HandleBatch<number>, bodies: readonly string[], remainingMs = 60_000) =>
  consumer(JSON.parse, handle)(sqsEvent(bodies.map((body, i) => ({ messageId: `m${i}`, body }))), {
    ...context,
    awsRequestId,
    getRemainingTimeInMillis: () => remainingMs,
  });

test('its lines name the invocation, and nothing of a batch before it', async () => {
  log.appendKeys({ tries: 5 });
  let said: Record<string, unknown> = {};
  await run(() => {
    said = saidOf('A line');
    return [];
  }, []);
  expect(said).toMatchObject({ function_request_id: awsRequestId });
  expect(said).not.toHaveProperty('tries');
});

test('the log names a message that cannot be read and one that fails, the reason of the latter alone', async () => {
  const said = vi.spyOn(log, 'error').mockReturnValue();
  const error = new Error('no');
  await run((some) => some.map(() => Promise.reject(error)), ['{"secret', '2']);
  expect(said.mock.calls.map(([, more]) => more)).toEqual([{ messageId: 'm0' }, { messageId: 'm1', error }]);
});

test.each([
  ['a second and a half before the function ends', 60_000, 58_500],
  ['at once when less than that is left', 1_000, 0],
])('what is handled may write until %s', async (_, remainingMs, leftMs) => {
  let left: number | undefined;
  const waited: number[] = [];
  setWorld({
    now: () => 1_000_000,
    sleep: async (ms) => {
      waited.push(ms);
    },
  });
  const handle: HandleBatch<number> = (some) => {
    left = timeLeftMs();
    return some.map(async () => {});
  };
  await run(handle, ['1'], remainingMs);
  expect([left, waited]).toEqual([leftMs, [leftMs]]);
});

test('what waits for the end of the time is called off when all is done', async () => {
  let signal: AbortSignal | undefined;
  setWorld({
    sleep: (_, given) => {
      signal = given;
      return new Promise(() => {});
    },
  });
  await run((some) => some.map(async () => expect(signal?.aborted).toBe(false)), ['1']);
  expect(signal?.aborted).toBe(true);
});

test('the end of the time fails nothing of an empty batch', async () => {
  const heard: unknown[] = [];
  const hear = (reason: unknown) => void heard.push(reason);
  process.on('unhandledRejection', hear);
  await run(() => [], []);
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  process.off('unhandledRejection', hear);
  expect(heard).toEqual([]);
});
