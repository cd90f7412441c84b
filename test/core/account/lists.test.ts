/** What an owner reads back: lists with their filters, newest first, and nothing of another business. */
import { beforeAll, expect, test, vi } from 'vitest';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listStaff } from '../../../core/catalog/read.ts';
import { ownerOf } from '../../support/account.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
beforeAll(() => vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true'));

/** A business with visits of two staff members, each of them paid. */
async function afterTwoVisits() {
  const { tenant, key } = await fixture.tenant();
  const owner = ownerOf(key.tenantId);
  const service = tenant.services[0];
  const [anna, , ben] = tenant.staff.filter(({ id }) => service?.staffIds.includes(id));
  if (!service || !anna || !ben) throw new Error('Three members of the demo perform its first service');
  const visit = async (staffId: number, amount: number) => {
    const startTime = '2026-12-01T09:00:00+02:00';
    const client = { name: `Client of ${staffId}`, email: `${staffId}@example.com` };
    const { value: booking } = await createBooking(key, { serviceId: service.id, staffId, startTime, client });
    const { json: payment } = await owner('recordPayment', {
      body: { bookingId: booking.id, clientId: booking.clientId, amount, method: 'card' },
    });
    return { booking, payment };
  };
  return { owner, first: await visit(anna.id, 500), second: await visit(ben.id, 200) };
}

const ids = (list: { readonly data?: unknown }) => (list.data as { id: number }[]).map(({ id }) => id);

test('The list of staff members can be filtered by a service that they perform', async () => {
  const { tenant, key } = await fixture.tenant();
  const beard = tenant.services[2];
  expect(beard?.staffIds.length).toBeLessThan(tenant.staff.length);
  const listed = await listStaff(key, { serviceId: beard?.id });
  expect(ids(listed).sort()).toEqual([...(beard?.staffIds ?? [])].sort());
  expect(listed.total).toBe(beard?.staffIds.length);
  expect((await listStaff(key, {})).total).toBe(tenant.staff.length);
  expect(await listStaff(key, { serviceId: 1 })).toEqual({ data: [], total: 0 });
});

test('The list of payments is newest first and can be filtered by booking and by client', async () => {
  const { owner, first, second } = await afterTwoVisits();
  const list = async (query = '') => ids((await owner('listPayments', { query })).json);
  expect(await list()).toEqual([second.payment.id, first.payment.id]);
  expect(await list(`bookingId=${first.booking.id}`)).toEqual([first.payment.id]);
  expect(await list(`clientId=${second.booking.clientId}`)).toEqual([second.payment.id]);
  expect(await list(`bookingId=${first.booking.id}&clientId=${second.booking.clientId}`)).toEqual([]);
});

test('The list of payments is filtered by the date when the money was received, not by the date of entry', async () => {
  const { tenant } = await fixture.tenant();
  const owner = ownerOf(tenant.business.id);
  const paid = async (receivedAt: string) => {
    const { json } = await owner('recordPayment', { body: { amount: 100, method: 'cash', receivedAt } });
    return json.id as number;
  };
  const late = await paid('2026-11-30T12:00:00+02:00');
  const early = await paid('2026-11-01T00:00:00Z');
  const list = async (query: string) => ids((await owner('listPayments', { query })).json);
  expect(await list('from=2026-11-30T10:00:00Z')).toEqual([late]);
  expect(await list('to=2026-11-30T10:00:00Z')).toEqual([early]);
  expect(await list('from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z')).toEqual([early, late]);
  const { json } = await owner('listPayments', { query: 'from=2026-12-01T00:00:00Z&to=2026-11-01T00:00:00Z' });
  expect(json.details).toMatchObject([{ path: 'to' }]);
});
