/**
 * What a new or changed webhook takes over from other webhooks of the business, even if they are deleted: its origin is
 * slow (docs/rules.md#fairness); its host has responded with 2xx (docs/rules.md#sending-budget).
 */
import { limits } from '../../../contract/limits.ts';
import { dayMs, now } from '../../clock.ts';
import { getItem } from '../../store/read.ts';
import { put, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { webhooksOfBusiness } from './store.ts';
import { hostOf, type WebhookItem } from './webhook.ts';

type ReceiverState = Pick<WebhookItem, 'slowUntil' | 'answeredHost'>;

/** Undefined for a webhook with a feed. */
const originOf = ({ targetUrl }: Pick<WebhookItem, 'targetUrl'>) => URL.parse(targetUrl)?.origin;

/** Until when the origin is slow, if it is, and the host, if it has responded to another webhook. */
export async function receiverStateOf(tenantId: number, targetUrl: string): Promise<ReceiverState> {
  const origin = originOf({ targetUrl });
  if (origin === undefined) return {};
  const [others, left] = await Promise.all([
    webhooksOfBusiness(tenantId),
    getItem<ReceiverState>('deliveries', deliveries.formerOrigin(tenantId, origin)),
  ]);
  const sameOrigin = [...others.filter((other) => originOf(other) === origin), left ?? {}];
  const slowUntil = Math.max(0, ...sameOrigin.map((one) => one.slowUntil ?? 0));
  const host = hostOf({ targetUrl });
  const hasAnswered = [...others, left].some((one) => one?.answeredHost === host);
  return { ...(slowUntil > now() && { slowUntil }), ...(hasAnswered && { answeredHost: host }) };
}

/** The write that stores what is known about the origin of a deleted or moved webhook, if anything is. */
export function formerOriginWrites(webhook: WebhookItem): readonly Write[] {
  const { tenantId, slowUntil = 0, answeredHost } = webhook;
  const origin = originOf(webhook);
  const hasAnswered = answeredHost === hostOf(webhook);
  const until = hasAnswered ? now() + limits.deliveryRetentionDays * dayMs : slowUntil;
  if (origin === undefined || until <= now()) return [];
  const item = { ...deliveries.formerOrigin(tenantId, origin), slowUntil, ...(hasAnswered && { answeredHost }) };
  return [put('deliveries', { ...item, expiresAtSeconds: Math.ceil(until / 1_000) })];
}
