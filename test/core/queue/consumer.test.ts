import { afterEach, beforeEach, expect, test } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { consumer, type HandleBatch } from '../../../core/queue/consumer.ts';
import { lambdaContext } from '../../support/http.ts';
import { sqsEvent } from '../../support/queue-and-bus.ts';

beforeEach(() => log.setLogLevel('SILENT'));
afterEach(() => setRuntime());

const bodies = (...texts: string[]) => sqsEvent(texts.map((body, i) => ({ messageId: `m${i}`, body })));
const failures = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });
const run = (handle: HandleBatch<number>, ...texts: string[]) =>
  consumer(JSON.parse, handle)(bodies(...texts), lambdaContext);

test('Of a batch of queue messages, only those that cannot be parsed or whose processing fails go back to the queue', async () => {
  let seen: readonly number[] = [];
  const handle: HandleBatch<number> = (some) => {
    seen = some;
    return some.map(async (value) => {
      if (value % 2 === 0) throw new Error('no');
    });
  };
  expect(await run(handle, '1', '{', '2', '3', '4')).toEqual(failures('m1', 'm2', 'm4'));
  expect(seen).toEqual([1, 2, 3, 4]);
});

test('A queue message that is not handled in time goes back to the queue', async () => {
  let waited = 0;
  setRuntime({
    sleep: (ms) => {
      waited = ms;
      return new Promise((resolve) => setImmediate(resolve));
    },
  });
  const handle: HandleBatch<number> = (some) =>
    some.map((value) => (value === 2 ? new Promise(() => {}) : Promise.resolve()));
  expect(await run(handle, '1', '2', '3')).toEqual(failures('m1'));
  expect(waited).toBe(58_500);
});
