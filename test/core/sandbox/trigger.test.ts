/** The objects and events that a trigger creates, also with concurrent requests (docs/rules.md#test-mode). */
import { describe, expect, test, vi } from 'vitest';
import { type EventName, eventNames } from '../../../contract/event-names.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { ensureSandbox } from '../../../core/catalog/copy.ts';
import { getService, getStaffMember, listServices, listStaff } from '../../../core/catalog/read.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import { inSandbox } from '../../../core/mode.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { getStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import { updateBusiness } from '../../../core/setup/update-business.ts';
import { eventProblems } from '../../support/account.ts';
import { everyDay } from '../../support/always-open.ts';
import { interfering } from '../../support/interfere.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { type BusinessOptions, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function sandbox(options?: BusinessOptions) {
  const { tenantId: live } = await fixture.business(options);
  const owner = ownerPrincipal(inSandbox(live));
  await ensureSandbox(owner.tenantId);
  const trigger = async (event: EventName) => (await triggerEvent(owner, { event })).made;
  const emitted = async (event: EventName) =>
    (await fixture.events(owner.tenantId)).filter(({ name }) => name === event).map(({ data }) => data);
  return { live, owner, trigger, emitted };
}

/** A sandbox in which every random choice is the first candidate. */
async function predictable(options?: BusinessOptions) {
  const made = await sandbox(options);
  setRuntime({ now: () => testNow, randomBytes: (size) => new Uint8Array(size), sleep: async () => undefined });
  return made;
}

describe.each(['automatic', 'manual'] as const)('triggered test events with %s confirmation', (confirmation) => {
  test.each(eventNames)(
    'Triggering the test event %s in the sandbox raises the event once, with valid data, and raises no event in live mode',
    async (event) => {
      const { live, owner, trigger, emitted } = await sandbox({ rules: { confirmation } });
      for (const times of [1, 2]) {
        const created = await trigger(event);
        const raised = await emitted(event);
        expect(raised).toHaveLength(times);
        // All ids in the event are ids of what was created.
        const ids = Object.entries(raised.at(-1) ?? {}).filter(([name, id]) => /^(?!ext|prev).*Id$/.test(name) && id);
        expect(created).toEqual(expect.objectContaining(Object.fromEntries(ids)));
        expect(eventProblems(await fixture.events(owner.tenantId))).toEqual([]);
      }
      expect(await fixture.events(live)).toEqual([]);
    },
  );
});

test.each([
  ['classes', { capacity: 3 }],
  ['services that need a room', { resourceKind: 'room' }],
  ['classes in a room', { capacity: 3, resourceKind: 'room' }],
])('In a sandbox that offers only %s, every test event about a booking can be triggered', async (_, shape) => {
  const { owner, trigger, emitted } = await predictable({
    services: [shape, shape, shape],
    change: (one) => ({ ...one, resources: [{ id: newId(), name: 'Room', kind: 'room', active: true, bookings: 0 }] }),
  });
  // Each choice is the first free time, which in a class is also that of the booking.
  for (const event of eventNames.filter((name) => name.startsWith('booking.'))) await trigger(event);
  expect(eventProblems(await fixture.events(owner.tenantId))).toEqual([]);
  const last = (await emitted('booking.rescheduled')).at(-1) as Booking | undefined;
  expect(last).toMatchObject({ places: 1, segments: [{ resourceName: 'resourceKind' in shape ? 'Room' : null }] });
});

const empty: BusinessOptions = { change: ({ business }) => ({ business, services: [], staff: [] }) };

test('A test event about a booking can be triggered even if a search for the slots of one week is refused as too large', async () => {
  const { owner, trigger, emitted } = await sandbox({ rules: { slotStepMinutes: 1 }, times: { durationMinutes: 5 } });
  const [service] = (await listServices(owner, {})).data;
  const [from, to] = ['2026-12-01', '2026-12-07'];
  const week = listSlots(owner, { serviceId: service?.id, from, to });
  await expect(week).rejects.toMatchObject({ code: 'range_too_large' });
  await trigger('booking.rescheduled');
  expect(await emitted('booking.rescheduled')).toHaveLength(1);
});

test('A test event about a booking can be triggered even if only one of many services and staff members can be booked', async () => {
  const { owner, trigger } = await predictable({
    allPerformAll: true,
    change: ({ business, services: [service], staff: [member] }) => {
      if (!service || !member) throw new Error('The demo has services and staff');
      return {
        business,
        services: Array.from({ length: 21 }, (_, i) => ({ ...service, id: newId(), active: i === 20 })),
        staff: Array.from({ length: 6 }, (_, i) => ({ ...member, id: newId(), active: i === 5 })),
      };
    },
  });
  await trigger('booking.created');
  expect((await listBookings(owner, {})).data).toHaveLength(1);
});

test('A test event about a booking can be triggered even if nothing can be booked in the next nine days', async () => {
  const { owner, trigger } = await sandbox({ rules: { minNoticeMinutes: 9 * 1_440 } });
  await trigger('booking.created');
  const [booking] = (await listBookings(owner, {})).data;
  expect(Date.parse(booking?.startTime ?? '')).toBeLessThan(testNow + (10 + 7) * 86_400_000);
});

test('Triggering a test event about a booking searches each service for a free time only once', async () => {
  const closed = { weekly: everyDay(''), exceptions: {} };
  const { trigger } = await sandbox({
    change: (tenant) => ({ ...tenant, staff: tenant.staff.map((one) => ({ ...one, schedule: closed })) }),
  });
  using script = scriptDynamo([]);
  await expect(trigger('booking.created')).rejects.toMatchObject({ code: 'slot_unavailable' });
  expect(script.operations.length).toBeLessThan(20);
});

test('In a sandbox without staff, test events about bookings cannot be triggered, but other test events can be triggered', async () => {
  const { trigger, emitted } = await sandbox(empty);
  await expect(trigger('booking.created')).rejects.toMatchObject({
    code: 'slot_unavailable',
    extras: { details: { nextAvailable: [] } },
    message:
      'No staff member of the sandbox is free in the next weeks. Add working hours for one, or reset the sandbox.',
  });
  for (const event of ['service.updated', 'service.deleted', 'staff.schedule_updated', 'payment.refunded'] as const) {
    await trigger(event);
    expect(await emitted(event)).not.toEqual([]);
  }
});

test('A test event cannot be triggered in live mode', async () => {
  const { live } = await sandbox();
  const owner = ownerPrincipal(live);
  const message = 'This endpoint works only in test mode: send the header Booking-Mode: test.';
  for (const event of eventNames) {
    await expect(triggerEvent(owner, { event })).rejects.toMatchObject({ code: 'invalid_state', message });
  }
  expect(await fixture.events(live)).toEqual([]);
  await updateBusiness(owner, { name: 'Still there' });
});

const email = expect.stringMatching(/^client-\d+@example\.com$/);
test.each<[EventName, object]>([
  ['booking.cancelled', { reason: 'Triggered', cancelledBy: 'staff' }],
  ['client.created', { name: 'Test Client', email }],
  ['client.updated', { name: 'Test Client, married', email }],
  ['review.created', { rating: 5, text: 'Triggered.' }],
  ['payment.received', { amount: 4_500, method: 'card' }],
  ['payment.refunded', { amount: 4_500, partial: false }],
])('The test event %s that an owner triggers in the sandbox contains fixed sample data', async (event, data) => {
  const { trigger, emitted } = await predictable();
  await trigger(event);
  expect(await emitted(event)).toMatchObject([data]);
});

test("A triggered event's change of a service or schedule is undone when the event is triggered again", async () => {
  const { owner, trigger } = await predictable();
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

test('A test event that is triggered in an empty sandbox creates the inactive service or the staff member that it is about', async () => {
  const { owner, trigger } = await predictable(empty);
  const { serviceId: id = 0 } = await trigger('service.updated');
  expect(await getService(owner, { id })).toMatchObject({ name: 'Made by a trigger', active: false });
  const { staffId = 0 } = await trigger('staff.schedule_updated');
  expect(await getStaffMember(owner, { id: staffId })).toMatchObject({ name: 'Made by a trigger' });
});

test.each<EventName>(['booking.created', 'booking.rescheduled'])(
  'If another request takes the time that was chosen for the booking of a test event, this booking gets another time (%s)',
  async (event) => {
    const { owner, trigger } = await predictable();
    const first = vi.fn(() => trigger('booking.created'));
    const when = (writes: unknown) => JSON.stringify(writes).includes(`"${event}"`);
    await interfering({ when, first }, () => trigger(event));
    expect(first).toHaveBeenCalledOnce();
    expect((await listBookings(owner, {})).data).toHaveLength(2);
  },
);
