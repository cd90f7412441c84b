/** What `deliver` does with a batch during faults, and what it logs (docs/rules.md#attempts, #retries). */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { setRuntime } from '../../../../core/clock.ts';
import { deliver } from '../../../../core/deliveries/attempt/deliver.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { secrets } from '../../../../core/table-keys.ts';
import { collectMetrics } from '../../../support/emitted-metrics.ts';
import { ok } from '../../../support/pipeline.ts';
import { deliveriesOf } from '../../../support/pipeline-state.ts';
import { type PlannedMessages, plannedMessages } from '../../../support/planned-messages.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

const leaving = (ms: number) => ({ getRemainingTimeInMillis: () => ms });
const plenty = leaving(60_000);
/** The time for one attempt and its record. */
const needed = limits.deliveryTimeoutMs + 5_000;

/** The deliveries of the messages in the queue of retries. */
const retriesOf = ({ pipeline }: PlannedMessages) => pipeline.queues.retries.bodies.flatMap(parseDeliveryBatch);

/** The recorded metrics by name. */
const countsIn = (emitted: ReturnType<typeof collectMetrics>) =>
  Object.fromEntries(emitted.filter(({ unit }) => unit === 'Count').map(({ name, values }) => [name, values[0]]));

test('If the records of a batch of deliveries cannot be read, no request is sent, and each attempt is repeated later without being counted', async () => {
  const planned = await plannedMessages(begin, 2);
  const emitted = collectMetrics(() => undefined);
  const script = scriptTest([{ when: 'BatchGetItem', fail: 'ThrottlingException' }]);
  const sender = vi.fn(async () => ok);
  await Promise.all(deliver([planned.messages], plenty, sender));
  expect(sender).not.toHaveBeenCalled();
  expect(countsIn(emitted)).toEqual({ OwnFaults: 2 });

  script.end();
  expect(retriesOf(planned).map(({ number, attempt }) => [number, attempt])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(await deliveriesOf(planned.webhook.id)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
});

test('A delivery to a webhook without a signing secret is not sent, does not count against the receiver, and is tried again', async () => {
  const planned = await plannedMessages(begin, 1);
  await transact([remove('secrets', secrets.signing(planned.webhook.id))]);
  const sender = vi.fn(async () => ok);
  await Promise.all(deliver([planned.messages], plenty, sender));
  expect(sender).not.toHaveBeenCalled();
  expect(await deliveriesOf(planned.webhook.id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
  expect(retriesOf(planned)).toMatchObject([{ attempt: 1 }]);
});

test('A delivery attempt does not begin without enough time left to send and record it', async () => {
  const { messages, webhook } = await plannedMessages(begin, 2);
  setRuntime({ sleep: () => new Promise(() => {}) });
  const sender = vi.fn(async () => ok);
  // The time is enough for the first of them.
  let left = needed + 1;
  const [first = [], second = []] = messages.map((message) => [message]);
  const ends = await Promise.allSettled(deliver([first, second], { getRemainingTimeInMillis: () => --left }, sender));
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'No time is left for an attempt' } },
  ]);
  expect(sender).toHaveBeenCalledOnce();
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }, { state: 'pending', attempts: 0 }]);
});

test('Deliveries that have ended are recorded while other deliveries of the same batch are still being sent', async () => {
  const one = await plannedMessages(begin, 50);
  const other = await plannedMessages(() => one.pipeline, 50);
  // No coalescing window ends.
  setRuntime({ sleep: () => new Promise(() => {}) });
  const ends: readonly Promise<void>[] = deliver([one.messages, other.messages], plenty, async ({ webhookId }) => {
    if (webhookId === other.webhook.id) await ends[0];
    return ok;
  });
  await Promise.all(ends);
  for (const { webhook } of [one, other]) {
    expect((await deliveriesOf(webhook.id)).map(({ state }) => state)).toEqual(Array(50).fill('success'));
  }
});
