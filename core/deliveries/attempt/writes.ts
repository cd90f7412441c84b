/** The writes that record attempts. Pure: values in, statements or the elements of one transaction out. */
import { causedBy } from '../../cause.ts';
import { timestamp } from '../../clock.ts';
import { outboxPut } from '../../events/event.ts';
import { putNew, set, type Write } from '../../store/write.ts';
import { type Statement, update } from '../../store/write-each.ts';
import { oneLessActive } from '../../webhooks/registry/quota.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type AttemptItem, isOwnRecord, recordBase, unanswered } from '../model/delivery-record.ts';
import {
  type AttemptFields,
  type Failures,
  type HealthTurn,
  healthChange,
  turnsOf,
  type Written,
} from '../model/state.ts';
import type { Found, FoundWebhook } from './attempt.ts';
import { endOf, operationalEventsOf, webhookChange } from './webhook-health.ts';

/** What an attempt changes, and the delivery and webhook that this was decided on. */
export interface Change extends Found {
  readonly written: Written;
  readonly failures: Failures;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The one write of an attempt whose record is the delivery itself and that leaves its webhook as it is. */
export function plainWrite(change: Change): Statement {
  return update('deliveries', change.delivery, deliveryFields(change), asRead(change));
}

/**
 * The writes of one webhook's attempts: each delivery, on the condition that this attempt is its next; a record with a
 * number of its own for every attempt whose record is not the delivery; the webhook, once for all of them; and the key's
 * count of active webhooks when this switches it off.
 */
export function writesOf(changes: readonly Change[]): readonly Write[] {
  const [first] = changes;
  if (!first) return [];
  const { webhook } = first;
  const own = changes.filter(({ delivery }) => isOwnRecord(delivery));
  const later = changes
    .filter(({ delivery }) => !isOwnRecord(delivery))
    .map((change, i) => ({ change, number: webhook.lastNumber + 1 + i }));
  return [
    ...own.map((change) => set('deliveries', change.delivery, deliveryFields(change), asRead(change))),
    ...later.flatMap(({ change, number }) => [
      set('deliveries', change.delivery, { ...deliveryFields(change), ...noted(change, number) }, asRead(change)),
      newRecord(laterRecord(change, number)),
    ]),
    ...webhookWrites(webhook, changes, webhook.lastNumber + later.length),
  ];
}

/** What these attempts of one webhook make of it. */
export function turnsIn(changes: readonly Change[]): readonly { webhook: FoundWebhook; turn: HealthTurn }[] {
  const webhook = changes[0]?.webhook;
  return webhook ? turnsOf(webhook, failuresOf(changes)).map((turn) => ({ webhook, turn })) : [];
}

function failuresOf(changes: readonly Change[]): readonly Failures[] {
  return changes.map(({ failures }) => failures);
}

function deliveryFields(change: Change) {
  const { delivery, written } = change;
  const ofDelivery = changed(delivery, written.delivery);
  return isOwnRecord(delivery)
    ? { ...ofDelivery, ...changed<AttemptFields>(unanswered, written.record), ...sending(change) }
    : ofDelivery;
}

/** The fields that are not as they were. */
function changed<T extends object>(before: Partial<T>, after: T): Partial<T> {
  const isSame = ([name, value]: [string, unknown]) => before[name as keyof T] === value;
  return Object.fromEntries(Object.entries(after).filter((field) => !isSame(field))) as Partial<T>;
}

function noted({ delivery: { laterRecords = [] } }: Change, number: number) {
  return { laterRecords: [...laterRecords, number] };
}

/** Nothing was sent for a webhook that was off. */
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
    attemptNumber: delivery.attempts + 1,
    createdAt: timestamp(startedAt),
    trigger: delivery.trigger,
    ...causedBy(delivery.requestId),
    ...written.record,
    ...sending(change),
  };
}

export function newRecord(item: AttemptItem): Write {
  return putNew('deliveries', item);
}

/** Takes the webhook's next numbers by compare-and-set, and fails when the webhook is gone. */
export function takeNumbers(webhook: WebhookItem, count: number): Write {
  const { lastNumber } = webhook;
  return set('deliveries', webhook, { lastNumber: lastNumber + count }, { lastNumber });
}

/** Numbers are taken by compare-and-set, so that they have no holes. */
function webhookWrites(webhook: FoundWebhook, changes: readonly Change[], lastNumber: number): readonly Write[] {
  const change = healthChange(webhook, failuresOf(changes));
  const trouble = webhookChange(webhook, changes, change);
  const takes = lastNumber !== webhook.lastNumber;
  const switchesOff = change.set.status === 'failed';
  const fields = {
    ...change.set,
    ...trouble.set,
    ...(takes && { lastNumber }),
    ...(switchesOff && { updatedAt: timestamp(endOf(changes)) }),
  };
  if (Object.keys(fields).length === 0) return [];
  const expected = { ...trouble.expected, ...(takes && { lastNumber: webhook.lastNumber }) };
  return [
    set('deliveries', webhook, fields, expected),
    ...(switchesOff ? [oneLessActive(webhook.tenantId, webhook.keyId)] : []),
    ...operationalEventsOf(webhook, { ...webhook, ...fields }, trouble.turns, endOf(changes)).map(outboxPut),
  ];
}
