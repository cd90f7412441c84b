/** What a batch says of its attempts: how they ended, why, and how long an event waited for its first. Pure. */
import { causedBy } from '../../cause.ts';
import { timeOfId } from '../../clock.ts';
import { type Measured, valuesPerLine } from '../../metrics.ts';
import { answerFields, judge, type Next, type Verdict } from '../model/state.ts';
import type { Attempt } from './attempt.ts';

/** A message that was handled. */
export interface Handled {
  /** Absent when nothing was due or nothing could be read. */
  readonly made?: Attempt | undefined;
  /** Absent when a fault of our own was in the way of the attempt or of its record. */
  readonly next?: Next | undefined;
}

/** An attempt without a row was none: its webhook or key was switched off. */
const countedAs = {
  delivered: 'AttemptsSucceeded',
  refused: 'AttemptsRetrying',
  exhausted: 'AttemptsFailed',
  ours: 'OwnFaults',
} as const satisfies Partial<Record<Verdict, keyof NonNullable<Measured['Count']>>>;
type Counted = keyof typeof countedAs;

export interface AttemptMetrics {
  readonly measured: Measured;
  readonly properties: {
    /** How many attempts failed by each error code. */
    readonly errorCodes?: Readonly<Record<string, number>>;
    /** Each attempt with the request that caused it, so that a request can be followed to here. */
    readonly attempts: readonly object[];
  };
}

/** Nothing when no attempt was due. What counts nothing are attempts that fell due in vain. */
export function attemptMetrics(batch: readonly Handled[]): AttemptMetrics | undefined {
  const ends = batch.map(verdictOf);
  const counted = ends.flatMap((end) => (end && end in countedAs ? countedAs[end as Counted] : []));
  const attempts = batch.flatMap(({ made: attempt }, i) => (attempt ? lineOf(attempt, ends[i]) : []));
  if (counted.length + attempts.length === 0) return undefined;
  const made = batch.flatMap(({ made: attempt }, i) => (attempt && ends[i] !== 'ours' ? attempt : []));
  const waits = made.flatMap(({ message, delivery, startedAt, result }) =>
    message.attempt === 1 && result.kind !== 'disabled' ? Math.max(0, startedAt - timeOfId(delivery.eventId)) : [],
  );
  const codes = made.flatMap(({ result }) =>
    result.kind === 'disabled' ? [] : (answerFields(result).errorCode ?? []),
  );
  return {
    measured: {
      ...(counted.length > 0 && { Count: tally(counted) }),
      // Where there are more, a hundred of them tell as much.
      ...(waits.length > 0 && { Milliseconds: { EventToFirstAttempt: waits.slice(0, valuesPerLine) } }),
    },
    properties: { ...(codes.length > 0 && { errorCodes: tally(codes) }), attempts },
  };
}

function lineOf({ delivery, message, result }: Attempt, end: Verdict | undefined) {
  const { requestId, deliveryId } = delivery;
  const { errorCode } = answerFields(result);
  return { ...causedBy(requestId), deliveryId, attempt: message.attempt, end, ...(errorCode && { errorCode }) };
}

function verdictOf({ made, next }: Handled): Verdict | undefined {
  if (!next) return 'ours';
  return made && judge(made.result, next.kind === 'send' ? 'refused' : 'exhausted');
}

function tally<T extends string>(names: readonly T[]): Partial<Record<T, number>> {
  const counts: Partial<Record<T, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
