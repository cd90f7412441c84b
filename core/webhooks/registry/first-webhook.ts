/**
 * The first webhook of a business keeps what the business has reserved (docs/rules.md#sending-budget). When another one
 * becomes the first, it takes that over in the same transaction.
 */
import { set, type Write } from '../../store/write.ts';
import { webhooksAfter } from './store.ts';
import type { Reserved, WebhookItem } from './webhook.ts';

interface TakeOver {
  /** What the webhook that becomes the first begins with. */
  readonly fields: Reserved & Partial<Pick<WebhookItem, 'reservations'>>;
  readonly writes: readonly Write[];
}

/** For a webhook that is created. A plan that read the former first webhook is refused. */
export async function asFirst({ tenantId, sk }: Pick<WebhookItem, 'tenantId' | 'sk'>): Promise<TakeOver> {
  const [first] = (await webhooksAfter(tenantId, undefined, 1)).webhooks;
  if (!first || first.sk < sk) return { fields: {}, writes: [] };
  const { sends, hostSends } = first;
  const reservations = first.reservations + 1;
  return {
    fields: { ...(sends && { sends }), ...(hostSends && { hostSends }), reservations },
    writes: [set('deliveries', first, { reservations }, { reservations: first.reservations })],
  };
}

/** For a webhook that is deleted. */
export async function afterFirst({ tenantId, sk, sends, hostSends }: WebhookItem): Promise<readonly Write[]> {
  if (!sends) return [];
  const [first, heir] = (await webhooksAfter(tenantId, undefined, 2)).webhooks;
  if (first?.sk !== sk || !heir) return [];
  const { reservations } = heir;
  return [set('deliveries', heir, { sends, hostSends, reservations: reservations + 1 }, { reservations })];
}
