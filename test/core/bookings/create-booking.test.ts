/** What a new booking says of itself, and what it takes (docs/rules.md#bookings). */
import { expect, test } from 'vitest';
import { createHold } from '../../../core/availability/holds.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import { expectConsistent } from '../../support/booking-state.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const jane = { name: 'Jane', phone: '+371 2000 0001', email: 'jane@example.com' };

/** One service of half an hour with an hour around it, and a member who is always there. */
async function testBusiness() {
  const made = await fixture.business({
    rules: { slotStepMinutes: 1 },
    times: { durationMinutes: 30, bufferBeforeMinutes: 60, bufferAfterMinutes: 60 },
    change: (demo) => ({
      ...demo,
      services: demo.services.map((one) => ({ ...one, staffIds: one.staffIds.toReversed() })),
    }),
  });
  const [[service], [member]] = [made.services, made.staff];
  const offered = { serviceId: service.id, staffId: member.id, client: jane };
  const book = (startTime: string, more = {}) => made.book(startTime, { client: jane, ...more });
  return { ...made, service, member, offered, book };
}

test('A booking contains its service, staff member, time, time zone and the current price', async () => {
  const { service, member, book } = await testBusiness();
  const booking = await book('2026-12-03T10:00:00+02:00');
  expect(booking).toEqual({
    id: expect.any(Number),
    status: 'confirmed',
    serviceId: service.id,
    serviceName: service.name,
    staffId: member.id,
    staffName: member.name,
    clientId: expect.any(Number),
    client: jane,
    startTime: '2026-12-03T10:00:00+02:00',
    endTime: '2026-12-03T10:30:00+02:00',
    timeZone: 'Europe/Riga',
    segments: [
      {
        ...{ serviceId: service.id, serviceName: service.name, staffId: member.id, staffName: member.name },
        startTime: '2026-12-03T10:00:00+02:00',
        endTime: '2026-12-03T10:30:00+02:00',
        resourceId: null,
        resourceName: null,
        price: service.price,
      },
    ],
    places: 1,
    price: service.price,
    comment: null,
    source: 'integration',
    externalId: null,
    metadata: {},
    cancelledBy: null,
    cancelReason: null,
    createdAt: new Date(testNow).toISOString(),
    updatedAt: new Date(testNow).toISOString(),
    revision: 1,
  });
});

test('A booking for a known client contains the contact that was sent, and the stored client stays unchanged', async () => {
  const { book } = await testBusiness();
  const first = await book('2026-12-03T10:00:00+02:00');
  const other = { name: 'Jane Doe', phone: jane.phone, email: 'doe@example.com' };
  const second = await book('2026-12-03T14:00:00+02:00', { client: other });
  expect([second.clientId, second.client]).toEqual([first.clientId, other]);
  const third = await book('2026-12-03T18:00:00+02:00', { client: undefined, clientId: first.clientId });
  expect([third.clientId, third.client]).toEqual([first.clientId, first.client]);
});

test('Of equally busy staff members, the one who was added first gets the booking', async () => {
  const { service, book } = await testBusiness();
  const ids = service.staffIds.toReversed();
  const chosen = [];
  for (const _ of ids) chosen.push((await book('2026-12-03T10:00:00+02:00', { staffId: undefined })).staffId);
  expect(chosen).toEqual(ids);
  expect(ids.length).toBeGreaterThan(1);
});

test.each([
  ['before', '2026-12-04T00:15:00Z'],
  ['after', '2026-12-03T23:15:00Z'],
])(
  "A booking that uses a hold across midnight frees the held buffers on the day %s, even if the service's buffers shrank",
  async (_, startTime) => {
    const { key, owner, service, offered, book } = await testBusiness();
    const { holdId } = await createHold(key, { ...offered, startTime });
    await updateService(owner, service, { bufferBeforeMinutes: 0, bufferAfterMinutes: 0 });
    const start = Date.parse((await book(startTime, { holdId })).startTime);
    for (const by of [-30, 30]) await book(new Date(start + by * 60_000).toISOString());
    expect((await expectConsistent(fixture, key.tenantId, testNow)).live).toHaveLength(3);
  },
);

test.each(['10:00:30+02:00', '10:00:00.500+02:00'])(
  'A booking whose start %s is not a whole minute is refused',
  async (time) => {
    const { book } = await testBusiness();
    await expect(book(`2026-12-03T${time}`)).rejects.toMatchObject({ code: 'slot_unavailable' });
    await expect(book('2026-12-03T10:00:00+02:00')).resolves.toMatchObject({ status: 'confirmed' });
  },
);
