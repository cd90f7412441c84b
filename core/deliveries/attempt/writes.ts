/** The writes that record attempts, as statements or as parts of one transaction. Pure. */
import { causedBy } from '../../cause.ts';
import { timestamp } from '../../clock.ts';
import { outboxPut } from '../../events/event.ts';
import { set, type Write } from '../../store/write.ts';
import { type Statement, update } from '../../store/write-each.ts';
import { decrementActiveWebhooks } from '../../webhooks/registry/quota.ts';
import { type AttemptItem, isOwnRecord, newRecord, recordBase, unanswered } from '../model/delivery-record.ts';
import type { AttemptFields, Transition } from '../model/state.ts';
import type { Attempt, Found } from './attempt.ts';
import { endOf, operationalEventsOf, webhookChange } from './webhook-health.ts';

/** An attempt that changes a delivery or webhook, with both as they were when it was decided. */
export type Change = Attempt & Required<Transition>;

/** The single write of an attempt that does not change its webhook and has no record of its own. */
export function plainWrite(change: Change): Statement {
  return update('deliveries', change.delivery, deliveryFields(change), asRead(change));
}

/**
 * The writes of one webhook's attempts. Each delivery is written on the condition that this attempt is its next one.
 * Every attempt after the first gets a record with its own number. The webhook is written once for all attempts, with
 * the key's count of active webhooks if the webhook is disabled.
 */
export function writesOf(changes: readonly Change[]): readonly Write[] {
  const [first] = changes;
  if (!first) return [];
  let { lastNumber } = first.webhook;
  const ofDeliveries = changes.flatMap((change) => {
    const { delivery } = change;
    const fields = deliveryFields(change);
    if (isOwnRecord(delivery)) return set('deliveries', delivery, fields, asRead(change));
    lastNumber += 1;
    const laterRecords = [...(delivery.laterRecords ?? []), lastNumber];
    return [
      set('deliveries', delivery, { ...fields, laterRecords }, asRead(change)),
      newRecord(laterRecord(change, lastNumber)),
    ];
  });
  return [...ofDeliveries, ...webhookWrites(first.webhook, changes, lastNumber)];
}

function deliveryFields(change: Change) {
  const { delivery, written } = change;
  const ofDelivery = changed(delivery, written.delivery);
  return isOwnRecord(delivery)
    ? {
        ...ofDelivery,
        ...changed<AttemptFields>({ ...unanswered, nextAttemptAt: delivery.nextAttemptAt }, written.record),
        ...sending(change),
      }
    : ofDelivery;
}

function changed<T extends object>(before: Partial<T>, after: T): Partial<T> {
  const isSame = ([name, value]: [string, unknown]) => before[name as keyof T] === value;
  return Object.fromEntries(Object.entries(after).filter((field) => !isSame(field))) as Partial<T>;
}

/** No request was sent for a disabled webhook. */
function sending({ written, startedAt }: Change) {
  return written.record.errorCode === 'webhook_disabled' ? {} : { sentAt: startedAt };
}

function asRead({ delivery: { attempts, state } }: Change) {
  return { attempts, state };
}

function laterRecord(change: Change, number: number): AttemptItem {
  const { delivery, written, startedAt, endedAt } = change;
  return {
    ...recordBase(delivery.webhookId, number, endedAt),
    id: number,
    event: delivery.event,
    deliveryId: delivery.deliveryId,
    eventId: delivery.eventId,
    attemptNumber: delivery.attempts + 1,
    createdAt: timestamp(startedAt),
    trigger: delivery.trigger,
    ...causedBy(delivery.requestId),
    ...written.record,
    ...sending(change),
  };
}

/** Numbers are taken with a conditional write on the last number, so that no number is skipped. */
function webhookWrites(webhook: Found['webhook'], changes: readonly Change[], lastNumber: number): readonly Write[] {
  const change = webhookChange(webhook, changes);
  const takes = lastNumber !== webhook.lastNumber;
  const disables = change.set.status === 'failed';
  const fields = {
    ...change.set,
    ...(takes && { lastNumber }),
    ...(disables && { updatedAt: timestamp(endOf(changes)) }),
  };
  if (Object.keys(fields).length === 0) return [];
  const expected = { ...change.expected, ...(takes && { lastNumber: webhook.lastNumber }) };
  return [
    set('deliveries', webhook, fields, expected),
    ...(disables ? [decrementActiveWebhooks(webhook.tenantId, webhook.keyId)] : []),
    ...operationalEventsOf(webhook, { ...webhook, ...fields }, change.events, changes).map(outboxPut),
  ];
}
