/**
 * Stores which origins are slow (docs/rules.md#fairness): a new or changed webhook with a slow origin is slow at once,
 * even if the webhook that was slow is deleted.
 */
import { now } from '../../clock.ts';
import { getItem } from '../../store/read.ts';
import { put, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { webhooksOfBusiness } from './store.ts';
import type { WebhookItem } from './webhook.ts';

type Slowness = Pick<WebhookItem, 'slowUntil'>;

/** Undefined for a webhook with a feed. */
const originOf = ({ targetUrl }: Pick<WebhookItem, 'targetUrl'>) => URL.parse(targetUrl)?.origin;

/** Until when a new webhook with this origin is slow; empty if the origin is not slow. */
export async function slownessOf(tenantId: number, targetUrl: string): Promise<Slowness> {
  const origin = originOf({ targetUrl });
  if (origin === undefined) return {};
  const [others, left] = await Promise.all([
    webhooksOfBusiness(tenantId),
    getItem<Slowness>('deliveries', deliveries.slowOrigin(tenantId, origin)),
  ]);
  const sameOrigin = [...others.filter((other) => originOf(other) === origin), ...(left ? [left] : [])];
  const slowUntil = Math.max(0, ...sameOrigin.map((one) => one.slowUntil ?? 0));
  return slowUntil > now() ? { slowUntil } : {};
}

/** The write that stores until when the origin of a deleted or moved webhook is slow, if it is. */
export function slownessWrites(webhook: WebhookItem): readonly Write[] {
  const { tenantId, slowUntil = 0 } = webhook;
  const origin = originOf(webhook);
  if (origin === undefined || slowUntil <= now()) return [];
  const key = deliveries.slowOrigin(tenantId, origin);
  return [put('deliveries', { ...key, slowUntil, expiresAtSeconds: Math.ceil(slowUntil / 1_000) })];
}
