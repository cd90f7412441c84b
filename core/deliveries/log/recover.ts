/** `POST /webhooks/:id/recover` (docs/rules.md#recovery): sends the failed deliveries of a period again. */
import type * as z from 'zod/mini';
import type { recoverWebhook as row } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { chunksOf } from '../../chunks.ts';
import { now, timestamp } from '../../clock.ts';
import { fail, invalid } from '../../errors.ts';
import { hasScopesOfMessage, loadReceivingKey } from '../../keys/event-access.ts';
import type { Principal } from '../../principal.ts';
import { getItems, pages } from '../../store/read.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { deliveries } from '../../table-keys.ts';
import { inGaps } from '../../webhooks/registry/gaps.ts';
import { loadWebhook, reloadWebhook } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type DeliveryItem, isOver, recordsBetween } from '../model/delivery-record.ts';
import { withLease } from '../model/lease.ts';
import { oldestKept } from './list.ts';
import { disorderMs, firstNumber } from './number-range.ts';
import { attemptsToReserve } from './recovery-budget.ts';
import {
  assertSends,
  buildRedeliveries,
  type EndedDelivery,
  failedManually,
  hadAllManualAttempts,
  redeliveriesPerTransaction,
  sendRedeliveries,
} from './redeliver.ts';

const recoveryMs = limits.recoverySeconds * 1_000;
const pauseMs = limits.recoveryPauseSeconds * 1_000;

/**
 * Redelivers every delivery of the period whose newest attempt failed. Leaves out deliveries with ten manual attempts
 * or three failed ones, and events that the key may not receive. Errors: 404 `not_found`, 409 `invalid_state` for a
 * webhook that is not active or whose key may not receive events, 409 `recovery_in_progress`, 400 `validation_failed`
 * for a period that begins in the future or ends before it begins, 400 `range_too_large` for a period with more than
 * `recoveredPerCall` failed deliveries or `recordsPerRecovery` records. If a call is interrupted, another call
 * continues with the remaining deliveries.
 */
export async function recover(
  principal: Principal,
  { id }: { id: number },
  period: z.output<(typeof row)['body']>,
): Promise<z.output<(typeof row)['output']>> {
  const from = Date.parse(period.since);
  if (from > now()) throw invalid('since', 'must not be in the future');
  const to = period.until === undefined ? now() : Date.parse(period.until);
  if (to < from) throw invalid('until', 'must not be before since');
  const webhook = await loadWebhook(principal, id);
  assertSends(webhook);
  const key = await loadReceivingKey(principal, webhook.keyId);
  const mayReceive = ({ first }: EndedDelivery) => hasScopesOfMessage(key, first);
  const recovery = async () => {
    const { failed, stillRetrying } = await unsuccessful(webhook, from, to);
    return { ...(await redeliverFailed(webhook, failed, mayReceive)), stillRetrying };
  };
  return withLease('recovery', webhook, recoveryMs, recovery, pauseMs);
}

type Choice = (ended: EndedDelivery) => boolean;

async function redeliverFailed(webhook: WebhookItem, failed: readonly number[], mayReceive: Choice) {
  const sending: Promise<void>[] = [];
  let matched = 0;
  let leftOut = 0;
  for (const some of chunksOf(failed, redeliveriesPerTransaction)) {
    const { redeliveries, exhausted } = await redeliverAll(webhook, some, mayReceive);
    matched += redeliveries.length;
    leftOut += exhausted;
    sending.push(sendRedeliveries(redeliveries));
  }
  await Promise.all(sending);
  return { matched, leftOut };
}

function redeliverAll(before: WebhookItem, numbers: readonly number[], mayReceive: Choice) {
  return commitWithRetry(async () => {
    const webhook = await reloadWebhook(before);
    assertSends(webhook);
    const failed = (await stillFailed(webhook.id, numbers)).filter(mayReceive);
    const ended = failed.filter(
      (one) => failedManually(one) < limits.manualFailuresToLeaveOut && !hadAllManualAttempts(one),
    );
    const exhausted = failed.length - ended.length;
    if (ended.length === 0) return { writes: [], result: { redeliveries: [], exhausted } };
    const at = now();
    const reserved = await attemptsToReserve(webhook, ended.length, at);
    const { writes, redeliveries } = buildRedeliveries(webhook, ended, at, reserved);
    return { writes, result: { redeliveries, exhausted } };
  });
}

/** The numbers of deliveries whose newest attempt has failed, and the number of deliveries with attempts to come. */
async function unsuccessful(
  { id: webhookId, lastNumber, gaps }: WebhookItem,
  from: number,
  to: number,
): Promise<{ failed: readonly number[]; stillRetrying: number }> {
  const startsAt = (ms: number) =>
    ms >= now() ? lastNumber + 1 : firstNumber(webhookId, lastNumber, ({ createdAt }) => createdAt >= timestamp(ms));
  // The additional records at both ends do not count for the limit, because a shorter period would also read them.
  const [first, since, until, end] = await Promise.all([
    startsAt(from - disorderMs),
    startsAt(from),
    startsAt(to),
    startsAt(to + disorderMs),
  ]);
  const areTooMany = (number: number) => until - number - inGaps(number, until - 1, gaps) > limits.recordsPerRecovery;
  // Expired records that DynamoDB has not deleted yet do not count.
  if (areTooMany(since) && areTooMany(Math.max(since, await oldestKept(webhookId, lastNumber)))) {
    throw tooMany(`One call looks through at most ${limits.recordsPerRecovery} records, and the period has more.`);
  }
  const failed: number[] = [];
  let stillRetrying = 0;
  const { ExpressionAttributeValues: numbers, ...range } = recordsBetween(webhookId, first, end);
  const found = pages<First & Pick<DeliveryItem, 'id' | 'state'>>('deliveries', {
    ...range,
    // Records of later attempts have no state: that of the delivery is in the record of attempt 1.
    FilterExpression:
      'attribute_exists(#state) AND #state <> :success AND #trigger = :scheduled AND createdAt BETWEEN :from AND :to AND expiresAtSeconds > :now',
    ProjectionExpression: 'id, #state, deliveryId, lastRedelivery',
    ExpressionAttributeNames: { '#state': 'state', '#trigger': 'trigger' },
    ExpressionAttributeValues: {
      ...numbers,
      ':success': 'success',
      ':scheduled': 'scheduled',
      ':from': timestamp(from),
      ':to': timestamp(to),
      ':now': now() / 1_000,
    },
    ConsistentRead: true,
  });
  for await (const { items } of found) {
    const ended = items.filter(({ state }) => isOver(state));
    failed.push(...(await newestFailed(webhookId, ended)).map(({ first }) => first.id));
    stillRetrying += items.length - ended.length;
    if (failed.length > limits.recoveredPerCall) {
      throw tooMany(
        `One call redelivers at most ${limits.recoveredPerCall} deliveries, and the period has more failed deliveries.`,
      );
    }
  }
  return { failed, stillRetrying };
}

function tooMany(why: string) {
  return fail('range_too_large', `${why} Choose a shorter period.`);
}

/** The deliveries whose newest attempt has failed. */
async function stillFailed(webhookId: number, numbers: readonly number[]): Promise<readonly EndedDelivery[]> {
  return newestFailed(webhookId, await recordsAt(webhookId, numbers));
}

type First = Pick<DeliveryItem, 'deliveryId' | 'lastRedelivery'>;

/** Of failed deliveries, those that were not redelivered, or whose last redelivery has failed, too. */
async function newestFailed<T extends First>(webhookId: number, firsts: readonly T[]) {
  const redeliveries = await recordsAt(
    webhookId,
    firsts.flatMap(({ lastRedelivery }) => lastRedelivery ?? []),
  );
  const newestOf = new Map(redeliveries.map((one) => [one.deliveryId, one]));
  return firsts
    .map((first) => ({ first, newest: newestOf.get(first.deliveryId) }))
    .filter(({ newest }) => newest === undefined || newest.state === 'failed');
}

async function recordsAt(webhookId: number, numbers: readonly number[]): Promise<DeliveryItem[]> {
  const items = await getItems<DeliveryItem>(
    'deliveries',
    numbers.map((number) => deliveries.record(webhookId, number)),
  );
  return items.filter((one) => one !== undefined);
}
