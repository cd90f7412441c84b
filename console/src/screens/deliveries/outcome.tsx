/** How an attempt ended, in words and a colour. */
import type { Answer } from '../../api/call.ts';
import { milliseconds } from '../../format/times.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.deliveries;
const tones = { pending: 'none', success: 'good', retrying: 'waiting', failed: 'bad' } as const;

export type Attempt = Answer<'listDeliveries'>['data'][number];

export function Outcome({ status }: { readonly status: Attempt['deliveryStatus'] }) {
  return <StatusBadge tone={tones[status]} label={texts.statuses[status]} />;
}

/** `503 in 120 ms`, or why there was no answer. */
export function answerOf({ deliveryStatus, responseStatusCode, responseTimeMs, errorCode }: Attempt): string {
  if (responseStatusCode > 0) return texts.answered(responseStatusCode, milliseconds(responseTimeMs));
  if (errorCode) return texts.errors[errorCode];
  return deliveryStatus === 'pending' ? texts.notYet : texts.noAnswer;
}

/** Whether a receiver that answers so does not trust the signature. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}
