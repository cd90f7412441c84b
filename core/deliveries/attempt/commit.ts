/**
 * Records attempts. Nearly every attempt changes only its own record: it is recorded with one conditional write, and
 * one call makes these writes for a whole batch. The other attempts also change their webhook, and are recorded in
 * transactions, one for each webhook, so that no webhook waits for the conflict of another.
 */
import type { MetricName } from '../../../contract/system/metrics.ts';
import { oneAfterAnother } from '../../chunks.ts';
import { env } from '../../env.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import { RETRY, type RetryPolicy, retrying } from '../../retrying.ts';
import { batchGet, type ItemRequest, type Lookup } from '../../store/batch-get.ts';
import { transact } from '../../store/transact.ts';
import { writeEach } from '../../store/write-each.ts';
import type { DeliveryRef } from '../model/batch.ts';
import { isOwnRecord } from '../model/delivery-record.ts';
import {
  type HealthEvent,
  healthEvents,
  type Next,
  nextAttempt,
  nextStepOf,
  type Transition,
  transitionOf,
} from '../model/state.ts';
import { type Attempt, type Found, findDeliveries } from './attempt.ts';
import { receiverStateWrites } from './receiver-state.ts';
import { healthFields, leavesAsIs, type WebhookHealth, wasSent } from './webhook-health.ts';
import { type Change, plainWrite, writesOf } from './writes.ts';

/** An attempt, with its result as decided on the data that was read last. */
type Settled = Attempt & Transition;

/** The next step of each attempt that is recorded. */
type Recorded = ReadonlyMap<DeliveryRef, Next>;

const countedAs = {
  failing: 'WebhooksFailing',
  disabled: 'WebhooksDisabled',
  recovered: 'WebhooksRecovered',
} as const satisfies Record<HealthEvent, MetricName>;

/**
 * A transaction has at most a hundred writes: two for each attempt, one for the webhook, one for its key, and one for
 * each event of the webhook, of which 38 attempts raise at most twenty (`healthEvents`).
 */
const attemptsPerTransaction = 38;
/** Enough tries for a hundred concurrent batches of one webhook, each with retries to record. */
const retryPolicy: RetryPolicy = { attempts: 21, firstPauseMs: 40, longestPauseMs: 2_000 };

/**
 * Returns a function from a delivery to a promise of its next step. The promise resolves when the attempt is recorded,
 * and rejects if the attempt could not be recorded or was not passed in. So no attempt counts as recorded that is not.
 */
export function commit(attempts: readonly Attempt[]): (ref: DeliveryRef) => Promise<Next> {
  const plainly = recordPlainly(attempts);
  const together = plainly.then((recorded) => recordInOrder(attempts.filter(({ ref }) => !recorded.has(ref))));
  return async (ref) => {
    const recorded = await ((await together).get(ref) ?? plainly);
    const next = recorded.get(ref);
    if (!next) throw new Error('An attempt has no next step');
    return next;
  };
}

function decide(attempt: Attempt, found: Found | undefined): Settled {
  const { ref, outcome, endedAt } = attempt;
  const unchanged = (next: Next): Settled => ({ ...attempt, ...found, failures: 'keep', next });
  // The webhook was deleted concurrently, so its pending deliveries are not sent (docs/rules.md#webhooks).
  if (!found) return unchanged({ kind: 'stop' });
  switch (nextStepOf(found.delivery, ref.attempt)) {
    case 'drop':
      return unchanged({ kind: 'stop' });
    case 'other attempt':
      return unchanged(nextAttempt(found.delivery, endedAt));
    case 'attempt':
      return { ...attempt, ...found, ...transitionOf(found.delivery, outcome, endedAt, env.timeScale()) };
  }
}

function isChange(settled: Settled): settled is Change {
  return settled.written !== undefined;
}

/** Never rejects: attempts that the single writes do not record are left to the transactions. */
async function recordPlainly(attempts: readonly Attempt[]): Promise<Recorded> {
  const plain = await stillPlain(plainOf(attempts.map((one) => decide(one, one))));
  const ends = await writeEach([...plain.map(plainWrite), ...receiverStateWrites(attempts)]);
  return new Map(plain.filter((_, i) => ends[i] === 'done').map(({ ref, next }) => [ref, next]));
}

/** The attempts that do not change their webhook, and do not follow an attempt of the batch that changes it. */
function plainOf(settled: readonly Settled[]): readonly Change[] {
  const changing = new Set<number>();
  return settled.filter(isChange).filter((change) => {
    if (!leavesAsIs(change.webhook, change)) changing.add(change.webhook.id);
    return isOwnRecord(change.delivery) && !changing.has(change.webhook.id);
  });
}

/**
 * The attempts that do not change their webhook as it is now. The webhook is read again, because an attempt takes up to
 * ten seconds. A success must reset a failure that was counted in that time.
 */
async function stillPlain(plain: readonly Change[]): Promise<readonly Change[]> {
  const wanted = ({ webhook }: Change): ItemRequest => {
    return { store: 'deliveries', key: webhook, fields: ['pk', 'sk', ...healthFields] };
  };
  const lookup: Lookup = await batchGet(plain.filter(wasSent).map(wanted)).catch((error: unknown) => {
    log.warn('The webhooks of a batch cannot be read again', { error });
    return () => undefined;
  });
  return plain.filter((change) => {
    if (!wasSent(change)) return true;
    const webhook = lookup<WebhookHealth>(wanted(change));
    return webhook !== undefined && leavesAsIs(webhook, change);
  });
}

/**
 * Groups attempts by webhook, each group no larger than a transaction allows. The transactions of one webhook run one
 * after the other.
 */
function recordInOrder(attempts: readonly Attempt[]): ReadonlyMap<DeliveryRef, Promise<Recorded>> {
  const byWebhook = [...Map.groupBy(attempts, ({ webhook }) => webhook.id).values()];
  const recordings = byWebhook.flatMap((some) => oneAfterAnother(some, attemptsPerTransaction, recordTogether));
  return new Map(recordings.map(([{ ref }, recording]) => [ref, recording]));
}

/**
 * Records attempts of one webhook in one transaction. The first try uses the data that was read before the attempts.
 * After a conflict, the data is read again, until the transaction succeeds. If the result of the transaction is
 * unclear, it is looked up: an error would send the same requests to receivers again.
 */
async function recordTogether(attempts: readonly Attempt[]): Promise<Recorded> {
  let cause: unknown;
  const recorded = await retrying(retryPolicy, async (round) => {
    try {
      const found = round === 1 ? undefined : await findDeliveries(attempts.map(({ ref }) => ref));
      const settled = attempts.map((one) => decide(one, found ? found(one.ref) : one));
      const changes = settled.filter(isChange);
      const writes = writesOf(changes);
      if (writes.length > 0 && (await transact(writes)) !== 'committed') return RETRY;
      const webhook = changes[0]?.webhook;
      const failures = changes.map((change) => change.failures);
      for (const event of webhook ? healthEvents(webhook, failures) : []) {
        emit({ Count: { [countedAs[event]]: 1 } }, { webhookId: webhook?.id });
      }
      return new Map(settled.map(({ ref, next }) => [ref, next]));
    } catch (error) {
      cause = error;
      return RETRY;
    }
  });
  if (recorded === RETRY) throw new Error(`Attempts could not be recorded in ${retryPolicy.attempts} tries`, { cause });
  return recorded;
}
