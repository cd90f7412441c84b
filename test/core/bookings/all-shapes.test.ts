/** Plain bookings, visits, classes and rooms together (docs/rules.md#bookings): calendars match the bookings. */
import { expect, test } from 'vitest';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { datesToEpoch, zoneOf } from '../../../core/availability/zone.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import { createResource, updateResource } from '../../../core/setup/change-resource.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import type { Write } from '../../../core/store/write.ts';
import { Random } from '../../simulation/random.ts';
import { withBug } from '../../support/faults.ts';
import { outcomes } from '../../support/outcomes.ts';
import { newClient, useTestBusiness } from '../../support/test-business.ts';
import { places } from '../availability/random-businesses.ts';

const fixture = useTestBusiness();

type Slots = Awaited<ReturnType<typeof listSlots>>['data'];

/** Each history begins a second after the previous one, so that no two create the same ids. */
let begun = 0;

/**
 * Runs a random history, partly concurrent, on a day with or without a clock change. After each round the calendars are
 * compared with the bookings, and at the end the listed slots with those that can be booked.
 */
async function live(seed: number, rounds: number, shown = (slots: Slots) => slots): Promise<number> {
  const random = new Random(seed, 'shapes');
  const [timeZone, date] = random.pick(places);
  const midnight = Date.parse(date);
  let time = midnight - 7 * 3_600_000 + ++begun * 1_000;
  setRuntime({ now: () => time });
  const { key, owner, services, staff, state } = await fixture.business({
    times: { durationMinutes: 30, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 },
    services: [{}, { capacity: 3, resourceKind: 'room' }, { resourceKind: 'room' }],
    allPerformAll: true,
    change: (one) => ({ ...one, business: { ...one.business, timeZone } }),
  });
  const rooms = [
    await createResource(owner, { name: 'Room 1', kind: 'room' }),
    await createResource(owner, { name: 'Room 2', kind: 'room' }),
  ];
  const [cut, lesson, bath] = services;
  const bookings: { id: number }[] = [];
  const holds: { holdId: string; body: object }[] = [];
  const iso = (minute: number) => new Date(midnight + minute * 60_000).toISOString();
  const startTime = () => iso(random.pick([-30, 0, 30, 45, 75, 105, 870]));
  const member = () => (random.chance(0.5) ? random.pick(staff).id : undefined);
  const requested = (): object =>
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
      const body = { ...requested(), startTime: startTime(), client: newClient() };
      bookings.push(await createBooking(key, body as Parameters<typeof createBooking>[1]));
    },
    async () => {
      const body = { ...requested(), startTime: startTime() };
      holds.push({ holdId: (await createHold(key, body)).holdId, body });
    },
    async () => {
      const held = some(holds);
      if (!held) return;
      const body = { ...held.body, holdId: held.holdId, client: newClient() };
      bookings.push(await createBooking(key, body as Parameters<typeof createBooking>[1]));
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
    async () => {
      time += 60_000 * random.pick([1, 4, 15]);
    },
  ];
  const weights = [6, 2, 2, 1, 2, 4, 1, 1, 1];
  const weighted = steps.flatMap((step, i) => Array.from({ length: weights[i] ?? 0 }, () => step));
  let seen = 0;
  for (let round = 0; round < rounds; round++) {
    await outcomes(Array.from({ length: random.pick([1, 1, 4]) }, () => random.pick(weighted)()));
    if (round % 5 === 0) seen += (await state()).live.length;
  }
  const { live: stand } = await state();
  // A room in two segments at the same time would be in the calendars, too.
  expect(
    stand.every(({ taken, segments }) => taken.length >= new Set(segments.map(({ staffId }) => staffId)).size),
  ).toBe(true);
  const { start, end } = datesToEpoch(zoneOf(timeZone), date, date);
  for (const [i, service] of services.entries()) {
    const requested = { serviceId: service.id, staffId: staff[i]?.id ?? 0 };
    const { data } = await listSlots(key, { ...requested, from: date, to: date });
    const listed = new Set(shown(data).map((slot) => Date.parse(slot.startTime)));
    for (let onGrid = start; onGrid < end; onGrid += 15) {
      const minute = onGrid + random.pick([0, 0, 0, 7]);
      const body = {
        ...requested,
        startTime: new Date(minute * 60_000).toISOString(),
        client: newClient(),
        dryRun: true,
      };
      const { won } = await outcomes([createBooking(key, body)]);
      expect(won.length, `${body.startTime} in ${timeZone}`).toBe(listed.has(minute * 60_000) ? 1 : 0);
    }
  }
  return seen;
}

/** `HISTORIES=100` tests more histories. */
const histories = Number(process.env.HISTORIES ?? 6);

test('After random changes, calendars contain exactly the active bookings, and exactly the listed slots can be booked', {
  timeout: 600_000,
}, async () => {
  let seen = 0;
  for (let seed = 0; seed < histories; seed++) seen += await live(seed, 60);
  expect(seen).toBeGreaterThan(30 * histories);
});

const keyOf = ({ Put }: Write) => `${Put?.Item?.pk} ${Put?.Item?.sk}`;

test.each<[string, string, (write: Write) => boolean]>([
  ['a cancellation that keeps a room taken', 'booking.cancelled', (write) => /#DAYS .*#R\d+$/.test(keyOf(write))],
  ['a move that keeps the old time taken', 'booking.rescheduled', (write) => /#DAYS .*#\d+$/.test(keyOf(write))],
  ['a booking without its event', 'booking.created', ({ Put }) => Put?.Item?.name === 'booking.created'],
])(
  'Negative control: the comparison of calendars with bookings detects %s',
  async (_, event, isMissing) => {
    const dropping = (writes: Write[]) => {
      const isIt = writes.some(({ Put }) => Put?.Item?.name === event);
      const first = writes.find(isMissing);
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

test('Negative control: if the list of slots leaves out free slots, the comparison of listed with bookable slots fails', async () => {
  await expect(live(0, 5, (slots) => slots.filter((_, i) => i % 2 === 0))).rejects.toThrow('to be');
});
