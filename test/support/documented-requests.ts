/** The documents' request to each row of both APIs, with ids of a test business: what a row needs is created like it. */
import { expect } from 'vitest';
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { type Api, apis } from '../../lib/apis.ts';
import type { SeededKey } from '../../local/seed.ts';
import { at, callRow, ownerOf } from './account.ts';
import { endedDelivery } from './delivery-records.ts';
import { lambdaContext, type Sent } from './http.ts';
import { newWebhook, put } from './pipeline-state.ts';
import { type IdIn, loopbackTarget, recordedRequest } from './recorded-requests.ts';
import { testNow } from './test-business.ts';

export const documentedRows = Object.values<Api>(apis).flatMap(({ folder, prefix, rows }) =>
  rows.map((row) => ({ ...row, folder, title: `${row.method} ${prefix}${row.path}` })),
);
export type DocumentedRow = (typeof documentedRows)[number];

/** Calls a row with the key, or as the owner of its business. */
export const callWith = (row: DocumentedRow, key: SeededKey, sent: Sent, context = lambdaContext) =>
  callRow(row, { tenantId: key.tenantId, key: key.value }, sent, context);

/** `given` are ids by collection, such as `/bookings`. A single webhook has the only delivery, which has failed. */
export async function documentedRequest(
  row: DocumentedRow,
  key: SeededKey,
  given: Readonly<Record<string, number | string>> = {},
): Promise<Pick<Awaited<ReturnType<typeof recordedRequest>>, 'params' | 'headers' | 'body'>> {
  let webhook: Promise<number> | undefined;
  const idIn: IdIn = async (collection) => {
    if (!/^\/(webhooks|deliveries)/.test(collection)) return given[collection] ?? existing(collection, key);
    webhook ??= webhookOf(key);
    return collection === '/webhooks' ? webhook : deliveryId(await webhook, 1);
  };
  const { query: _, ...request } = await recordedRequest(row, idIn);
  return request;
}

/** An id of the business, or of a resource that is created as in the documents. */
export async function existing(collection: string, key: SeededKey): Promise<number | string> {
  const owner = ownerOf(key.tenantId);
  const list = { '/services': 'listServices', '/staff': 'listStaff' }[collection] as 'listStaff' | undefined;
  if (list) return ((await owner(list)).json.data as { id: number }[])[0]?.id ?? 0;
  const creations = documentedRows.filter(({ method, path }) => method === 'POST' && path === collection);
  const row = creations.find(({ folder }) => folder === 'account') ?? creations[0];
  if (!row) throw new Error(`No row creates what the request needs in ${collection}.`);
  const { params, body } = await documentedRequest(row, key);
  if (collection === '/reviews') await owner('completeBooking', at((body as { bookingId: number }).bookingId));
  const { json, status } = await callWith(row, key, { params, body });
  expect(status, JSON.stringify(json)).toBe(201);
  return (json.id ?? json.holdId) as number | string;
}

async function webhookOf({ tenantId, id }: SeededKey): Promise<number> {
  const webhook = await newWebhook(tenantId, id, { targetUrl: loopbackTarget, lastNumber: 1 });
  await put('deliveries', endedDelivery(webhook, 1, testNow, { state: 'failed', errorCode: 'timeout' }));
  return webhook.id;
}
