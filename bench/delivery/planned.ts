/** The events of webhooks that all contenders deliver, in the state after `plan-deliveries`. */
import { eventExamples } from '../../contract/event-examples.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { dynamo } from '../../core/clients.ts';
import { newId, now, timestamp } from '../../core/clock.ts';
import { newDelivery } from '../../core/deliveries/model/delivery-record.ts';
import type { Event } from '../../core/events/event.ts';
import { records, secrets } from '../../core/table-keys.ts';
import { newWebhookItem, type WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { putAll } from '../../local/admin.ts';
import { tableName } from '../../test/support/dynamo.ts';
import { put } from '../../test/support/pipeline-state.ts';

/** One delivery in the form that all contenders use. */
export interface Planned {
  readonly webhook: WebhookItem;
  readonly event: Event;
  readonly number: number;
}

export async function subscribe(targetUrl: string, secret: string): Promise<WebhookItem> {
  const [tenantId, keyId] = [newId(), newId()];
  const webhook = newWebhookItem({ tenantId, keyId }, { targetUrl, events: ['booking.created'] });
  const key = { ...records.key(tenantId, keyId), id: keyId, tenantId, status: 'active', scopes: scopeNames };
  await put('records', key);
  await put('deliveries', webhook);
  await put('secrets', { ...secrets.signing(webhook.id), secret });
  return webhook;
}

/** Plans deliveries like `plan-deliveries`: each has a pending record. */
export async function plan(webhooks: readonly WebhookItem[], count: number): Promise<Planned[]> {
  const planned = Array.from({ length: count }, (_, i): Planned => {
    const webhook = webhooks[i % webhooks.length] ?? fail();
    numbers.set(webhook.id, (numbers.get(webhook.id) ?? 0) + 1);
    const { tenantId } = webhook;
    const data = eventExamples['booking.created'];
    const event = { id: newId(), tenantId, name: 'booking.created', occurredAt: timestamp(now()), data } as Event;
    return { webhook, event, number: numbers.get(webhook.id) ?? 0 };
  });
  const deliveryItems = planned.map(({ webhook, event, number }) =>
    newDelivery(event, webhook, number, { createdAt: now(), dueAt: now() }),
  );
  await putAll({ db: dynamo(), table: tableName }, 'deliveries', deliveryItems);
  return planned;
}

/** The number of the last record of each webhook. */
const numbers = new Map<number, number>();

export function fail(): never {
  throw new Error('There are webhooks');
}
