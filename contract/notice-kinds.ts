/** The kinds of notices about a webhook or an API key (docs/rules.md#notices). Their texts are in `notices.ts`. */

/** The kinds have the names of their events (`contract/system/operational-events.ts`). */
export const noticeKinds = [
  'webhook.failing',
  'webhook.disabled',
  'webhook.recovered',
  'key.expires_in_14_days',
  'key.expires_in_3_days',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The notices about an API key by days before its expiry, the most urgent first. */
export const expiryNotices = [
  { kind: 'key.expires_in_3_days', days: 3 },
  { kind: 'key.expires_in_14_days', days: 14 },
] as const satisfies readonly { readonly kind: NoticeKind; readonly days: number }[];
