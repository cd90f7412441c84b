/**
 * Metrics of a batch: the results of its attempts with their error codes, and the time from an event to its first
 * attempt.
 */
import { causedBy } from '../../cause.ts';
import { timeOfId } from '../../clock.ts';
import { emit, type Measured, valuesPerLine } from '../../metrics.ts';
import { type Next, responseFields, type Verdict, verdictOf } from '../model/state.ts';
import { type Attempt, type Decided, isAttempt } from './attempt.ts';

/** An attempt that has ended. `next` is absent if the attempt could not be recorded. */
interface Ended {
  readonly attempt: Attempt;
  readonly next?: Next | undefined;
}

/** An attempt of a disabled webhook or key is not counted, because no request was sent. */
const countedAs = {
  delivered: 'AttemptsSucceeded',
  refused: 'AttemptsRetrying',
  exhausted: 'AttemptsFailed',
  platformFault: 'OwnFaults',
} as const satisfies Partial<Record<Verdict, keyof NonNullable<Measured['Count']>>>;
type Counted = keyof typeof countedAs;

interface AttemptMetrics {
  readonly measured: Measured;
  readonly properties: {
    /** How many attempts failed by each error code. */
    readonly errorCodes?: Readonly<Record<string, number>>;
    /** Each attempt with the id of the request that caused it, so that the log shows the effects of a request. */
    readonly attempts: readonly object[];
  };
}

/** Emits the metrics when each attempt is recorded or cannot be recorded. */
export async function emitMetrics(
  handled: readonly (Attempt | Decided)[],
  decided: readonly Promise<Decided>[],
): Promise<void> {
  const ends = await Promise.allSettled(decided);
  const ended = handled.flatMap((one, i) => {
    const end = ends[i];
    return isAttempt(one) ? { attempt: one, next: end?.status === 'fulfilled' ? end.value.next : undefined } : [];
  });
  const unread = handled.filter((one) => 'isPlatformFault' in one).length;
  const metrics = attemptMetrics(ended, unread);
  if (metrics) emit(metrics.measured, metrics.properties);
}

/** Returns nothing if no attempt was due. `notMade` is the number of attempts that a platform fault prevented. */
export function attemptMetrics(ended: readonly Ended[], notMade = 0): AttemptMetrics | undefined {
  if (ended.length + notMade === 0) return undefined;
  const verdicts = [...ended.map(finalVerdict), ...Array<Verdict>(notMade).fill('platformFault')];
  const counted = verdicts.flatMap((verdict) => (verdict in countedAs ? countedAs[verdict as Counted] : []));
  const sent = ended
    .filter((_, i) => verdicts[i] !== 'platformFault')
    .flatMap(({ attempt }) => (attempt.outcome.kind === 'disabled' ? [] : attempt));
  const waits = sent
    // The delay of a held attempt is caused by its business, so it is not counted.
    .filter(({ ref, delivery }) => ref.attempt === 1 && !delivery.nextAttemptAt)
    .map(({ delivery, startedAt }) => Math.max(0, startedAt - timeOfId(delivery.eventId)));
  const codes = sent.flatMap(({ outcome }) => responseFields(outcome).errorCode ?? []);
  return {
    measured: {
      ...(counted.length > 0 && { Count: tally(counted) }),
      // A metric takes at most a hundred values; a sample of a hundred is enough.
      ...(waits.length > 0 && { Milliseconds: { EventToFirstAttempt: waits.slice(0, valuesPerLine) } }),
    },
    properties: {
      ...(codes.length > 0 && { errorCodes: tally(codes) }),
      attempts: ended.map(({ attempt }, i) => lineOf(attempt, verdicts[i])),
    },
  };
}

function lineOf({ delivery: { requestId, deliveryId }, ref, outcome }: Attempt, end: Verdict | undefined) {
  const { errorCode } = responseFields(outcome);
  return { ...causedBy(requestId), deliveryId, attempt: ref.attempt, end, ...(errorCode && { errorCode }) };
}

function finalVerdict({ attempt, next }: Ended): Verdict {
  if (!next) return 'platformFault';
  return verdictOf(attempt.outcome, next.kind === 'send' ? 'refused' : 'exhausted');
}

function tally<T extends string>(names: readonly T[]): Partial<Record<T, number>> {
  const counts: Partial<Record<T, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
