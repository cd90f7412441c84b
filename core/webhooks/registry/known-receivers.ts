/**
 * Two facts that a new or changed webhook takes over from other webhooks of the business, even from deleted ones: that
 * its origin is slow (docs/rules.md#fairness), and that its host has responded with 2xx (docs/rules.md#sending-budget).
 */
import { limits } from '../../../contract/limits.ts';
import { dayMs, now } from '../../clock.ts';
import { getItem } from '../../store/read.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { put, set, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { webhooksOfBusiness } from './store.ts';
import { hostOf, type WebhookItem } from './webhook.ts';

type ReceiverState = Pick<WebhookItem, 'slowUntil' | 'answeredHost'>;
type FormerReceiver = ReceiverState & { readonly expiresAtSeconds: number };

/** Undefined for a webhook with a feed. */
const originOf = ({ targetUrl }: Pick<WebhookItem, 'targetUrl'>) => URL.parse(targetUrl)?.origin;

/** Until when the origin is slow, if it is, and the host, if it has responded to another webhook. */
export async function receiverStateOf(tenantId: number, targetUrl: string): Promise<ReceiverState> {
  const origin = originOf({ targetUrl });
  if (origin === undefined) return {};
  const host = hostOf({ targetUrl });
  const former = async (name: string): Promise<ReceiverState | undefined> => {
    const item = await getItem<FormerReceiver>('deliveries', deliveries.formerReceiver(tenantId, name));
    // DynamoDB deletes expired items some days late.
    return item && item.expiresAtSeconds > now() / 1_000 ? item : undefined;
  };
  const [others, formerOrigin, formerHost] = await Promise.all([
    webhooksOfBusiness(tenantId),
    former(origin),
    former(host),
  ]);
  const sameOrigin = [...others.filter((other) => originOf(other) === origin), formerOrigin ?? {}];
  const slowUntil = Math.max(0, ...sameOrigin.map((one) => one.slowUntil ?? 0));
  const hasAnswered = [...others, formerHost].some((one) => one?.answeredHost === host);
  return { ...(slowUntil > now() && { slowUntil }), ...(hasAnswered && { answeredHost: host }) };
}

/**
 * Before a webhook is deleted or gets another host, all other webhooks of its host store that the host has responded.
 * This write is separate from the change, because it is true even if the change fails.
 */
export function shareResponse({ tenantId, answeredHost, ...webhook }: WebhookItem): Promise<void> {
  return commitWithRetry(async () => {
    const all = answeredHost === hostOf(webhook) ? await webhooksOfBusiness(tenantId) : [];
    const others = all.filter((one) => hostOf(one) === answeredHost && one.answeredHost !== answeredHost);
    const writes = others.map((one) => set('deliveries', one, { answeredHost }, { targetUrl: one.targetUrl }));
    return { writes, result: undefined, unaudited: true };
  });
}

/**
 * The writes that store what is known about the receiver of a deleted or moved webhook. The origin and the host have
 * separate items: a slow webhook that never got a response must not overwrite the response of its host.
 */
export function formerReceiverWrites(webhook: WebhookItem): readonly Write[] {
  const { tenantId, slowUntil = 0, answeredHost } = webhook;
  const origin = originOf(webhook);
  const former = (name: string, state: ReceiverState, until: number) =>
    put('deliveries', {
      ...deliveries.formerReceiver(tenantId, name),
      ...state,
      expiresAtSeconds: Math.ceil(until / 1_000),
    });
  const rememberedUntil = now() + limits.deliveryRetentionDays * dayMs;
  return [
    ...(origin !== undefined && slowUntil > now() ? [former(origin, { slowUntil }, slowUntil)] : []),
    ...(answeredHost === hostOf(webhook) ? [former(answeredHost, { answeredHost }, rememberedUntil)] : []),
  ];
}
