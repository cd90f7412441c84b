/** Creates the tenants and webhooks of a pipeline test, and checks the records at its end. */

import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { limits } from '../../contract/limits.ts';
import { scopeNames } from '../../contract/scopes.ts';
import type { Store } from '../../contract/system/needs.ts';
import { dynamo } from '../../core/clients.ts';
import { newId } from '../../core/clock.ts';
import type { AttemptItem, DeliveryItem } from '../../core/deliveries/model/delivery-record.ts';
import type { Event } from '../../core/events/event.ts';
import { getItem, inPartition, queryAll } from '../../core/store/read.ts';
import { set, writeOne } from '../../core/store/write.ts';
import { deliveries, records, secrets } from '../../core/table-keys.ts';
import { registrationOf } from '../../core/webhooks/registry/registration.ts';
import { newWebhookItem, type WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { tableName } from './dynamo.ts';
import type { Pipeline } from './pipeline.ts';
import { keyPrincipal, type TestKey } from './principals.ts';

export interface Tenant {
  readonly tenantId: number;
  readonly keyId: number;
  readonly webhooks: readonly WebhookItem[];
}

/** A business with one API key and active webhooks for `booking.created`, whose receivers have responded before. */
export async function newTenant(count: number, changes: Partial<WebhookItem> = {}): Promise<Tenant> {
  const [tenantId, keyId] = [newId(), newId()];
  const key = { ...records.key(tenantId, keyId), id: keyId, tenantId, status: 'active', scopes: scopeNames };
  await put('records', key);
  await put('deliveries', { ...deliveries.quota(tenantId, keyId), active: count });
  const webhooks = await Promise.all(Array.from({ length: count }, () => newWebhook(tenantId, keyId, changes)));
  return { tenantId, keyId, webhooks };
}

export function webhookOf({ webhooks: [webhook] }: Tenant): WebhookItem {
  if (!webhook) throw new Error('The tenant has no webhook');
  return webhook;
}

/** A webhook and the API key that it belongs to. */
export interface OwnWebhook extends Tenant {
  readonly webhook: WebhookItem;
  readonly id: { readonly id: number };
  readonly key: TestKey;
}

export async function newOwnWebhook(changes: Partial<WebhookItem> = {}): Promise<OwnWebhook> {
  const tenant = await newTenant(1, changes);
  const webhook = webhookOf(tenant);
  return { ...tenant, webhook, id: { id: webhook.id }, key: keyPrincipal(tenant.tenantId, tenant.keyId) };
}

/** A business with one feed, whose events are polled instead of delivered. */
export function newFeed(changes: Partial<WebhookItem> = {}): Promise<OwnWebhook> {
  return newOwnWebhook({ delivery: 'poll', targetUrl: '', ...changes });
}

/** The signing secret of each webhook of `newWebhook`. */
export const firstSecret = 'whsec_dGVzdC1zZWNyZXQ=';

export async function newWebhook(
  tenantId: number,
  keyId: number,
  changes: Partial<WebhookItem> = {},
): Promise<WebhookItem> {
  const target = { targetUrl: 'https://receiver.example/hooks', events: ['booking.created' as const] };
  const item = {
    ...newWebhookItem({ tenantId, keyId }, target),
    answeredHost: 'receiver.example',
    ...changes,
  } satisfies WebhookItem;
  await put('deliveries', item);
  await put('deliveries', registrationOf(item));
  await put('secrets', { ...secrets.signing(item.id), secret: firstSecret });
  return item;
}

export async function put(store: Store, Item: object): Promise<void> {
  await dynamo().send(new PutCommand({ TableName: tableName(store), Item }));
}

export async function webhookNow({ pk, sk }: WebhookItem): Promise<WebhookItem> {
  return (await getItem('deliveries', { pk, sk })) as WebhookItem;
}

export async function changeWebhook(webhook: WebhookItem, changes: Partial<WebhookItem>): Promise<void> {
  await writeOne(set('deliveries', webhook, changes));
}

export async function changeKey({ tenantId, keyId }: Tenant, changes: object): Promise<void> {
  await writeOne(set('records', records.key(tenantId, keyId), changes));
}

export function mostInAMinute(times: readonly number[]): number {
  const minutes = Map.groupBy(times, (time) => Math.floor(time / 60_000));
  return Math.max(...[...minutes.values()].map(({ length }) => length));
}

export function recordsOf(webhookId: number): Promise<(AttemptItem & Partial<DeliveryItem>)[]> {
  return queryAll('deliveries', { ...inPartition(deliveries.log(webhookId)), ConsistentRead: true });
}

export async function deliveriesOf(webhookId: number): Promise<DeliveryItem[]> {
  return (await recordsOf(webhookId)).filter(isFirst);
}

/** The record of a delivery's first attempt. */
function isFirst(item: AttemptItem & Partial<DeliveryItem>): item is DeliveryItem {
  return item.body !== undefined && item.trigger === 'scheduled';
}

export async function outbox(): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const scan = {
    TableName: tableName('records'),
    FilterExpression: 'begins_with(pk, :outbox)',
    ExpressionAttributeValues: { ':outbox': records.outboxPrefix },
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateScan({ client: dynamo() }, scan)) found.push(...Items);
  return found;
}

/** Checks all invariants at the end. Returns the violations as sentences. */
export async function violations(pipeline: Pipeline, tenant: Tenant, events: readonly Event[]): Promise<string[]> {
  const left = await outbox();
  const ofWebhooks = tenant.webhooks.map(async (webhook) => {
    const { lastNumber } = await webhookNow(webhook);
    return violationsAt(webhook.id, lastNumber, await recordsOf(webhook.id), pipeline, events);
  });
  return [
    ...(left.length > 0 ? [`${left.length} events are still in the outbox`] : []),
    ...(await Promise.all(ofWebhooks)).flat(),
  ];
}

function violationsAt(
  webhookId: number,
  lastNumber: number,
  all: readonly (AttemptItem & Partial<DeliveryItem>)[],
  pipeline: Pipeline,
  events: readonly Event[],
): string[] {
  const deliveryItems = all.filter(isFirst);
  const found = deliveryItems.flatMap((delivery) => violationsOf(delivery, all, pipeline));
  all.forEach(({ id }, i) => {
    if (id !== i + 1) found.push(`webhook ${webhookId}: record ${i + 1} has number ${id}`);
  });
  if (all.length !== lastNumber) found.push(`webhook ${webhookId}: ${all.length} records, last number ${lastNumber}`);
  for (const { id } of events) {
    const count = deliveryItems.filter(({ eventId }) => eventId === id).length;
    if (count !== 1) found.push(`webhook ${webhookId}, event ${id}: ${count} deliveries`);
  }
  return found;
}

function violationsOf(delivery: DeliveryItem, all: readonly AttemptItem[], { posts }: Pipeline): string[] {
  const found: string[] = [];
  const say = (words: string) => found.push(`${delivery.deliveryId}: ${words}`);
  if (delivery.state !== 'success' && delivery.state !== 'failed') say(`ends as ${delivery.state}`);
  const attempts = all
    .filter(({ deliveryId }) => deliveryId === delivery.deliveryId)
    .sort((a, b) => a.attemptNumber - b.attemptNumber);
  attempts.forEach(({ attemptNumber }, i) => {
    if (attemptNumber !== i + 1) say(`attempt ${i + 1} is on record as ${attemptNumber}`);
  });
  const named = [delivery.id, ...(delivery.laterRecords ?? [])].join();
  if (attempts.map(({ id }) => id).join() !== named) say(`names the records ${named}`);
  if (attempts.length !== delivery.attempts) say(`${attempts.length} records of ${delivery.attempts} attempts`);
  if (delivery.attempts > limits.deliveryAttempts) say(`${delivery.attempts} attempts`);
  const sent = posts.filter(({ deliveryId }) => deliveryId === delivery.deliveryId);
  if (new Set(sent.map(({ request }) => String(request.body))).size > 1) say('bodies differ');
  attempts.forEach(({ nextAttemptAt, attemptNumber }) => {
    const next = attempts[attemptNumber];
    if (nextAttemptAt && next && next.createdAt < nextAttemptAt) say(`attempt ${attemptNumber + 1} is early`);
  });
  return found;
}
