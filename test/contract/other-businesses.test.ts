/** Ids of other businesses, and webhooks and holds of other API keys, look like unknown ids, in both APIs. */
import { AdminCreateUserCommand, AdminDeleteUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { cognito } from '../../core/clients.ts';
import { newId } from '../../core/clock.ts';
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { log } from '../../core/log.ts';
import { type Api, apis } from '../../lib/apis.ts';
import { createKey, type SeededKey } from '../../local/seed.ts';
import { at, callRow, ownerOf } from '../support/account.ts';
import { endedDelivery } from '../support/delivery-records.ts';
import { newWebhook, put } from '../support/pipeline-state.ts';
import { type IdIn, recordedRequest } from '../support/recorded-requests.ts';
import { testNow, useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

const rows = Object.values<Api>(apis).flatMap(({ folder, prefix, rows }) =>
  rows.map((row) => ({ ...row, folder, name: `${row.method} ${prefix}${row.path}` })),
);
type Row = (typeof rows)[number];

beforeEach(() => {
  // Without a queue, redeliveries are left to the sweeper, which is logged.
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  vi.spyOn(log, 'error').mockReturnValue(undefined);
  vi.stubEnv('USER_POOL', 'pool');
  const pool = mockClient(cognito());
  pool
    .on(AdminCreateUserCommand)
    .callsFake(() => ({ User: { Attributes: [{ Name: 'sub', Value: `sub-${newId()}` }] } }));
  pool.on(AdminDeleteUserCommand).resolves({});
});

const newKey = (tenantId: number) => createKey(fixture.admin, { tenantId });
const newBusiness = async () => newKey((await fixture.business()).tenantId);
const call = (row: Row, { tenantId, value }: SeededKey, sent: object) => callRow(row, { tenantId, key: value }, sent);

/** The request of the documents with ids of the business. A single webhook has the only delivery. */
async function requestOf(row: Row, key: SeededKey) {
  let webhook: Promise<number> | undefined;
  const idIn: IdIn = async (collection) => {
    if (!/^\/(webhooks|deliveries)/.test(collection)) return existing(collection, key);
    webhook ??= webhookOf(key);
    return collection === '/webhooks' ? webhook : deliveryId(await webhook, 1);
  };
  const { params, body } = await recordedRequest(row, idIn);
  return { params, body };
}

/** An id of the business, or of a resource that is created as in the documents. */
async function existing(collection: string, key: SeededKey): Promise<number | string> {
  const owner = ownerOf(key.tenantId);
  const list = ({ '/services': 'listServices', '/staff': 'listStaff' } as const)[collection];
  if (list) return ((await owner(list)).json.data as { id: number }[])[0]?.id ?? 0;
  const creations = rows.filter(({ method, path }) => method === 'POST' && path === collection);
  const row = creations.find(({ folder }) => folder === 'account') ?? creations[0];
  if (!row) throw new Error(`No row creates what the request needs in ${collection}.`);
  const request = await requestOf(row, key);
  if (collection === '/reviews') await owner('completeBooking', at((request.body as { bookingId: number }).bookingId));
  const { json, status } = await call(row, key, request);
  expect(status, JSON.stringify(json)).toBe(201);
  return (json.id ?? json.holdId) as number | string;
}

async function webhookOf({ tenantId, id }: SeededKey): Promise<number> {
  const webhook = await newWebhook(tenantId, id, { status: 'failed', lastNumber: 1 });
  await put('deliveries', endedDelivery(webhook, 1, testNow, { state: 'failed' }));
  return webhook.id;
}

test.each(rows.filter(({ path }) => path.includes('/:')))(
  'The response of $name to an id of another business is byte for byte the same as to an unknown id',
  async (row) => {
    const own = await newBusiness();
    const request = await requestOf(row, own);
    const send = async (as: SeededKey, params = request.params) => {
      const { status, text, json } = await call(row, as, { ...request, params });
      return { status, text: text?.replace(String(json.requestId), '') };
    };
    const stranger = await newBusiness();
    const id = newId();
    const unknown = { id: String(id), deliveryId: deliveryId(id, 1), holdId: 'hld_unknown' };
    const named = Object.entries({ ...request.params, ...unknown }).filter(([name]) => name in request.params);
    const answer = await send(stranger, Object.fromEntries(named));
    expect(answer.status).toBe(404);
    expect(await send(stranger)).toEqual(answer);
    const isOfOneKey = row.folder === 'api' && /^\/(webhooks|slots)/.test(row.path);
    if (isOfOneKey) expect(await send(await newKey(own.tenantId))).toEqual(answer);
    expect((await send(own)).status).not.toBe(404);
  },
);
