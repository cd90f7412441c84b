/** The receivers of the demo business: one that works, one that fails at times, and one that no longer exists. */
import type { EventName } from '../../contract/event-names.ts';

interface ReceiverRow {
  readonly path: string;
  readonly description: string;
  readonly events: readonly EventName[];
  /** The current response, and for how many of its last events at most. It accepted all earlier ones. */
  readonly answers: { readonly status: number; readonly body: string; readonly events: number };
}

/** A delivery fails after six attempts, and five failed ones disable a webhook: four and twelve are below and above. */
export const demoReceivers: readonly ReceiverRow[] = [
  {
    path: '/demo/crm',
    description: 'Client cards in the CRM',
    events: ['booking.created', 'booking.cancelled', 'booking.completed', 'booking.no_show', 'client.created'],
    answers: { status: 200, body: '{"received":true}', events: 0 },
  },
  {
    path: '/demo/accounting',
    description: 'Invoices in the accounting',
    events: ['payment.received', 'payment.refunded'],
    answers: { status: 500, body: '{"error":"The invoice series of this year is full."}', events: 4 },
  },
  {
    path: '/demo/old-site',
    description: 'Reviews on the old website',
    events: ['review.created'],
    answers: { status: 410, body: 'This site has moved.', events: 12 },
  },
];
