/**
 * What a new or changed webhook takes over from other webhooks of the business: its origin is slow (docs/rules.md#fairness),
 * even if the webhook that was slow is deleted; its host has responded with 2xx (docs/rules.md#sending-budget).
 */
import { now } from '../../clock.ts';
import { getItem } from '../../store/read.ts';
import { put, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { webhooksOfBusiness } from './store.ts';
import { hostOf, type WebhookItem } from './webhook.ts';

type Slowness = Pick<WebhookItem, 'slowUntil'>;
type ReceiverState = Slowness & Pick<WebhookItem, 'answeredHost'>;

/** Undefined for a webhook with a feed. */
const originOf = ({ targetUrl }: Pick<WebhookItem, 'targetUrl'>) => URL.parse(targetUrl)?.origin;

/** Until when the origin is slow, if it is, and the host, if it has responded to another webhook. */
export async function receiverStateOf(tenantId: number, targetUrl: string): Promise<ReceiverState> {
  const origin = originOf({ targetUrl });
  if (origin === undefined) return {};
  const [others, left] = await Promise.all([
    webhooksOfBusiness(tenantId),
    getItem<Slowness>('deliveries', deliveries.slowOrigin(tenantId, origin)),
  ]);
  const sameOrigin = [...others.filter((other) => originOf(other) === origin), ...(left ? [left] : [])];
  const slowUntil = Math.max(0, ...sameOrigin.map((one) => one.slowUntil ?? 0));
  const host = hostOf({ targetUrl });
  const hasAnswered = others.some(({ answeredHost }) => answeredHost === host);
  return { ...(slowUntil > now() && { slowUntil }), ...(hasAnswered && { answeredHost: host }) };
}

/** The write that stores until when the origin of a deleted or moved webhook is slow, if it is. */
export function slownessWrites(webhook: WebhookItem): readonly Write[] {
  const { tenantId, slowUntil = 0 } = webhook;
  const origin = originOf(webhook);
  if (origin === undefined || slowUntil <= now()) return [];
  const key = deliveries.slowOrigin(tenantId, origin);
  return [put('deliveries', { ...key, slowUntil, expiresAtSeconds: Math.ceil(slowUntil / 1_000) })];
}
