/**
 * Slots as integrators see them, against a model that decides minute by minute, with a zone database that is not ICU's:
 * every slot that is listed, how it is printed, and what booking says of others. `SLOT_QUERIES=2000` asks more often.
 */
import { expect, test } from 'vitest';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { setRuntime } from '../../../core/clock.ts';
import { ApiError } from '../../../core/errors.ts';
import { Random } from '../../simulation/random.ts';
import { useTestBusiness } from '../../support/test-business.ts';
import { modelFreeStarts, Walls } from './intl-model.ts';
import { ianaOffset, ianaTransitions } from './other-zones.ts';

const fixture = useTestBusiness();
const queries = Number(process.env.SLOT_QUERIES ?? 46);
const seed = Number(process.env.SLOT_SEED ?? 20_261_122);
const minuteMs = 60_000;
const dayMinutes = 1_440;
const firstMs = Date.UTC(2026, 11, 1);
const lastMs = Date.UTC(2028, 0, 1);

/** Of every continent, with half and quarter hours, changes at night, at midnight and in half hours, and without any. */
const zones = (
  'Africa/Cairo Africa/Casablanca Africa/Johannesburg Africa/Lagos America/Anchorage America/Asuncion America/Bogota ' +
  'America/Chicago America/Havana America/Los_Angeles America/Mexico_City America/New_York America/Nuuk America/Phoenix ' +
  'America/Santiago America/Sao_Paulo America/St_Johns America/Toronto Antarctica/Troll Asia/Beirut Asia/Dubai ' +
  'Asia/Jerusalem Asia/Kathmandu Asia/Kolkata Asia/Shanghai Asia/Tehran Asia/Tokyo Asia/Yangon Atlantic/Azores ' +
  'Australia/Adelaide Australia/Brisbane Australia/Eucla Australia/Lord_Howe Australia/Sydney Europe/Athens Europe/Dublin ' +
  'Europe/Istanbul Europe/Lisbon Europe/London Europe/Moscow Europe/Riga Pacific/Apia Pacific/Auckland Pacific/Chatham ' +
  'Pacific/Kiritimati Pacific/Pago_Pago'
).split(' ');

const two = (value: number) => String(value).padStart(2, '0');
const clock = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
const dateAt = (localMinute: number) => new Date(localMinute * minuteMs).toISOString().slice(0, 10);

function isoAt(minute: number, offset: number): string {
  const size = Math.abs(offset);
  const local = new Date((minute + offset) * minuteMs).toISOString().slice(0, 16);
  return `${local}:00${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Some hours of a day, in which clocks change, or around the clock, or none. */
function someHours(random: Random) {
  const kind = random.below(6);
  if (kind === 0) return [];
  if (kind === 1) return [{ from: '00:00', to: '24:00' }];
  const edges = Array.from({ length: 4 }, () => 15 * random.below(97)).sort((a, b) => a - b);
  const [a = 0, b = 0, c = 0, d = 0] = edges;
  return [[a, b] as const, [c, d] as const].flatMap(([from, to]) =>
    from < to ? [{ from: clock(from), to: clock(to) }] : [],
  );
}

function someSchedule(random: Random, dates: readonly string[]) {
  const day = () => someHours(random);
  const [monday, tuesday, wednesday, thursday] = [day(), day(), day(), day()];
  const weekly = { monday, tuesday, wednesday, thursday, friday: day(), saturday: day(), sunday: day() };
  const exceptions = random.chance(0.4) ? { [random.pick(dates)]: day() } : {};
  return { weekly, exceptions };
}

async function compare(nth: number): Promise<{ listed: number; booked: number; refused: number }> {
  const random = new Random(seed + nth, 'slots');
  const timeZone = zones[nth % zones.length] ?? 'UTC';
  const offset = ianaOffset(timeZone);
  const transitions = ianaTransitions(timeZone, firstMs, lastMs);
  const around = transitions.length > 0 && random.chance(0.8) ? random.pick(transitions) : firstMs / minuteMs;
  const now = (around - random.between(1, 6) * dayMinutes) * minuteMs + random.below(minuteMs);
  setRuntime({ now: () => now });

  const dayOfChange = Math.floor((around + offset(around)) / dayMinutes);
  const from = dayOfChange - random.below(3);
  const to = dayOfChange + random.below(3);
  const dates = [from, from + 1, to].map((day) => dateAt(day * dayMinutes));
  const rules = {
    slotStepMinutes: random.pick([5, 15, 20, 30, 45, 60]),
    minNoticeMinutes: random.pick([0, 60, 1_440]),
    maxAdvanceDays: random.pick([5, 30, 365]),
  };
  const times = {
    durationMinutes: random.pick([15, 30, 45, 60, 90, 240]),
    bufferBeforeMinutes: random.pick([0, 0, 10]),
    bufferAfterMinutes: random.pick([0, 0, 15]),
  };
  const { tenant, key } = await fixture.tenant(({ business, services, staff }) => ({
    business: { ...business, timeZone, bookingRules: { ...business.bookingRules, ...rules } },
    services: services.map((service) => ({ ...service, ...times })),
    staff: staff.map((member) => ({ ...member, schedule: someSchedule(random, dates) })),
  }));
  const [service] = tenant.services;
  if (!service) throw new Error('The demo has a service');
  const members = tenant.staff.filter(({ id }) => service.staffIds.includes(id));
  const query = { serviceId: service.id, from: dateAt(from * dayMinutes), to: dateAt(to * dayMinutes) };

  // The dates of the query in epoch minutes, as the clock on the wall shows them first.
  const walls = new Walls((m) => m + offset(m), (from - 4) * dayMinutes, (to + 3) * dayMinutes);
  const isShown = (m: number, day: number) => walls.at(m) >= day * dayMinutes;
  let start = (from - 2) * dayMinutes;
  while (!isShown(start, from)) start += 1;
  let end = start;
  while (!isShown(end, to + 1)) end += 1;

  const busy = new Map(members.map(({ id }) => [id, [] as { start: number; end: number }[]]));
  const expected = () =>
    members.flatMap(({ id, schedule }) => {
      const asked = { service: times, rules, timeZone, schedule, busy: busy.get(id) ?? [], now, range: { start, end } };
      return modelFreeStarts(asked, walls).map((m) => ({
        startTime: isoAt(m, offset(m)),
        endTime: isoAt(m + times.durationMinutes, offset(m + times.durationMinutes)),
        staffId: id,
        serviceId: service.id,
      }));
    });
  const inOrder = (slots: ReturnType<typeof expected>) =>
    slots.map(({ startTime, endTime, staffId }) => `${startTime} ${endTime} ${staffId}`).sort();
  const look = async () => {
    const { data } = await listSlots(key, query);
    expect(inOrder(data), `SLOT_SEED=${seed + nth - (nth % zones.length)} query ${nth} in ${timeZone}`).toEqual(
      inOrder(expected()),
    );
    return data;
  };
  const client = { name: 'Ada', email: 'ada@example.com' };
  const book = (staffId: number, startTime: string) =>
    createBooking(key, { serviceId: service.id, staffId, startTime, client });

  let booked = 0;
  const offered = await look();
  if (offered.length > 0) {
    const { staffId, startTime } = random.pick(offered);
    await book(staffId, startTime);
    booked += 1;
    const at = Date.parse(startTime) / minuteMs;
    const until = at + times.durationMinutes + times.bufferAfterMinutes;
    busy.get(staffId)?.push({ start: at - times.bufferBeforeMinutes, end: until });
  }
  const listed = booked > 0 ? await look() : offered;
  const names = new Set(listed.map(({ startTime, staffId }) => `${startTime} ${staffId}`));
  let refused = 0;
  for (let i = 0; i < 4; i++) {
    const m = random.between(start, end - 1);
    const { id } = random.pick(members);
    if (names.has(`${isoAt(m, offset(m))} ${id}`)) continue;
    const error = await book(id, isoAt(m, offset(m))).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error instanceof ApiError && error.code, `minute ${m} in ${timeZone}`).toBe('slot_unavailable');
    refused += 1;
  }
  return { listed: listed.length, booked, refused };
}

test(`${queries} businesses in ${zones.length} zones list exactly the starts that a model finds minute by minute`, async () => {
  const sum = { listed: 0, booked: 0, refused: 0 };
  for (let nth = 0; nth < queries; nth++) {
    const { listed, booked, refused } = await compare(nth);
    sum.listed += listed;
    sum.booked += booked;
    sum.refused += refused;
  }
  process.stderr.write(`slots: ${JSON.stringify(sum)} in ${zones.length} zones\n`);
  expect(sum.listed).toBeGreaterThan(20 * queries);
  expect(sum.booked).toBeGreaterThan(queries / 2);
  expect(sum.refused).toBeGreaterThan(queries);
}, 600_000);

test('Negative control: a zone whose change comes an hour later is found', () => {
  const [change = 0] = ianaTransitions('Europe/Riga', firstMs, lastMs);
  const offset = ianaOffset('Europe/Riga');
  const late = new Walls((m) => m + offset(m - 60), change - 5_100, change + 1_000);
  const right = new Walls((m) => m + offset(m), change - 5_100, change + 1_000);
  const night = [{ from: '01:00', to: '03:30' }];
  const weekly = {
    monday: night,
    tuesday: night,
    wednesday: night,
    thursday: night,
    friday: night,
    saturday: night,
    sunday: night,
  };
  const asked = {
    service: { durationMinutes: 30, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    rules: { slotStepMinutes: 30, minNoticeMinutes: 0, maxAdvanceDays: 30 },
    timeZone: 'Europe/Riga',
    schedule: { weekly, exceptions: {} },
    busy: [],
    now: (change - 2 * dayMinutes) * minuteMs,
    range: { start: change - 30, end: change + 300 },
  };
  expect(modelFreeStarts(asked, late)).not.toEqual(modelFreeStarts(asked, right));
});
