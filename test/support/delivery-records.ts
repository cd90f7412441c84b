/** Creates delivery records without the pipeline. */
import { eventExamples } from '../../contract/event-examples.ts';
import type { EventName } from '../../contract/events.ts';
import { newId, timestamp } from '../../core/clock.ts';
import { type DeliveryItem, newDelivery } from '../../core/deliveries/model/delivery-record.ts';
import type { Event } from '../../core/events/event.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';

/** The record of a delivery whose first attempt succeeded, at `at` in epoch milliseconds. `name` is of its event. */
export function endedDelivery(
  webhook: WebhookItem,
  number: number,
  at: number,
  { state = 'success', ...changes }: Partial<DeliveryItem> = {},
  name: EventName = 'booking.created',
): DeliveryItem {
  const event = {
    id: newId(),
    tenantId: webhook.tenantId,
    name,
    occurredAt: timestamp(at),
    data: eventExamples[name],
  } as Event;
  return {
    ...newDelivery(event, webhook, number, { createdAt: at, dueAt: at }),
    state,
    deliveryStatus: state,
    attempts: 1,
    sentAt: at,
    ...changes,
  };
}
