import { describe, expect, test, vi } from 'vitest';
import { eventNames } from '../../../contract/event-names.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { newId } from '../../../core/clock.ts';
import { inSandbox } from '../../../core/mode.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { updateBusiness } from '../../../core/setup/update-business.ts';
import type { Tenant } from '../../../local/demo.ts';
import { eventProblems } from '../../support/account.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';

vi.setConfig({ testTimeout: 60_000 });
const fixture = useTestBusiness();

async function sandbox(change?: (tenant: Tenant) => Tenant) {
  const { tenant } = await fixture.tenant(change);
  return { live: tenant.business.id, owner: ownerPrincipal(inSandbox(tenant.business.id)) };
}

describe.each(['automatic', 'manual'] as const)('triggered events with %s confirmation', (confirmation) => {
  test.each(eventNames)(
    'Triggering the event %s raises this event once, with valid data, in the sandbox only',
    async (event) => {
      const { live, owner } = await sandbox(({ business, ...rest }) => ({
        ...rest,
        business: { ...business, bookingRules: { ...business.bookingRules, confirmation } },
      }));
      for (const times of [1, 2]) {
        const { made } = await triggerEvent(owner, { event });
        const raised = await fixture.events(owner.tenantId);
        const reportedNow = raised.filter(({ name }) => name === event);
        expect(reportedNow).toHaveLength(times);
        const data = reportedNow.at(-1)?.data as unknown as Record<string, unknown>;
        // What was made is what the event tells of, by every id in it.
        const ids = Object.entries(data).filter(([name, id]) => /^(?!ext|prev).*Id$/.test(name) && id !== null);
        expect(made).toEqual(expect.objectContaining(Object.fromEntries(ids)));
        expect(eventProblems(raised)).toEqual([]);
      }
      expect(await fixture.events(live)).toEqual([]);
    },
  );
});

test.each([
  ['classes', { capacity: 3 }],
  ['services that need a room', { resourceKind: 'room' }],
  ['classes in a room', { capacity: 3, resourceKind: 'room' }],
])('Every event of a booking can be triggered where all services are %s', async (_, shape) => {
  const { owner } = await sandbox(({ services, ...rest }) => ({
    ...rest,
    services: services.map((one) => ({ ...one, ...shape })),
    resources: [{ id: newId(), name: 'Room', kind: 'room', active: true, bookings: 0 }],
  }));
  for (const event of eventNames.filter((name) => name.startsWith('booking.'))) await triggerEvent(owner, { event });
  const raised = await fixture.events(owner.tenantId);
  expect(eventProblems(raised)).toEqual([]);
  const last = raised.findLast(({ name }) => name === 'booking.rescheduled')?.data as Booking | undefined;
  expect(last).toMatchObject({ places: 1, segments: [{ resourceName: 'resourceKind' in shape ? 'Room' : null }] });
});

test('Triggering an event about a booking in a sandbox without staff is refused, and other events can be triggered', async () => {
  const { owner } = await sandbox(({ business }) => ({ business, services: [], staff: [] }));
  await expect(triggerEvent(owner, { event: 'booking.created' })).rejects.toMatchObject({
    ...{ code: 'slot_unavailable', extras: { details: { nextAvailable: [] } } },
    message:
      'No staff member of the sandbox has a free time in the next weeks. Give a staff member hours, or reset it.',
  });
  for (const event of ['service.updated', 'service.deleted', 'staff.schedule_updated', 'payment.refunded'] as const) {
    await triggerEvent(owner, { event });
    expect((await fixture.events(owner.tenantId)).map(({ name }) => name)).toContain(event);
  }
});

test('In live mode, triggering an event is refused', async () => {
  const { live } = await sandbox();
  const owner = ownerPrincipal(live);
  for (const event of eventNames) {
    await expect(triggerEvent(owner, { event })).rejects.toMatchObject({
      ...{ code: 'invalid_state', message: 'This is for test mode: send the header Booking-Mode: test.' },
    });
  }
  expect(await fixture.events(live)).toEqual([]);
  await updateBusiness(owner, { name: 'Still there' });
});
