/** The writes that record attempts. Pure: values in, statements or the elements of one transaction out. */
import { timestamp } from '../../clock.ts';
import { env } from '../../env.ts';
import type { Write } from '../../store/transact.ts';
import { type Statement, update } from '../../store/write-each.ts';
import { oneLessActive } from '../../webhooks/registry/quota.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type AttemptItem, type DeliveryItem, isOwnRecord, recordPlace } from './delivery-record.ts';
import { health, type Settlement } from './state.ts';

export interface Settled {
  readonly head: DeliveryItem;
  readonly settlement: Settlement;
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * The one write of an attempt that changes its own record and nothing else: the first of a delivery, or a redelivery.
 * Nothing when the attempt needs a record with a number of its own, or has nothing to write.
 */
export function ownWrite(head: DeliveryItem, { written }: Settlement): Statement | undefined {
  if (!written || !isOwnRecord(head)) return undefined;
  const fields = { ...written.delivery, ...written.record };
  return update('deliveries', { pk: head.pk, sk: head.sk }, fields, { attempts: head.attempts, state: head.state });
}

/**
 * What one webhook's settled attempts change: each delivery's head, on the condition that this attempt is its next; a
 * record with a number of its own for every attempt whose record is not the head; the webhook, once for all of them;
 * and the key's count of active webhooks when this switches it off.
 */
export function writesFor(webhook: WebhookItem, settled: readonly Settled[]): readonly Write[] {
  const written = settled.filter(({ settlement }) => settlement.written);
  const later = written.filter(({ head }) => !isOwnRecord(head));
  return [
    ...written.flatMap(headUpdate),
    ...later.flatMap((one, i) => recordPut(one, webhook.lastNumber + 1 + i)),
    ...webhookUpdate(webhook, written, webhook.lastNumber + later.length),
  ];
}

function headUpdate({ head, settlement: { written } }: Settled): Write[] {
  if (!written) return [];
  const fields = { ...written.delivery, ...(isOwnRecord(head) && written.record) };
  return [
    {
      Update: {
        TableName: env.table('deliveries'),
        Key: { pk: head.pk, sk: head.sk },
        ...assignments(fields),
        ConditionExpression: '#attempts = :before AND #state = :stateBefore',
        ExpressionAttributeValues: {
          ...assignments(fields).ExpressionAttributeValues,
          ':before': head.attempts,
          ':stateBefore': head.state,
        },
      },
    },
  ];
}

function recordPut({ head, settlement: { written }, startedAt, endedAt }: Settled, number: number): Write[] {
  if (!written) return [];
  const item: AttemptItem = {
    ...recordPlace(head.webhookId, number, endedAt),
    id: number,
    event: head.event,
    deliveryId: head.deliveryId,
    attemptNumber: head.attempts + 1,
    createdAt: timestamp(startedAt),
    trigger: head.trigger,
    ...written.record,
  };
  return [newRecord(item)];
}

export function newRecord(item: AttemptItem): Write {
  return { Put: { TableName: env.table('deliveries'), Item: item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** Takes the webhook's next numbers by compare-and-set, and fails when the webhook is gone. */
export function takeNumbers({ pk, sk, lastNumber }: WebhookItem, count: number): Write {
  return {
    Update: {
      TableName: env.table('deliveries'),
      Key: { pk, sk },
      UpdateExpression: 'SET lastNumber = :after',
      ConditionExpression: 'lastNumber = :before',
      ExpressionAttributeValues: { ':before': lastNumber, ':after': lastNumber + count },
    },
  };
}

/**
 * Numbers are taken by compare-and-set, so that they have no holes, and so is the counter when a failure counts. A
 * success sets the counter whatever it is, so that successes of one webhook need not wait for each other.
 */
function webhookUpdate(webhook: WebhookItem, written: readonly Settled[], lastNumber: number): Write[] {
  const marks = written.map(({ settlement }) => settlement.failures).filter((mark) => mark !== 'keep');
  const after = marks.reduce(health, webhook);
  const counts = marks.includes('count');
  const switchedOff = after.status !== webhook.status;
  const endedAt = Math.max(...written.map((one) => one.endedAt));

  const fields: Partial<WebhookItem> = {
    ...(lastNumber !== webhook.lastNumber && { lastNumber }),
    ...(marks.length > 0 && { consecutiveFailures: after.consecutiveFailures }),
    ...(switchedOff && { status: after.status, updatedAt: timestamp(endedAt) }),
  };
  if (Object.keys(fields).length === 0) return [];

  const expected: Partial<WebhookItem> = {
    id: webhook.id,
    ...(fields.lastNumber !== undefined && { lastNumber: webhook.lastNumber }),
    ...(counts && { consecutiveFailures: webhook.consecutiveFailures, status: webhook.status }),
  };
  const set = assignments(fields);
  const condition = expectations(expected);
  const change: Write = {
    Update: {
      TableName: env.table('deliveries'),
      Key: { pk: webhook.pk, sk: webhook.sk },
      UpdateExpression: set.UpdateExpression,
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeNames: { ...set.ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
      ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...condition.ExpressionAttributeValues },
    },
  };
  return switchedOff ? [change, oneLessActive(webhook.businessId, webhook.keyId)] : [change];
}

function assignments(fields: object) {
  const names = Object.keys(fields);
  return {
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
  };
}

function expectations(fields: object) {
  const names = Object.keys(fields);
  return {
    ConditionExpression: names.map((name) => `#${name} = :${name}Before`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`:${name}Before`, value]),
    ),
  };
}
