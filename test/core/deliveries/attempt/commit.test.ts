/** What is acknowledged is on record, and what an attempt changes is decided on what is there when it ends. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { dynamo } from '../../../../core/clients.ts';
import { commit } from '../../../../core/deliveries/attempt/commit.ts';
import { deliver, type Sender } from '../../../../core/deliveries/attempt/deliver.ts';
import type { MadeAttempt } from '../../../../core/deliveries/attempt/made-attempt.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../../../../core/deliveries/attempt/messages.ts';
import { healthChange } from '../../../../core/deliveries/attempt/state.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { tableName } from '../../../support/dynamo.ts';
import { context, ok, type Pipeline, refused } from '../../../support/pipeline.ts';
import { usePipeline } from '../../../support/pipeline-bench.ts';
import { headsOf, newTenant, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';

const begin = usePipeline();
afterEach(() => dynamo().middlewareStack.remove('trouble'));

/** Messages of one webhook's deliveries, planned and not yet attempted. */
async function planned(count: number, fields: Partial<WebhookItem> = {}) {
  const pipeline = begin({
    sweeper: false,
    functions: () => ({
      deliver: async ({ Records }) => ({
        batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      }),
    }),
  });
  const { businessId, webhooks } = await newTenant(1, fields);
  const [webhook] = webhooks;
  if (!webhook) throw new Error('no webhook');
  for (let i = 0; i < count; i++) await pipeline.raise(businessId);
  await pipeline.run(pipeline.now);
  const messages = pipeline.queues.deliveries.take().flatMap(parseDeliveryMessage);
  expect(messages).toHaveLength(count);
  return { pipeline, webhook, messages };
}

/** What waits in the queue of retries. */
const retries = ({ queues }: Pipeline): DeliveryMessage[] => queues.retries.take().flatMap(parseDeliveryMessage);

const setWebhook = ({ pk, sk }: WebhookItem, field: string, value: number) =>
  dynamo().send(
    new UpdateCommand({
      TableName: tableName('deliveries'),
      Key: { pk, sk },
      UpdateExpression: 'SET #field = :value',
      ExpressionAttributeNames: { '#field': field },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

/** The first calls of a kind fail, without being made. */
function failFirst(commandName: string, count: number): { failed: number } {
  const trouble = { failed: 0 };
  dynamo().middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === commandName && trouble.failed < count) {
        trouble.failed += 1;
        throw new Error('InternalServerError');
      }
      return next(args);
    },
    { name: 'trouble', step: 'initialize', override: true },
  );
  return trouble;
}

test('an attempt that was not handed in has no next step, whatever else is on record', async () => {
  const { messages, webhook } = await planned(1);
  const [delivery] = await headsOf(webhook.id);
  const [message] = messages;
  if (!delivery || !message) throw new Error('nothing planned');
  const made: MadeAttempt = { message, webhook, delivery, result: ok, startedAt: 0, endedAt: 0 };
  const nextOf = commit([made]);
  expect(await nextOf(made)).toEqual({ kind: 'stop' });
  await expect(nextOf({ ...made })).rejects.toThrow('no next step');
});

test('a failure that is counted while a success is under way does not stand', async () => {
  const { messages, webhook } = await planned(1);
  const counting: Sender = async () => {
    await setWebhook(webhook, 'consecutiveFailures', 1);
    return ok;
  };
  await Promise.all(deliver([messages], context, counting));
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 0 });
  expect(await headsOf(webhook.id)).toMatchObject([{ state: 'success' }]);
});

test('one error of DynamoDB while attempts are recorded repeats no request', async () => {
  const { pipeline, messages, webhook } = await planned(3, { consecutiveFailures: 2 });
  const trouble = failFirst('TransactWriteItemsCommand', 1);
  let requests = 0;
  await Promise.all(
    deliver([messages], context, async () => {
      requests += 1;
      return ok;
    }),
  );
  expect(trouble.failed).toBe(1);
  expect(requests).toBe(3);
  expect(retries(pipeline)).toEqual([]);
  expect((await recordsOf(webhook.id)).map(({ deliveryStatus }) => deliveryStatus)).toEqual(Array(3).fill('success'));
});

test('of two consumers of one message the slower one, too, sees to it that the next attempt is announced', async () => {
  const { pipeline, messages, webhook } = await planned(1);
  let first: Promise<PromiseSettledResult<void>[]> | undefined;
  const slower: Sender = async () => {
    // The faster one records the attempt, and the queue takes none of its messages.
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

test('a number that somebody took since the webhook was read is not given to a second record', async () => {
  const { pipeline, messages, webhook } = await planned(1);
  await Promise.all(deliver([messages], context, async () => refused));
  const [second] = retries(pipeline);
  if (!second) throw new Error('no second attempt');
  pipeline.advance(120_000);
  const taking: Sender = async () => {
    await setWebhook(webhook, 'lastNumber', 7);
    return ok;
  };
  await Promise.all(deliver([[second]], context, taking));
  expect(await webhookNow(webhook)).toMatchObject({ lastNumber: 8 });
  expect((await recordsOf(webhook.id)).map(({ id }) => id)).toEqual([1, 8]);
});

test('a failure is counted on top of what the counter is when it is written', async () => {
  const { pipeline, messages, webhook } = await planned(1);
  const { pk, sk } = { ...(await headsOf(webhook.id))[0] };
  await dynamo().send(
    new UpdateCommand({
      TableName: tableName('deliveries'),
      Key: { pk, sk },
      UpdateExpression: 'SET attempts = :five, #state = :retrying',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':five': 5, ':retrying': 'retrying' },
    }),
  );
  const last = messages.map((message) => ({ ...message, attempt: 6 }));
  const counting: Sender = async () => {
    await setWebhook(webhook, 'consecutiveFailures', 4);
    return refused;
  };
  await Promise.all(deliver([last], context, counting));
  expect(retries(pipeline)).toEqual([]);
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 5, status: 'failed' });
  const { Item } = await dynamo().send(new GetCommand({ TableName: tableName('deliveries'), Key: { pk, sk } }));
  expect(Item).toMatchObject({ state: 'failed', attempts: 6 });
});

describe('what attempts change in their webhook', () => {
  const webhook = { status: 'active', consecutiveFailures: 4 } as const;
  test.each([
    ['nothing that counts: nothing', ['keep', 'keep'], {}, {}],
    ['a success: the counter, whatever it is by now', ['keep', 'reset'], { consecutiveFailures: 0 }, {}],
    [
      'a failed delivery: the counter, as it was read',
      ['count'],
      { consecutiveFailures: 5, status: 'failed' },
      webhook,
    ],
    ['both: in their order, as it was read', ['reset', 'count'], { consecutiveFailures: 1 }, webhook],
  ] as const)('%s', (_, attempts, set, expected) => {
    expect(healthChange(webhook, attempts)).toEqual({ set, expected });
  });
});
