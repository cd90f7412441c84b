/** Which webhooks are marked as slow, when, and how often. */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { setRuntime } from '../../../../core/clock.ts';
import { deliver, type Sender } from '../../../../core/deliveries/attempt/deliver.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import type { SendOutcome } from '../../../../core/webhooks/sender/send.ts';
import { context, ok, platformFault } from '../../../support/pipeline.ts';
import { changeWebhook, deliveriesOf, webhookNow } from '../../../support/pipeline-state.ts';
import { plannedMessages } from '../../../support/planned-messages.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
const failed: SendOutcome = {
  kind: 'failed',
  errorCode: 'dns_error',
  message: 'The name servers of the host do not answer.',
  platformFault: false,
  cause: undefined,
};

const isMark = ({ Statement }: { readonly Statement: string }) => Statement.includes('slowUntil');

async function planned(count: number, fields: Partial<WebhookItem> = {}, markLeftMs?: number) {
  const { pipeline, webhook, messages } = await plannedMessages(begin, count, (now) => ({
    ...fields,
    ...(markLeftMs && { slowUntil: now + markLeftMs }),
  }));
  const { now } = pipeline;
  let at = now;
  setRuntime({ now: () => at, sleep: async () => {} });
  const { calls } = scriptTest();
  /** The number of marks that DynamoDB was asked to write. */
  const marks = () => calls.flatMap(({ input }) => input.Statements ?? []).filter(isMark).length;
  let begun = 0;
  const allBegun = Promise.withResolvers<void>();
  /** A receiver that takes this long. All attempts begin at the same time, and `beforeEnd` may run before they end. */
  const after =
    (ms: number, outcome: SendOutcome, beforeEnd: () => Promise<unknown> = async () => {}): Sender =>
    async () => {
      await beforeEnd();
      begun += 1;
      if (begun === count) allBegun.resolve();
      await allBegun.promise;
      at = now + ms;
      return outcome;
    };
  return { webhook, messages, now, after, marks };
}

const slowMs = limits.slowReceiverMs + 1;

test('A batch of a hundred slow delivery attempts to one webhook marks this webhook as slow with a single write', async () => {
  const { messages, webhook, now, after, marks } = await planned(100);
  await Promise.all(deliver([messages], context, after(slowMs, ok)));
  expect(marks()).toBe(1);
  expect(await webhookNow(webhook)).toMatchObject({ slowUntil: now + slowMs + limits.slowQueueSeconds * 1_000 });
});

test('Negative control: if a hundred slow delivery attempts are recorded separately, the webhook is marked as slow many times', async () => {
  const { messages, after, marks } = await planned(100);
  await Promise.all(messages.flatMap((message) => deliver([[message]], context, after(slowMs, ok))));
  expect(marks()).toBeGreaterThan(50);
});

test.each([
  ['more than half', 301_000, 0],
  ['half', 300_000, 1],
  ['less than half', 299_000, 1],
])(
  "Ten slow responses extend a webhook's time in the slow queue once, and only if at most half of it is left (%s)",
  async (_, leftMs, writes) => {
    const { messages, after, marks } = await planned(10, {}, leftMs + slowMs);
    await Promise.all(deliver([messages], context, after(slowMs, failed)));
    expect(marks()).toBe(writes);
  },
);

test.each([
  ['not marked as slow when its receiver answers within the limit', limits.slowReceiverMs, ok, 0],
  ['marked as slow when its receiver answers after the limit', slowMs, ok, 1],
  ['marked as slow when its receiver takes long to fail', slowMs, failed, 1],
  ['not marked as slow when the DNS resolver of the platform is slow', slowMs, platformFault, 0],
])('Only a slow receiver makes a webhook slow: the webhook is %s', async (_, ms, outcome, writes) => {
  const { messages, webhook, after, marks } = await planned(1);
  await Promise.all(deliver([messages], context, after(ms, outcome)));
  expect(marks()).toBe(writes);
  expect('slowUntil' in (await webhookNow(webhook))).toBe(writes > 0);
});

test('A slow but successful delivery resets the failure counter of a webhook and also marks the webhook as slow', async () => {
  const { messages, webhook, now, after } = await planned(3, { consecutiveFailures: 2 });
  await Promise.all(deliver([messages], context, after(slowMs, ok)));
  expect(await webhookNow(webhook)).toMatchObject({
    consecutiveFailures: 0,
    slowUntil: now + slowMs + limits.slowQueueSeconds * 1_000,
  });
});

test('If a webhook is deleted during a slow delivery attempt, marking it as slow does not store the webhook again', async () => {
  const { messages, webhook, after, marks } = await planned(1);
  const sender = after(slowMs, ok, () => transact([remove('deliveries', webhook)]));
  await Promise.all(deliver([messages], context, sender));
  expect(marks()).toBe(1);
  expect(await webhookNow(webhook)).toBeUndefined();
});

test('A webhook whose URL changes during a slow delivery attempt to the old URL is not marked as slow', async () => {
  const { messages, webhook, after, marks } = await planned(1);
  const sender = after(slowMs, ok, () => changeWebhook(webhook, { targetUrl: 'https://other.example.net/hook' }));
  await Promise.all(deliver([messages], context, sender));
  expect(marks()).toBe(1);
  expect(await webhookNow(webhook)).not.toHaveProperty('slowUntil');
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }]);
});

test('A slow delivery attempt is recorded without delay even if its webhook cannot be marked as slow', async () => {
  const { messages, webhook, after } = await planned(2);
  scriptTest([
    {
      when: 'BatchExecuteStatement',
      answer: ({ input: { Statements = [] } }, send) => send({ Statements: Statements.filter((one) => !isMark(one)) }),
    },
  ]);
  await Promise.all(deliver([messages], context, after(slowMs, ok)));
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }, { state: 'success' }]);
  expect(await webhookNow(webhook)).not.toHaveProperty('slowUntil');
});

test.each([
  ['marked as slow', 60_000, 0],
  ['not marked as slow', 0, 1],
] as const)('First attempts use the slow queue only for a slow webhook (%s)', async (_, markedForMs, requests) => {
  const { pipeline, webhook, messages } = await plannedMessages(begin, 1);
  await changeWebhook(webhook, { slowUntil: pipeline.now + markedForMs });
  const sender = vi.fn(async () => ok);
  await Promise.all(deliver([messages], context, sender));
  expect(sender).toHaveBeenCalledTimes(requests);
  const handedOn = pipeline.queues.retries.take().flatMap(parseDeliveryBatch);
  expect(handedOn).toHaveLength(1 - requests);
  await Promise.all(deliver([handedOn], context, sender));
  expect(sender).toHaveBeenCalledOnce();
});
