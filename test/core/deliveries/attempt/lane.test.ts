/** Who is noted as slow, by whom, and how often. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { dynamo } from '../../../../core/clients.ts';
import { setWorld } from '../../../../core/clock.ts';
import { deliver, type Sender } from '../../../../core/deliveries/attempt/deliver.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../../../../core/deliveries/attempt/messages.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import type { Outcome } from '../../../../core/webhooks/sender/send.ts';
import { context, ok, ours } from '../../../support/pipeline.ts';
import { usePipeline } from '../../../support/pipeline-bench.ts';
import { newTenant, webhookNow } from '../../../support/pipeline-state.ts';

const begin = usePipeline();
const failed: Outcome = {
  kind: 'failed',
  errorCode: 'timeout',
  message: 'No answer.',
  timeMs: 10_000,
  ours: false,
  cause: undefined,
};

/** Notes written by now. */
let notes = 0;
let onNote = () => {};
afterEach(() => dynamo().middlewareStack.remove('notes'));

interface Planned {
  readonly webhook: WebhookItem;
  readonly messages: readonly DeliveryMessage[];
  readonly now: number;
}

/** First messages of one webhook, in a world where every attempt soon takes long. */
async function planned(count: number, noteLeftMs?: number): Promise<Planned> {
  const pipeline = begin({
    sweeper: false,
    functions: () => ({
      deliver: async ({ Records }) => ({
        batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      }),
    }),
  });
  const { now } = pipeline;
  const { businessId, webhooks } = await newTenant(1, noteLeftMs ? { slowUntil: now + noteLeftMs } : {});
  const [webhook] = webhooks;
  if (!webhook) throw new Error('no webhook');
  for (let i = 0; i < count; i++) await pipeline.raise(businessId);
  await pipeline.run(now);
  const { deliveries, retries } = pipeline.queues;
  const messages = [...deliveries, ...retries].map(({ body }) => parseDeliveryMessage(body));
  expect(messages).toHaveLength(count);
  setWorld({ now: () => now, sleep: async () => {} });
  notes = 0;
  dynamo().middlewareStack.add(
    (next) => async (args) => {
      const { Statements = [] } = args.input as { Statements?: { Statement: string }[] };
      const result = await next(args);
      notes += Statements.filter(({ Statement }) => Statement.includes('slowUntil')).length;
      if (notes > 0) onNote();
      return result;
    },
    { name: 'notes', step: 'initialize', override: true },
  );
  return { webhook, messages, now };
}

/** A receiver that hangs until a note is written. */
function hangsUntilNoted(): Sender {
  const noted = new Promise<void>((resolve) => {
    onNote = resolve;
  });
  return async () => {
    await noted;
    return ok;
  };
}

test('a hundred attempts at a slow webhook in one batch write one note, while they still run', async () => {
  const { messages, webhook, now } = await planned(100);
  await Promise.all(deliver(messages, context, hangsUntilNoted()));
  expect(notes).toBe(1);
  expect(await webhookNow(webhook)).toMatchObject({ slowUntil: now + limits.slowLaneSeconds * 1_000 });
});

test('planted bug: attempts that share no watch write a note each', async () => {
  const { messages } = await planned(100);
  const sender = hangsUntilNoted();
  await Promise.all(messages.flatMap((message) => deliver([message], context, sender)));
  expect(notes).toBeGreaterThan(50);
});

test.each([
  ['more than half of its time left is not renewed', 301_000, 0],
  ['less than half of its time left is renewed once', 299_000, 1],
])('a note with %s', async (_, leftMs, writes) => {
  const { messages } = await planned(10, leftMs);
  await Promise.all(
    deliver(messages, context, async () => {
      await turn();
      return failed;
    }),
  );
  expect(notes).toBe(writes);
});

test('an attempt that takes long because we resolve no names leaves its webhook where it is', async () => {
  const { messages, webhook } = await planned(1);
  const resolving: Sender = async ({ onStage }) => {
    onStage?.('resolve');
    await turn();
    return ours;
  };
  await Promise.all(deliver(messages, context, resolving));
  expect(notes).toBe(0);
  expect(await webhookNow(webhook)).not.toHaveProperty('slowUntil');
});

test('a host whose own name servers take long is noted when that is known', async () => {
  const { messages } = await planned(1);
  let notedBefore = Number.NaN;
  const resolving: Sender = async ({ onStage }) => {
    onStage?.('resolve');
    await turn();
    notedBefore = notes;
    return { ...failed, errorCode: 'dns_error' };
  };
  await Promise.all(deliver(messages, context, resolving));
  expect([notedBefore, notes]).toEqual([0, 1]);
});

test('a host that hangs after its name took long is noted while it hangs', async () => {
  const { messages } = await planned(1);
  const noted = new Promise<void>((resolve) => {
    onNote = resolve;
  });
  const hanging: Sender = async ({ onStage }) => {
    onStage?.('resolve');
    await turn();
    onStage?.('begin');
    onStage?.('connect');
    await noted;
    return failed;
  };
  await Promise.all(deliver(messages, context, hanging));
  expect(notes).toBe(1);
});
