/**
 * The first webhook of a business stores the reservations of the business (docs/rules.md#sending-budget). When another
 * webhook becomes the first, the same transaction moves the reservations; without a webhook, a separate item stores
 * them.
 */
import { now } from '../../clock.ts';
import { getItem } from '../../store/read.ts';
import { put, set, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { firstWebhooks } from './store.ts';
import type { Reserved, WebhookItem } from './webhook.ts';

interface TakeOver {
  /** The fields that the new first webhook takes over. */
  readonly fields: Reserved & Partial<Pick<WebhookItem, 'reservations'>>;
  readonly writes: readonly Write[];
}

/** Reservations are made for a week at most. */
const keptSeconds = 8 * 86_400;

/**
 * The writes for a new webhook. A concurrent plan that read the former first webhook fails; a concurrent deletion of
 * the last webhook fails, too.
 */
export async function takeOverReservations({ tenantId, sk }: Pick<WebhookItem, 'tenantId' | 'sk'>): Promise<TakeOver> {
  const [first] = await firstWebhooks(tenantId, 1);
  // In this order: a deletion writes the item before the webhook is gone.
  if (!first) return { fields: reservedBy(await getItem('deliveries', deliveries.budget(tenantId))), writes: [] };
  const reservations = first.reservations + 1;
  return {
    fields: first.sk < sk ? {} : { ...reservedBy(first), reservations },
    writes: [set('deliveries', first, { reservations }, { reservations: first.reservations })],
  };
}

/** For a webhook that is deleted. */
export async function handOverReservations({ tenantId, sk, ...webhook }: WebhookItem): Promise<readonly Write[]> {
  const reserved = reservedBy(webhook);
  if (!reserved.sends) return [];
  const [first, heir] = await firstWebhooks(tenantId, 2);
  if (first?.sk !== sk) return [];
  if (!heir) {
    const expiresAtSeconds = Math.ceil(now() / 1_000) + keptSeconds;
    return [put('deliveries', { ...deliveries.budget(tenantId), ...reserved, expiresAtSeconds })];
  }
  const { reservations } = heir;
  return [set('deliveries', heir, { ...reserved, reservations: reservations + 1 }, { reservations })];
}

function reservedBy({ sends, hostSends }: Reserved = {}): Reserved {
  return { ...(sends && { sends }), ...(hostSends && { hostSends }) };
}
