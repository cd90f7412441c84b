/** What a trigger makes, and what becomes of it when others are in the way (docs/rules.md#test-mode). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EventName } from '../../../contract/event-names.ts';
import { limits } from '../../../contract/limits.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { ensureSandbox } from '../../../core/catalog/copy.ts';
import { getService, getStaffMember, listServices, listStaff } from '../../../core/catalog/read.ts';
import { setRuntime } from '../../../core/clock.ts';
import { inSandbox } from '../../../core/mode.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { getStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import type { Tenant } from '../../../local/demo.ts';
import { interfering } from '../../support/interfere.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
/** The first of what there is to choose from, or with 255 the last. */
const choosing = (byte: number) =>
  setRuntime({
    now: () => testNow,
    randomBytes: (size) => new Uint8Array(size).fill(byte),
    sleep: async () => undefined,
  });
beforeEach(() => choosing(0));
afterEach(() => setRuntime({ now: () => testNow }));

async function sandbox(change?: (tenant: Tenant) => Tenant) {
  const { tenant } = await fixture.tenant(change);
  const owner = ownerPrincipal(inSandbox(tenant.business.id));
  await ensureSandbox(owner.tenantId);
  const trigger = async (event: EventName) => (await triggerEvent(owner, { event })).made;
  const emitted = async (event: EventName) =>
    (await fixture.events(owner.tenantId)).filter(({ name }) => name === event).map(({ data }) => data);
  return { owner, trigger, emitted };
}

const email = expect.stringMatching(/^client-\d+@example\.com$/);
const made = expect.any(Number);
test.each<[EventName, object, object]>([
  ['booking.cancelled', { bookingId: made }, { reason: 'Triggered', cancelledBy: 'staff' }],
  ['client.created', { clientId: made }, { name: 'Test Client', email }],
  ['client.updated', { clientId: made }, { name: 'Test Client, married', email }],
  ['review.created', { reviewId: made }, { rating: 5, text: 'Triggered.' }],
  ['payment.received', { paymentId: made }, { amount: 4_500, method: 'card' }],
  ['payment.refunded', { refundId: made }, { amount: 4_500, partial: false }],
  ['booking.rescheduled', { bookingId: made }, { rescheduledBy: 'staff' }],
  ['booking.confirmed', { bookingId: made }, { status: 'confirmed' }],
  ['booking.completed', { bookingId: made }, { status: 'completed' }],
  ['booking.no_show', { bookingId: made }, { status: 'no_show' }],
])(
  'Triggering the event %s returns the ids of the created objects, whose texts show that they are a test',
  async (event, ids, data) => {
    const { trigger, emitted } = await sandbox();
    expect(await trigger(event)).toMatchObject(ids);
    expect(await emitted(event)).toMatchObject([data]);
  },
);

test('When triggering an event changes a service or a schedule, the next trigger undoes that change', async () => {
  const { owner, trigger } = await sandbox();
  const [service, member] = [(await listServices(owner, {})).data[0], (await listStaff(owner, {})).data[0]];
  if (!service || !member) throw new Error('The sandbox has services and staff');
  const schedule = await getStaffSchedule(owner, member);
  const { description } = service;
  const day = { ...schedule.exceptions, '2027-12-01': [] };
  for (const [emitted, exceptions] of [
    [`${description} (changed by a trigger)`, day],
    [description, schedule.exceptions],
  ] as const) {
    expect(await trigger('service.updated')).toEqual({ serviceId: service.id });
    expect(await trigger('staff.schedule_updated')).toEqual({ staffId: member.id });
    expect((await getService(owner, service)).description).toBe(emitted);
    expect((await getStaffSchedule(owner, member)).exceptions).toEqual(exceptions);
  }
  await updateService(owner, service, { description: 'x'.repeat(limits.textLength) });
  await trigger('service.updated');
  expect((await getService(owner, service)).description.length).toBeLessThanOrEqual(limits.textLength);
});

test('Triggering an event in an empty sandbox creates a service or a staff member that is not offered for booking', async () => {
  const { owner, trigger } = await sandbox(({ business }) => ({ business, services: [], staff: [] }));
  const { serviceId: id = 0 } = await trigger('service.updated');
  expect(await getService(owner, { id })).toMatchObject({ name: 'Made by a trigger', active: false });
  const { staffId = 0 } = await trigger('staff.schedule_updated');
  expect(await getStaffMember(owner, { id: staffId })).toMatchObject({ name: 'Made by a trigger' });
});

describe('a time that another request takes concurrently', () => {
  test('When a concurrent request takes the chosen time of a trigger, the trigger takes another time', async () => {
    const { owner, trigger } = await sandbox();
    const first = vi.fn(() => trigger('booking.created'));
    await interfering({ when: () => true, first }, () => trigger('booking.created'));
    expect(first).toHaveBeenCalledOnce();
    expect((await listBookings(owner, {})).data).toHaveLength(2);
  });
});
