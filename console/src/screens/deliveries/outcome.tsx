/** The outcome of an attempt. */
import type { Answer } from '../../api/call.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { milliseconds } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.deliveries;
const tones = { pending: 'none', success: 'good', retrying: 'waiting', failed: 'bad' } as const;

export type Attempt = Answer<'listDeliveries'>['data'][number];

interface OutcomeProps {
  readonly status: Attempt['deliveryStatus'];
  /** The time until which a pending attempt is delayed. */
  readonly nextAttemptAt?: string | null;
}

export function Outcome({ status, nextAttemptAt }: OutcomeProps) {
  if (status === 'pending' && nextAttemptAt) return <StatusBadge tone="waiting" label={texts.held} />;
  return <StatusBadge tone={tones[status]} label={texts.statuses[status]} />;
}

/** Returns `503 in 120 ms`, or the reason why there was no response. A message in a feed is a success without one. */
export function answerOf({ deliveryStatus, responseStatusCode, responseTimeMs, errorCode }: Attempt): string {
  if (responseStatusCode > 0) return texts.responded(responseStatusCode, milliseconds(responseTimeMs));
  if (errorCode) return texts.errors[errorCode];
  if (deliveryStatus === 'success') return texts.inFeed;
  return deliveryStatus === 'pending' ? texts.notYet : texts.noAnswer;
}

/** Whether the receiver probably rejected the signature. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}
