/**
 * Stores notices for operational events, one for each address. A notice is left out if another of the same kind, about
 * the same webhook or key, is younger than a day (docs/rules.md#notices).
 */
import { limits } from '../../contract/limits.ts';
import type { NoticeKind } from '../../contract/notice-kinds.ts';
import { noticeReasons } from '../../contract/notices.ts';
import type { BusinessItem } from '../catalog/items.ts';
import { forEachConcurrently } from '../chunks.ts';
import { hourMs, now } from '../clock.ts';
import { isLive } from '../keys/api-key.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import { hashOfAddress } from '../mail/address.ts';
import { modeOf } from '../mode.ts';
import { batchGet, type ItemRequest } from '../store/batch-get.ts';
import { deliveries, records } from '../table-keys.ts';
import { hostOf, type WebhookItem } from '../webhooks/registry/webhook.ts';
import { claim, type NoticeItem } from './claim.ts';
import { oneLine } from './mail.ts';
import type { NoticeEvent, WindowEnd } from './message.ts';
import { windowAt } from './windows.ts';

/** The API key of an event or notice, and its webhook if it is about a webhook. */
type Subject = Pick<NoticeItem, 'tenantId' | 'apiKeyId' | 'webhookId'>;

interface Wanted {
  readonly key: ItemRequest;
  readonly webhook?: ItemRequest;
}

function itemsOfSubject({ tenantId, apiKeyId, webhookId }: Subject): Wanted {
  return {
    key: { store: 'records', key: records.key(tenantId, apiKeyId) },
    ...(webhookId !== undefined && {
      webhook: { store: 'deliveries', key: deliveries.webhook(tenantId, apiKeyId, webhookId) },
    }),
  };
}

function businessOf({ tenantId }: NoticeEvent): ItemRequest {
  return { store: 'records', key: records.business(tenantId) };
}

/** The notices whose webhook was not deleted and whose key was not revoked since. */
export async function ofExistingSubjects(items: readonly NoticeItem[]): Promise<readonly NoticeItem[]> {
  const lookup = await batchGet(items.flatMap((item) => Object.values(itemsOfSubject(item))));
  const at = now();
  return items.filter((item) => {
    const { key, webhook } = itemsOfSubject(item);
    const found = lookup<StoredKey>(key);
    return isLive(found, at) && (!webhook || lookup(webhook) !== undefined);
  });
}

/** Stores a notice for each event. Returns the windows at whose end emails are sent. */
export async function collect(kind: NoticeKind, events: readonly NoticeEvent[]): Promise<readonly WindowEnd[]> {
  const subjectOf = ({ tenantId, data }: NoticeEvent): Subject => ({ tenantId, ...data });
  const lookup = await batchGet(
    events.flatMap((event) => [businessOf(event), ...Object.values(itemsOfSubject(subjectOf(event)))]),
  );
  const at = now();
  const items = events.flatMap((event): Omit<NoticeItem, 'pk' | 'sk'>[] => {
    const wanted = itemsOfSubject(subjectOf(event));
    const key = lookup<StoredKey>(wanted.key);
    const business = lookup<BusinessItem>(businessOf(event));
    const webhook = wanted.webhook && lookup<WebhookItem>(wanted.webhook);
    const { tenantId, data } = event;
    // Deleted or revoked concurrently, so the owner need not act.
    if (!isLive(key, at) || (wanted.webhook && !webhook)) return [];
    const about = webhook
      ? { id: webhook.id, name: oneLine(webhook.description) || hostOf(webhook) }
      : { id: key.id, name: oneLine(key.name) };
    const addresses = new Map(
      [business?.noticeEmail, key.contactEmail].flatMap((to) => (to ? [[hashOfAddress(to), to]] : [])),
    );
    return [...addresses.values()].map((address) => ({
      ...about,
      kind,
      tenantId,
      apiKeyId: data.apiKeyId,
      ...('webhookId' in data && { webhookId: data.webhookId }),
      business: oneLine(business?.name ?? ''),
      timeZone: business?.timeZone ?? 'UTC',
      mode: modeOf(tenantId),
      ...('errorCode' in data && data.errorCode && { reason: noticeReasons[data.errorCode] }),
      ...('expiresAt' in data && { expiresAt: data.expiresAt }),
      eventId: event.id,
      window: windowAt(at),
      until: at + limits.noticePauseHours * hourMs,
      address,
      expiresAtSeconds: Math.ceil(at / 1_000) + 2 * limits.noticePauseHours * 3_600,
    }));
  });
  const ends = new Map<string, WindowEnd>();
  await forEachConcurrently(items, async (item) => {
    const address = hashOfAddress(item.address);
    const window = await claim({ ...records.notice(address, kind, item.id), ...item }, at);
    if (window !== undefined) ends.set(`${address} ${window}`, { tenantId: item.tenantId, address, window });
  });
  return [...ends.values()];
}
