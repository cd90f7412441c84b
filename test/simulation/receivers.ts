/** The integrators' servers, with their responses and failures. */

import type { DeliveryErrorCode } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { type Stage, sendFailure } from '../../core/webhooks/sender/failures.ts';
import type { SendOutcome } from '../../core/webhooks/sender/send.ts';
import type { Random } from './random.ts';

export interface Reply {
  readonly afterMs: number;
  readonly outcome: SendOutcome;
  /** The error code that the record must contain if there is no response. */
  readonly errorCode?: DeliveryErrorCode;
}

/** `nth` counts the requests of one delivery from 1. */
export type Receiver = (nth: number, now: number, random: Random) => Reply;

function replyWith(status: number, timeMs: number): Reply {
  return { afterMs: timeMs, outcome: { kind: 'response', status, body: status < 300 ? 'thanks' : 'no', timeMs } };
}

interface Cause {
  /** The code of the system, the parser or the TLS library, and the stage of the attempt. */
  readonly code: string;
  readonly stage: Stage;
  readonly errorCode: DeliveryErrorCode;
}

/** Failures of servers, and the error codes that integrators see. */
const causes: readonly Cause[] = [
  { code: 'ECONNREFUSED', stage: 'connect', errorCode: 'connect_error' },
  { code: 'EHOSTUNREACH', stage: 'connect', errorCode: 'connect_error' },
  { code: 'ENOTFOUND', stage: 'resolve', errorCode: 'dns_error' },
  { code: 'CERT_HAS_EXPIRED', stage: 'secure', errorCode: 'tls_error' },
  { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', stage: 'exchange', errorCode: 'tls_error' },
  { code: 'HPE_INVALID_CONSTANT', stage: 'exchange', errorCode: 'protocol_error' },
  { code: 'ECONNRESET', stage: 'exchange', errorCode: 'connect_error' },
];

function failed({ code, stage, errorCode }: Cause, timeMs: number): Reply {
  const failure = sendFailure(Object.assign(new Error(code), { code }), stage);
  const { errorCode: expected, message, platformFault, cause } = failure;
  return {
    afterMs: timeMs,
    outcome: { kind: 'failed', errorCode: expected, message, platformFault, cause },
    errorCode,
  };
}

const refusals = [301, 400, 401, 404, 410, 429, 500, 503];

export const healthy: Receiver = (_, __, random) =>
  replyWith(random.pick([200, 200, 202, 204]), random.between(5, 300));
export const refusing: Receiver = (_, __, random) => replyWith(random.pick(refusals), random.between(5, 300));
export const dead: Receiver = (_, __, random) => failed(random.pick(causes), random.between(5, 900));
export const hanging: Receiver = () =>
  failed({ code: 'ETIMEDOUT', stage: 'connect', errorCode: 'timeout' }, limits.deliveryTimeoutMs);

export const flaky =
  (rate: number): Receiver =>
  (nth, now, random) =>
    (random.chance(rate) ? random.pick([refusing, dead, hanging]) : healthy)(nth, now, random);

/** Takes seconds for every response, and refuses some requests. */
export const slowly =
  (rate: number): Receiver =>
  (_, __, random) =>
    replyWith(random.pick(random.chance(rate) ? refusals : [200, 204]), random.between(1_000, 9_500));

export const failingFirst =
  (count: number): Receiver =>
  (nth, now, random) =>
    (nth <= count ? refusing : healthy)(nth, now, random);

export const downBetween =
  (from: number, to: number): Receiver =>
  (nth, now, random) =>
    (from <= now && now < to ? dead : healthy)(nth, now, random);

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
