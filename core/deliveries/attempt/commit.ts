/**
 * Records attempts. One that changes its own record and nothing else, as nearly all do, is one plain conditional write,
 * and a batch has all of these in one call. The others change their webhook too and go in transactions, each webhook's
 * apart, so that nobody waits for another's conflict.
 */
import type { MetricName } from '../../../contract/system/metrics.ts';
import { chunksOf } from '../../chunks.ts';
import { env } from '../../env.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import { again, type Patience, retrying } from '../../retrying.ts';
import { batchGet, type Lookup, type Wanted } from '../../store/batch-get.ts';
import type { Key } from '../../store/key.ts';
import { transact } from '../../store/transact.ts';
import { writeEach } from '../../store/write-each.ts';
import { isOwnRecord } from '../model/delivery-record.ts';
import { admit, announced, type HealthTurn, leavesAsIs, type Next, settle } from '../model/state.ts';
import type { Attempt, Found } from './attempt.ts';
import { findDeliveries } from './find.ts';
import { slowWebhookUpdates } from './slow-queue.ts';
import { healthFields, leavesHealthAsIs, type WebhookHealth, wasMade } from './webhook-health.ts';
import { type Change, plainWrite, turnsIn, writesOf } from './writes.ts';

/** What an attempt comes to, decided on what was last read. */
interface Decision {
  readonly attempt: Attempt;
  readonly next: Next;
  /** Absent when there is nothing to write. */
  readonly change?: Change;
}

/** Attempts that are on record, and what comes next of each. */
type Recorded = ReadonlyMap<Attempt, Next>;

const countedAs = {
  failing: 'WebhooksFailing',
  disabled: 'WebhooksDisabled',
  recovered: 'WebhooksRecovered',
} as const satisfies Record<HealthTurn, MetricName>;

/** A transaction takes a hundred writes: two for each attempt at most, one for the webhook, one for its key, and three to tell of. */
const attemptsPerTransaction = 47;
/** Enough rounds for a hundred batches of one webhook at once, each with retries to record. */
const patience: Patience = { rounds: 21, firstPauseMs: 40, longestPauseMs: 2_000 };

/**
 * Returns the function from an attempt to its next step. Its promise resolves once the attempt is on record, and rejects
 * when it could not be recorded or was not handed in: no attempt passes for recorded that is not.
 */
export function commit(made: readonly Attempt[]): (attempt: Attempt) => Promise<Next> {
  const plainly = recordPlainly(made);
  const together = plainly.then((recorded) => recordInOrder(made.filter((one) => !recorded.has(one))));
  return async (attempt) => {
    const recorded = await ((await together).get(attempt) ?? plainly);
    const next = recorded.get(attempt);
    if (!next) throw new Error('An attempt has no next step');
    return next;
  };
}

/** By webhook, no more together than a transaction takes, and one transaction of a webhook after the other. */
function recordInOrder(made: readonly Attempt[]): ReadonlyMap<Attempt, Promise<Recorded>> {
  const byWebhook = Map.groupBy(made, ({ webhook }) => webhook.id);
  const recordings = [...byWebhook.values()].flatMap((some) => {
    let before: Promise<unknown> = Promise.resolve();
    return chunksOf(some, attemptsPerTransaction).flatMap((group) => {
      const recording = before.then(() => recordTogether(group));
      before = Promise.allSettled([recording]);
      return group.map((one) => [one, recording] as const);
    });
  });
  return new Map(recordings);
}

function decide(attempt: Attempt, found: Found | undefined): Decision {
  // Deleted meanwhile: what was pending for it is dropped (docs/rules.md#webhooks).
  if (!found) return { attempt, next: { kind: 'stop' } };
  const { startedAt, endedAt } = attempt;
  switch (admit(found.delivery, attempt.message.attempt)) {
    case 'drop':
      return { attempt, next: { kind: 'stop' } };
    case 'announce':
      return { attempt, next: announced(found.delivery, endedAt) };
    case 'attempt': {
      const { next, written, failures } = settle(found.delivery, attempt.result, endedAt, env.timeScale());
      return { attempt, next, ...(written && { change: { ...found, written, failures, startedAt, endedAt } }) };
    }
  }
}

/** Never rejects: what one batch of plain writes does not record is left to the transactions. */
async function recordPlainly(made: readonly Attempt[]): Promise<Recorded> {
  const plain = await stillPlain(plainOf(made.map((one) => decide(one, one))));
  const ends = await writeEach([...plain.map(({ change }) => plainWrite(change)), ...slowWebhookUpdates(made)]);
  return new Map(plain.filter((_, i) => ends[i] === 'done').map(({ attempt, next }) => [attempt, next]));
}

type Plain = Decision & { readonly change: Change };

/** Those that leave their webhook as it is, and do not come after one of the batch that changes it. */
function plainOf(decisions: readonly Decision[]): readonly Plain[] {
  const changing = new Set<number>();
  return decisions.filter((decision): decision is Plain => {
    const { change } = decision;
    if (!change) return false;
    if (!leavesAlone(change.webhook, change)) changing.add(change.webhook.id);
    return isOwnRecord(change.delivery) && !changing.has(change.webhook.id);
  });
}

function leavesAlone(webhook: WebhookHealth, change: Change): boolean {
  return leavesAsIs(webhook, change.failures) && leavesHealthAsIs(webhook, change);
}

/**
 * Those that leave their webhook as it is now. The webhook is read again, because an attempt takes up to ten seconds: a
 * failure that was counted meanwhile came before this success, and must not stand.
 */
async function stillPlain(plain: readonly Plain[]): Promise<readonly Plain[]> {
  const place = (key: Key): Wanted => ({ store: 'deliveries', key, fields: ['pk', 'sk', ...healthFields] });
  const resting = plain.filter(({ change }) => wasMade(change));
  let lookup: Lookup = () => undefined;
  try {
    lookup = await batchGet(resting.map(({ change }) => place(change.webhook)));
  } catch (error) {
    log.warn('The webhooks of a batch cannot be read again', { error });
  }
  return plain.filter((one) => {
    if (!resting.includes(one)) return true;
    const webhook = lookup<WebhookHealth>(place(one.change.webhook));
    return webhook !== undefined && leavesAlone(webhook, one.change);
  });
}

/**
 * Attempts of one webhook in one transaction, decided at first on what they were made with, then on what is read again,
 * until the writes hold. The requests were made, so an unclear answer is looked into: passed on, it would repeat them.
 */
async function recordTogether(made: readonly Attempt[]): Promise<Recorded> {
  let cause: unknown;
  const recorded = await retrying(patience, async (round) => {
    try {
      const found = round === 1 ? undefined : await findDeliveries(made.map(({ message }) => message));
      const decisions = made.map((one) => decide(one, found ? found(one.message) : one));
      const changes = decisions.flatMap(({ change }) => change ?? []);
      const writes = writesOf(changes);
      if (writes.length > 0 && (await transact(writes)) !== 'committed') return again;
      for (const { webhook, turn } of turnsIn(changes))
        emit({ Count: { [countedAs[turn]]: 1 } }, { webhookId: webhook.id });
      return new Map(decisions.map(({ attempt, next }) => [attempt, next]));
    } catch (error) {
      cause = error;
      return again;
    }
  });
  if (recorded === again) throw new Error(`Attempts could not be recorded in ${patience.rounds} rounds`, { cause });
  return recorded;
}
