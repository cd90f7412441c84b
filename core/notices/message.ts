/** Messages of the queue `notices`: operational events, results of emails, and windows that have ended. */
import * as z from 'zod/mini';
import { type NoticeKind, noticeKinds } from '../../contract/notice-kinds.ts';
import { keyEventData, webhookEventData } from '../../contract/system/operational-events.ts';

const happened = { id: z.int(), tenantId: z.int(), occurredAt: z.string() };
/** Unknown fields are ignored, because a later version may add some. */
const event = z.object({
  ...happened,
  data: z.union([z.object(webhookEventData.shape), z.object(keyEventData.shape)]),
});
export type NoticeEvent = z.infer<typeof event>;

const operational = z.object({
  source: z.literal('booking'),
  'detail-type': z.enum(noticeKinds),
  detail: z.object({ events: z.array(event) }),
});

const recipients = z.array(z.object({ emailAddress: z.string() }));
/** The events of Amazon SES about an email (Amazon SES developer guide, "Examples of event data"). */
const returned = z.object({
  source: z.literal('aws.ses'),
  detail: z.union([
    z.object({ bounce: z.object({ bounceType: z.string(), bouncedRecipients: recipients }) }),
    z.object({ complaint: z.object({ complainedRecipients: recipients }) }),
  ]),
});

const windowEnd = z.object({ tenantId: z.int(), address: z.string(), window: z.int() });
export type WindowEnd = z.infer<typeof windowEnd>;

export type NoticeMessage =
  | { readonly is: 'events'; readonly kind: NoticeKind; readonly events: readonly NoticeEvent[] }
  | { readonly is: 'returned'; readonly reason: 'bounced' | 'complained'; readonly addresses: readonly string[] }
  | ({ readonly is: 'window end' } & WindowEnd);

const message = z.union([operational, returned, windowEnd]);

/** Throws for any other message. */
export function parseNoticeMessage(body: string): NoticeMessage {
  const read = z.parse(message, JSON.parse(body));
  if ('window' in read) return { is: 'window end', ...read };
  if ('detail-type' in read) return { is: 'events', kind: read['detail-type'], events: read.detail.events };
  const { detail } = read;
  if ('complaint' in detail) {
    return { is: 'returned', reason: 'complained', addresses: addressesOf(detail.complaint.complainedRecipients) };
  }
  // Temporary problems, such as a full mailbox, are ignored: Amazon SES has tried for hours, and tries again with the
  // next email.
  const isPermanent = detail.bounce.bounceType === 'Permanent';
  return {
    is: 'returned',
    reason: 'bounced',
    addresses: isPermanent ? addressesOf(detail.bounce.bouncedRecipients) : [],
  };
}

/** `Salon <owner@salon.example>` → `owner@salon.example`. */
function addressesOf(found: z.infer<typeof recipients>): readonly string[] {
  return found.map(({ emailAddress }) => emailAddress.slice(emailAddress.lastIndexOf('<') + 1).replace('>', ''));
}
