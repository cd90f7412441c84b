/** The status of a payment: paid, partly refunded or refunded. */
import type { Answer } from '../../api/call.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { strings } from '../../strings/strings.ts';

export type Payment = Answer<'listPayments'>['data'][number];

const tones = { paid: 'good', partly: 'waiting', refunded: 'none' } as const;

export function PaymentState({ payment: { amount, refundedAmount } }: { readonly payment: Payment }) {
  const partly = refundedAmount < amount ? 'partly' : 'refunded';
  const state = refundedAmount === 0 ? 'paid' : partly;
  return <StatusBadge tone={tones[state]} label={strings.payments.statuses[state]} />;
}
