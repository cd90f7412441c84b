/** Metrics of a batch: how its attempts ended, why, and how long an event waited for its first. */
import { causedBy } from '../../cause.ts';
import { timeOfId } from '../../clock.ts';
import { emit, type Measured, valuesPerLine } from '../../metrics.ts';
import { answerFields, judge, type Next, type Verdict } from '../model/state.ts';
import { type Attempt, type Decided, isAttempt } from './attempt.ts';

/** An attempt that is over. `next` is absent when it could not be recorded. */
interface Ended {
  readonly attempt: Attempt;
  readonly next?: Next | undefined;
}

/** An attempt whose webhook or key was disabled counts as none. */
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
    /** Each attempt with the request that caused it, so that a request can be followed to here. */
    readonly attempts: readonly object[];
  };
}

/** Emits them once each attempt is recorded or cannot be. */
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

/** Nothing when no attempt was due. `notMade` counts attempts that a platform fault prevented. */
export function attemptMetrics(ended: readonly Ended[], notMade = 0): AttemptMetrics | undefined {
  if (ended.length + notMade === 0) return undefined;
  const verdicts = [...ended.map(verdictOf), ...Array<Verdict>(notMade).fill('platformFault')];
  const counted = verdicts.flatMap((verdict) => (verdict in countedAs ? countedAs[verdict as Counted] : []));
  const sent = ended
    .filter((_, i) => verdicts[i] !== 'platformFault')
    .flatMap(({ attempt }) => (attempt.outcome.kind === 'disabled' ? [] : attempt));
  const waits = sent
    // The time of one that was held is its business's own.
    .filter(({ ref, delivery }) => ref.attempt === 1 && !delivery.nextAttemptAt)
    .map(({ delivery, startedAt }) => Math.max(0, startedAt - timeOfId(delivery.eventId)));
  const codes = sent.flatMap(({ outcome }) => answerFields(outcome).errorCode ?? []);
  return {
    measured: {
      ...(counted.length > 0 && { Count: tally(counted) }),
      // Where there are more, a hundred of them show as much.
      ...(waits.length > 0 && { Milliseconds: { EventToFirstAttempt: waits.slice(0, valuesPerLine) } }),
    },
    properties: {
      ...(codes.length > 0 && { errorCodes: tally(codes) }),
      attempts: ended.map(({ attempt }, i) => lineOf(attempt, verdicts[i])),
    },
  };
}

function lineOf({ delivery: { requestId, deliveryId }, ref, outcome }: Attempt, end: Verdict | undefined) {
  const { errorCode } = answerFields(outcome);
  return { ...causedBy(requestId), deliveryId, attempt: ref.attempt, end, ...(errorCode && { errorCode }) };
}

function verdictOf({ attempt, next }: Ended): Verdict {
  if (!next) return 'platformFault';
  return judge(attempt.outcome, next.kind === 'send' ? 'refused' : 'exhausted');
}

function tally<T extends string>(names: readonly T[]): Partial<Record<T, number>> {
  const counts: Partial<Record<T, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
