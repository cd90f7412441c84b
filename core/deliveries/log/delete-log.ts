/** Deletes the log of a webhook, or the part before a reset of the sandbox (docs/rules.md#erasure). */
import { timeOfId } from '../../clock.ts';
import type { TimeLeft } from '../../queue/consumer.ts';
import { deleteEach } from '../../store/delete-each.ts';
import { getItem, inPartition, pages } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import { type LogDeletion, sendErasures } from '../../webhooks/registry/log-deletion.ts';
import type { AttemptItem } from '../model/delivery-record.ts';

/** Enough time to read and delete a page. */
const reserveMs = 20_000;
const recordsAtOnce = 500;

type Listed = Pick<AttemptItem, 'pk' | 'sk' | 'eventId'> & Partial<Pick<AttemptItem, 'createdAt'>>;

/** Deletes one page after the other. When the time is up, another message continues. */
export async function deleteLog(message: LogDeletion, time: TimeLeft): Promise<void> {
  const { tenantId, keyId, webhookId, before } = message;
  const isWhole = before === undefined;
  // The webhook still exists, so its deletion was not committed.
  if (isWhole && (await getItem('deliveries', deliveries.webhook(tenantId, keyId, webhookId)))) return;
  const partitions = [deliveries.log(webhookId), ...(isWhole ? [deliveries.segment(webhookId, 0).pk] : [])];
  for (const pk of partitions) {
    for await (const { items, isLast } of pages<Listed>('deliveries', {
      ...inPartition(pk),
      ProjectionExpression: 'pk, sk, createdAt, eventId',
      ConsistentRead: true,
      Limit: recordsAtOnce,
    })) {
      await deleteEach('deliveries', isWhole ? items : items.filter((item) => isOlder(item, before)));
      if (!isLast && time.getRemainingTimeInMillis() < reserveMs) {
        return sendErasures([{ body: message, delaySeconds: 0 }]);
      }
    }
  }
}

/** An event that was raised before the reset may be planned, and its delivery retried, after it. */
function isOlder({ createdAt, eventId }: Listed, before: number): boolean {
  const raisedAt = eventId === undefined ? Number.POSITIVE_INFINITY : timeOfId(eventId);
  return Math.min(raisedAt, Date.parse(createdAt ?? '')) < before;
}
