/** The integrators' servers: how they answer, and when they do not. */
import { limits } from '../../contract/limits.ts';
import type { Outcome } from '../../core/webhooks/sender/send.ts';
import type { Random } from './random.ts';

export interface Reply {
  readonly afterMs: number;
  readonly outcome: Outcome;
}

/** `nth` counts the requests of one delivery from 1. */
export type Receiver = (nth: number, now: number, random: Random) => Reply;

function answered(status: number, timeMs: number): Reply {
  return { afterMs: timeMs, outcome: { kind: 'answered', status, body: status < 300 ? 'thanks' : 'no', timeMs } };
}

function failed(errorCode: 'connect_error' | 'tls_error' | 'timeout', timeMs: number): Reply {
  const message = 'Nobody is there.';
  return { afterMs: timeMs, outcome: { kind: 'failed', errorCode, message, timeMs, ours: false, cause: undefined } };
}

const refusals = [301, 400, 401, 404, 410, 429, 500, 503];

export const healthy: Receiver = (_, __, random) => answered(random.pick([200, 200, 202, 204]), random.between(5, 300));
const refusing: Receiver = (_, __, random) => answered(random.pick(refusals), random.between(5, 300));
export const dead: Receiver = (_, __, random) =>
  failed(random.pick(['connect_error', 'tls_error'] as const), random.between(5, 900));
export const hanging: Receiver = () => failed('timeout', limits.deliveryTimeoutMs);

export const flaky =
  (rate: number): Receiver =>
  (nth, now, random) =>
    (random.chance(rate) ? random.pick([refusing, dead, hanging]) : healthy)(nth, now, random);

/** Fails the first requests of every delivery. */
export const failingFirst =
  (count: number): Receiver =>
  (nth, now, random) =>
    (nth <= count ? refusing : healthy)(nth, now, random);

export const downBetween =
  (from: number, to: number): Receiver =>
  (nth, now, random) =>
    (from <= now && now < to ? dead : healthy)(nth, now, random);

/** One of the kinds that integrators run, most of them healthy. */
export function someReceiver(random: Random, startAt: number, spanMs: number): Receiver {
  const share = random.below(100);
  if (share < 75) return healthy;
  if (share < 82) return flaky(0.3);
  if (share < 89) return failingFirst(random.between(1, limits.deliveryAttempts));
  if (share < 92) return hanging;
  if (share < 95) return dead;
  const from = startAt + random.below(spanMs);
  return downBetween(from, from + random.between(1, 9) * 3_600_000);
}
