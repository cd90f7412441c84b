/** Plain bookings, visits, classes and rooms beside each other (docs/rules.md#bookings): what stands is what is taken. */
import { expect, test } from 'vitest';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { createResource, updateResource } from '../../../core/setup/change-resource.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import type { Write } from '../../../core/store/write.ts';
import { Random } from '../../simulation/random.ts';
import { withBug } from '../../support/faults.ts';
import { outcomes } from '../../support/outcomes.ts';
import { at, newClient, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

/** Steps of a random history, some at once; after each round the calendars are compared with what stands. */
async function live(seed: number, rounds: number): Promise<number> {
  const random = new Random(seed, 'shapes');
  const { key, owner, services, staff, state } = await fixture.business({
    times: { durationMinutes: 30, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 },
    services: [{}, { capacity: 3, resourceKind: 'room' }, { resourceKind: 'room' }],
    allPerformAll: true,
  });
  const rooms = [
    await createResource(owner, { name: 'Room 1', kind: 'room' }),
    await createResource(owner, { name: 'Room 2', kind: 'room' }),
  ];
  const [cut, lesson, bath] = services;
  const bookings: { id: number }[] = [];
  const holds: { holdId: string; body: object }[] = [];
  const startTime = () => at(random.pick(['09:00', '09:30', '09:45', '10:15', '10:45', '23:30']), 3);
  const member = () => (random.chance(0.5) ? random.pick(staff).id : undefined);
  const asked = (): object =>
    random.pick([
      () => ({ serviceId: cut.id, staffId: random.pick(staff).id }),
      () => ({ serviceId: lesson.id, staffId: random.pick(staff).id, places: random.pick([1, 1, 2]) }),
      () => ({ serviceId: bath.id, staffId: random.pick(staff).id }),
      () => ({ services: [cut, bath].map(({ id }) => ({ serviceId: id, staffId: member() })) }),
      () => ({ services: [bath, cut, bath].map(({ id }) => ({ serviceId: id, staffId: member() })) }),
    ])();
  const some = <T>(list: readonly T[]): T | undefined => list[random.below(list.length + 1)];
  const steps = [
    async () => {
      const body = { ...asked(), startTime: startTime(), client: newClient() };
      bookings.push((await createBooking(key, body as Parameters<typeof createBooking>[1])).value);
    },
    async () => {
      const body = { ...asked(), startTime: startTime() };
      holds.push({ holdId: (await createHold(key, body)).holdId, body });
    },
    async () => {
      const held = some(holds);
      if (!held) return;
      const body = { ...held.body, holdId: held.holdId, client: newClient() };
      bookings.push((await createBooking(key, body as Parameters<typeof createBooking>[1])).value);
    },
    async () => void (await releaseHold(key, some(holds) ?? { holdId: 'hld_' })),
    async () => void (await cancelBooking(key, some(bookings) ?? { id: 1 }, {})),
    async () =>
      void (await rescheduleBooking(key, some(bookings) ?? { id: 1 }, {
        startTime: startTime(),
        ...(random.chance(0.3) && { staffId: random.pick(staff).id }),
      })),
    async () => void (await updateService(owner, lesson, { capacity: random.pick([1, 2, 4]) })),
    async () => void (await updateResource(owner, random.pick(rooms), { active: random.chance(0.7) })),
  ];
  const weights = [6, 2, 2, 1, 2, 4, 1, 1];
  const weighted = steps.flatMap((step, i) => Array.from({ length: weights[i] ?? 0 }, () => step));
  let seen = 0;
  for (let round = 0; round < rounds; round++) {
    await outcomes(Array.from({ length: random.pick([1, 1, 4]) }, () => random.pick(weighted)()));
    if (round % 5 === 0) seen += (await state()).live.length;
  }
  const { live: stand } = await state();
  // A room that stands in two segments at once would be in the calendars, too.
  expect(
    stand.every(({ taken, segments }) => taken.length >= new Set(segments.map(({ staffId }) => staffId)).size),
  ).toBe(true);
  return seen;
}

/** `HISTORIES=100` looks further. */
const histories = Number(process.env.HISTORIES ?? 4);

test('After any history of bookings, visits, classes and rooms, the calendars contain exactly the active bookings', {
  timeout: 600_000,
}, async () => {
  let seen = 0;
  for (let seed = 0; seed < histories; seed++) seen += await live(seed, 60);
  expect(seen).toBeGreaterThan(30 * histories);
});

test.each<[string, string, RegExp]>([
  ['a cancellation that keeps a room taken', 'booking.cancelled', /#R\d+$/],
  ['a move that keeps the time of a member taken', 'booking.rescheduled', /#\d+$/],
])(
  'Negative control: the comparison of calendars with bookings detects %s',
  async (_, event, day) => {
    const dropping = (writes: Write[]) => {
      const isIt = writes.some(({ Put }) => Put?.Item?.name === event);
      const first = writes.find(
        ({ Put }) => String(Put?.Item?.pk).endsWith('#DAYS') && day.test(String(Put?.Item?.sk)),
      );
      return isIt ? writes.filter((write) => write !== first) : writes;
    };
    const found = await withBug(dropping, async () => {
      for (let seed = 0; seed < 4; seed++) {
        const failed = await live(seed, 60).then(
          () => false,
          () => true,
        );
        if (failed) return true;
      }
      return false;
    });
    expect(found).toBe(true);
  },
  600_000,
);
