/** What a batch runs with: its own lines in the log, and an end to its time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { consumer, type HandleBatch } from '../../../core/queue/consumer.ts';
import { timeLeftMs } from '../../../core/time-left.ts';
import { context } from '../../support/pipeline.ts';
import { sqsEvent } from '../../support/queue-and-bus.ts';
import { saidOf } from '../../support/said-of.ts';

beforeEach(() => {
  log.setLogLevel('WARN');
  setRuntime({ now: () => 1_000_000, sleep: () => new Promise((resolve) => setImmediate(resolve)) });
});
afterEach(() => {
  setRuntime();
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

test('Log lines of a queue function name their invocation and keep no field of an earlier batch', async () => {
  log.appendKeys({ tries: 5 });
  let said: Record<string, unknown> = {};
  await run(() => {
    said = saidOf('A line');
    return [];
  }, []);
  expect(said).toMatchObject({ function_request_id: awsRequestId });
  expect(said).not.toHaveProperty('tries');
});

test.each([
  ['a second and a half before the function ends', 60_000, 58_500],
  ['at once when less than that is left', 1_000, 0],
])('The handler of a message may write until %s', async (_, remainingMs, leftMs) => {
  let left: number | undefined;
  const waited: number[] = [];
  setRuntime({
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
