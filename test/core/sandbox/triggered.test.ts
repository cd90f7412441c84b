/** What a trigger makes, and what becomes of it when others are in the way (docs/rules.md#test-mode). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EventName } from '../../../contract/event-names.ts';
import type { WeeklyHours } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { ensureSandbox } from '../../../core/catalog/copy.ts';
import { getService, getStaffMember, listServices, listStaff } from '../../../core/catalog/read.ts';
import { setRuntime } from '../../../core/clock.ts';
import { fail } from '../../../core/errors.ts';
import { inSandbox } from '../../../core/mode.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { getStaffSchedule, updateStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import type { Tenant } from '../../../local/demo.ts';
import { interfering } from '../../support/interfere.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { scripted } from '../../support/scripted-dynamo.ts';
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
])('Triggering %s returns the ids of what was made, with texts that show it is a test', async (event, ids, data) => {
  const { trigger, emitted } = await sandbox();
  expect(await trigger(event)).toMatchObject(ids);
  expect(await emitted(event)).toMatchObject([data]);
});

test('A triggered booking is for the same test client, at one of the next free times', async () => {
  const { owner, trigger } = await sandbox();
  const [first] = [await trigger('booking.created'), await trigger('booking.created')];
  choosing(255);
  const last = await trigger('booking.created');
  const { data } = await listBookings(owner, {});
  const client = { name: 'Test Client', phone: null, email: 'test.client@example.com' };
  expect(data.map((one) => one.client)).toEqual([client, client, client]);
  expect([data.at(0)?.id, data.at(-1)?.id]).toEqual([first?.bookingId, last.bookingId]);
  expect(new Set(data.map(({ startTime }) => startTime.slice(0, 10)))).toEqual(new Set(['2026-12-01', '2026-12-07']));
});

test('A triggered move keeps the service and chooses a staff member who performs it', async () => {
  const { trigger, emitted } = await sandbox();
  for (const byte of [0, 255]) {
    choosing(byte);
    await trigger('booking.rescheduled');
  }
  const moves = (await emitted('booking.rescheduled')) as { staffId: number; previousStaffId: number }[];
  expect(moves.map(({ staffId }) => staffId)).toEqual(moves.map(({ previousStaffId }) => previousStaffId));
});

test('A triggered change of a service or a schedule is undone by the next trigger', async () => {
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

test('A trigger that shortens a description keeps its characters whole', async () => {
  const { owner, trigger } = await sandbox();
  const [service] = (await listServices(owner, {})).data;
  if (!service) throw new Error('The sandbox has services');
  const kept = 'x'.repeat(1_899);
  const description = `${kept}😀${'x'.repeat(99)}`;
  await updateService(owner, service, { description });
  await trigger('service.updated');
  expect((await getService(owner, service)).description).toBe(`${kept} (changed by a trigger)`);
  // Negative control: cut at a number of units, it would end in half a character.
  expect(description.slice(0, 1_900).isWellFormed()).toBe(false);
});

test('A trigger in an empty sandbox creates a service or staff member that is not offered', async () => {
  const { owner, trigger } = await sandbox(({ business }) => ({ business, services: [], staff: [] }));
  const { serviceId: id = 0 } = await trigger('service.updated');
  expect(await getService(owner, { id })).toMatchObject({ name: 'Made by a trigger', active: false });
  const { staffId = 0 } = await trigger('staff.schedule_updated');
  expect(await getStaffMember(owner, { id: staffId })).toMatchObject({ name: 'Made by a trigger' });
});

test.each([
  ['2027-03-01', true],
  ['2027-03-02', false],
])('A trigger looks for a free time up to 90 days ahead; found on %s: %s', async (date, isFound) => {
  const { owner, trigger } = await sandbox(({ business, ...rest }) => ({
    ...rest,
    business: { ...business, bookingRules: { ...business.bookingRules, maxAdvanceDays: 365 } },
  }));
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const weekly = Object.fromEntries(days.map((name) => [name, []])) as unknown as WeeklyHours;
  const exceptions = { [date]: [{ from: '09:00', to: '18:00' }] };
  for (const member of (await listStaff(owner, {})).data) {
    const before = await getStaffSchedule(owner, member);
    const none = Object.fromEntries(Object.keys(before.exceptions).map((one) => [one, null]));
    await updateStaffSchedule(owner, member, { weekly, exceptions: { ...none, ...exceptions } });
  }
  const booked = trigger('booking.created');
  if (isFound) expect((await booked).bookingId).toEqual(made);
  else await expect(booked).rejects.toMatchObject({ code: 'slot_unavailable' });
});

describe('a time that another request takes concurrently', () => {
  test('A trigger takes another time when a concurrent request has taken the chosen one', async () => {
    const { owner, trigger } = await sandbox();
    const first = vi.fn(() => trigger('booking.created'));
    await interfering({ when: () => true, first }, () => trigger('booking.created'));
    expect(first).toHaveBeenCalledOnce();
    expect((await listBookings(owner, {})).data).toHaveLength(2);
  });

  /** Each commit fails in this way. Returns what is answered, and how many there were. */
  async function failing(error: Error) {
    const { trigger } = await sandbox();
    return scripted([{ when: 'TransactWriteItems', fail: () => error }], async ({ calls }) => {
      const answered = await trigger('booking.created').catch((refusal) => refusal);
      return { answered, commits: calls.filter(({ operation }) => operation === 'TransactWriteItems').length };
    });
  }

  test('A trigger gives up after losing five times to other requests, and the error names the sandbox', async () => {
    const { answered, commits } = await failing(fail('slot_unavailable'));
    expect(answered.message).toMatch(/^No staff member of the sandbox/);
    expect(commits).toBe(5);
  });

  test.each([new Error('Down'), fail('temporarily_unavailable')])(
    'A trigger does not try another time after the error %s',
    async (error) => {
      expect(await failing(error)).toEqual({ answered: error, commits: 1 });
    },
  );
});
