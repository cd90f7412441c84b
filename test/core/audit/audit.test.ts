/** The change log names who changed data, in the transaction of the change (docs/rules.md#audit). */
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../contract/account/resources.ts';
import { listAudit } from '../../../core/audit/list.ts';
import { runWithRequestId } from '../../../core/cause.ts';
import { dynamo } from '../../../core/clients.ts';
import { dayMs, setRuntime } from '../../../core/clock.ts';
import { writeCursor } from '../../../core/cursor.ts';
import type { LambdaHandler } from '../../../core/http/context.ts';
import { createService } from '../../../core/setup/change-service.ts';
import { type AuditItem, auditWrites, recorded } from '../../../core/store/audit-trail.ts';
import { handler as cancelBooking } from '../../../functions/api/cancel-booking.ts';
import { handler as createBooking } from '../../../functions/api/create-booking.ts';
import { handler as createHold } from '../../../functions/api/create-hold.ts';
import { handler as rescheduleBooking } from '../../../functions/api/reschedule-booking.ts';
import { at } from '../../support/account.ts';
import { issueKey } from '../../support/api-keys.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { call } from '../../support/http.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const client = { name: 'Jane Canary', phone: '+371 2000 0000' };

async function business() {
  const { account: owner, owner: principal, ...tenant } = await fixture.tenant();
  const entries = async () => (await owner('listAudit')).json.data as AuditEntry[];
  return { ...tenant, principal, owner, entries };
}

/** Calls a handler of the integration API for one resource. */
const post = (handler: LambdaHandler, headers: Record<string, string>, body?: object, id?: unknown) =>
  call(handler, { method: 'POST', headers, body, ...(id !== undefined && at(id)) });
const startTime = '2026-12-01T10:00:00+02:00';

test("The audit log records an owner's change with the changed fields, but no request that is refused or changes nothing", async () => {
  const { services, owner, entries } = await business();
  const [service] = services;
  const id = at(service.id);
  const changed = await owner('updateService', { ...id, body: { name: 'Cut', active: false } });
  await owner('updateService', { ...id, body: { name: 'Cut', active: false } });
  await owner('updateService', { ...id, body: { durationMinutes: -1 } });
  await owner('getService', id);
  expect(await entries()).toEqual([
    {
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      operation: 'PATCH /v1/account/services/:id',
      resourceId: service.id,
      fields: ['name', 'active'],
      keyId: null,
      ownerId: 'owner',
      requestId: changed.headers['x-request-id'],
    },
  ]);
});

test('A change that takes several transactions has one entry in the audit log', async () => {
  const { staff, owner, entries } = await business();
  limitsDuringTest({ assignmentChangesMax: 1 });
  expect((await owner('deleteStaffMember', at(staff[0].id))).status).toBe(204);
  expect(await entries()).toMatchObject([{ operation: 'DELETE /v1/account/staff/:id' }]);
});

test('The audit log records bookings and cancellations with their API key, but no holds, repeated requests or refusals', async () => {
  const { offered, key, entries } = await business();
  const { value } = await issueKey(dynamo(), { ...key });
  const times = { ...offered, startTime };
  const sentWith = (idempotencyKey: string) => ({ 'x-api-key': value, 'idempotency-key': idempotencyKey });
  const hold = await post(createHold, sentWith('hold'), times);
  const body = { ...times, client, holdId: hold.json.holdId };
  const { id } = (await post(createBooking, sentWith('once'), body)).json;
  expect((await post(createBooking, sentWith('once'), body)).status).toBe(201);
  expect((await post(createBooking, sentWith('refused'), { ...times, client })).status).toBe(409);
  expect((await post(cancelBooking, sentWith('once'), undefined, id)).status).toBe(200);
  expect(await entries()).toMatchObject([
    { operation: 'POST /v1/integration/bookings/:id/cancel', resourceId: id, keyId: key.id, ownerId: null },
    { operation: 'POST /v1/integration/bookings', resourceId: id, keyId: key.id },
  ]);
});

test('A request to move a booking to the time it already has is not in the audit log, even with an Idempotency-Key', async () => {
  const { tenantId, book, entries } = await business();
  const { value } = await issueKey(dynamo(), { tenantId });
  const { id } = await book(startTime);
  const headers = { 'x-api-key': value, 'idempotency-key': 'once' };
  expect((await post(rescheduleBooking, headers, { startTime }, id)).status).toBe(200);
  expect(await entries()).toEqual([]);
});

test('The audit log names neither an API key nor an owner for a change that a client makes with an appointment link', async () => {
  const { offered, owner, entries } = await business();
  const { id } = (await owner('createBooking', { body: { ...offered, startTime, client } })).json;
  const { token } = (await owner('createManageLink', { ...at(id), body: {} })).json;
  expect((await post(cancelBooking, { authorization: `Bearer ${token}` }, undefined, id)).status).toBe(200);
  expect(await entries()).toMatchObject([
    { operation: 'POST /v1/integration/bookings/:id/cancel', resourceId: id, keyId: null, ownerId: null },
    { operation: 'POST /v1/account/bookings/:id/manage-link', resourceId: id, ownerId: 'owner' },
    { operation: 'POST /v1/account/bookings', resourceId: id, ownerId: 'owner' },
  ]);
});

test('Each request that exports data of a client has an audit entry, even if its cursor was forged', async () => {
  const { tenantId, owner, entries } = await business();
  const { id } = (await owner('createClient', { body: client })).json as { id: number };
  const scope = { tenantId, clientId: id, list: 'export' };
  const beginning = writeCursor(scope, JSON.stringify({ step: 'none', part: 0 }));
  for (const body of [{}, { cursor: beginning }]) {
    expect(await owner('exportClient', { ...at(id), body })).toMatchObject({ status: 200, json: { client: { id } } });
  }
  expect((await owner('exportClient', { ...at(id), body: { cursor: 'x' } })).status).toBe(400);
  const operation = 'POST /v1/account/clients/:id/export';
  expect(await entries()).toMatchObject([
    { operation, resourceId: id, fields: ['cursor'] },
    { operation, resourceId: id, fields: [] },
    { operation: 'POST /v1/account/clients', resourceId: id },
  ]);
});

test('An audit entry costs two write units, and is committed in the transaction of its change', async () => {
  const { principal } = await business();
  const body = { name: 'Trim', durationMinutes: 20, price: { amount: 100, currency: 'EUR' } };
  const change = { principal, operation: 'POST /v1/account/services', fields: Object.keys(body) };
  const units = async (make: () => Promise<unknown>) => {
    using script = scriptDynamo([], { units: true });
    await make();
    return script.units('write');
  };
  const plain = await units(() => createService(principal, body));
  expect(await units(() => recorded(change, () => createService(principal, body)))).toBe(plain + 2);
  expect((await listAudit(principal, {})).data).toHaveLength(1);

  // They are one transaction: a refusal of the entry also refuses the change.
  const before = (await fixture.items('records')).length;
  const isEntry = (sk: unknown) => String(sk).endsWith('#AUDIT');
  using _ = scriptDynamo([
    {
      when: ({ input }) => (input.TransactItems ?? []).some(({ Put }) => isEntry(Put?.Item?.pk)),
      fail: 'ValidationException',
    },
  ]);
  await expect(recorded(change, () => createService(principal, body))).rejects.toThrow();
  expect(await fixture.items('records')).toHaveLength(before);
});

test('The largest audit entry is below 1 KB, contains no field values, and expires after a year', async () => {
  const { tenantId } = await business();
  const change = {
    principal: { tenantId, actor: { kind: 'owner', subject: 's'.repeat(255), role: 'owner' } } as const,
    operation: 'PATCH /v1/account/webhooks/:id/deliveries/:deliveryId/redeliver',
    resourceId: Number.MAX_SAFE_INTEGER,
    fields: [
      ...['name', 'description', 'category', 'durationMinutes'],
      ...['bufferBeforeMinutes', 'bufferAfterMinutes', 'price'],
    ],
  };
  const [put] = runWithRequestId('a'.repeat(36), () => recorded(change, () => auditWrites({})));
  const item = put?.Put?.Item as AuditItem;
  expect(JSON.stringify(item).length).toBeLessThan(1_024);
  expect(item.expiresAtSeconds).toBe(Math.ceil(item.at / 1_000) + 365 * 86_400);
});

test('An audit entry is listed for 365 days, even if DynamoDB deletes it later', async () => {
  const { owner, entries } = await business();
  await owner('createStaffMember', { body: { name: 'a' } });
  const lengthAt = async (ms: number) => {
    setRuntime({ now: () => testNow + ms });
    return (await entries()).length;
  };
  expect([await lengthAt(365 * dayMs - 1), await lengthAt(365 * dayMs)]).toEqual([1, 0]);
});

test('The audit log is listed newest first, and its pages contain each entry once', async () => {
  const { owner, entries } = await business();
  for (const name of ['a', 'b', 'c']) await owner('createStaffMember', { body: { name } });
  const all = await entries();
  const first = (await owner('listAudit', { query: 'limit=2' })).json as { data: AuditEntry[]; nextCursor: string };
  const rest = (await owner('listAudit', { query: `limit=2&cursor=${first.nextCursor}` })).json;
  expect([...first.data, ...(rest.data as AuditEntry[])]).toEqual(all);
  const times = all.map(({ at: time }) => time);
  expect(times).toEqual(times.toSorted().reverse());
  expect(rest.nextCursor).toBeNull();
  const other = await business();
  expect((await other.owner('listAudit', { query: `cursor=${first.nextCursor}` })).status).toBe(400);
});
