/** The kinds of notices about a webhook or an API key (docs/rules.md#notices). The words are in `notices.ts`. */

/** Called like the events that tell of them (`contract/system/operational-events.ts`). */
export const noticeKinds = [
  'webhook.failing',
  'webhook.disabled',
  'webhook.recovered',
  'key.expires_in_14_days',
  'key.expires_in_3_days',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The notices of an API key: so many days before the one on which it expires. The most urgent first. */
export const expiryNotices = [
  { kind: 'key.expires_in_3_days', days: 3 },
  { kind: 'key.expires_in_14_days', days: 14 },
] as const satisfies readonly { readonly kind: NoticeKind; readonly days: number }[];
