/** How the calendar shows bookings, and how a form explains a time that is not free. */
import { expect, test } from 'vitest';
import { csvLine } from '../../console/src/format/csv.ts';
import { type Booking, clientOf, serviceOf, staffOf } from '../../console/src/screens/bookings/booking.ts';
import { whyNot } from '../../console/src/screens/bookings/why-not.ts';
import { cardsOf, drawnEnd, lineOf, titleOf } from '../../console/src/screens/calendar/cards.ts';

const segment = (staffId: number, start: string, end: string, serviceId = 1) => ({
  ...{ serviceId, serviceName: `Service ${serviceId}`, staffId, staffName: `Member ${staffId}` },
  ...{ startTime: `2026-12-01T${start}:00Z`, endTime: `2026-12-01T${end}:00Z` },
  ...{ price: { amount: 1, currency: 'EUR' }, resourceId: null, resourceName: null },
});

function booking(id: number, segments: ReturnType<typeof segment>[], more: Partial<Booking> = {}): Booking {
  const [first] = segments;
  return {
    ...first,
    id,
    status: 'confirmed',
    places: 1,
    client: { name: `Client ${id}` },
    segments,
    ...more,
  } as Booking;
}

const capacityOf = (id: number) => (id === 9 ? 12 : 1);
/** Before the bookings. */
const now = Date.parse('2026-10-01T00:00:00Z');
const cards = (...bookings: Booking[]) => cardsOf(bookings, 'UTC', capacityOf, now);

test("The console's calendar shows a class as one card that counts the booked places, without cancelled bookings", () => {
  const at = segment(5, '09:00', '10:00', 9);
  const cancelled = booking(4, [at], { status: 'cancelled', places: 3 });
  const all = cards(
    booking(1, [at]),
    booking(2, [at], { places: 2 }),
    booking(3, [segment(6, '09:00', '10:00', 9)]),
    cancelled,
  );
  expect(all.map(({ class: shared }) => shared && `${shared.taken} of ${shared.capacity}`)).toEqual(
    expect.arrayContaining(['3 of 12', '1 of 12', undefined]),
  );
  expect(all).toHaveLength(3);
});

test('The calendar never shows a class as more than full, even if its capacity was reduced after bookings were made', () => {
  const at = segment(5, '09:00', '10:00', 8);
  const [card] = cardsOf([booking(1, [at], { places: 7 })], 'UTC', () => 5, now);
  expect(card?.class).toMatchObject({ taken: 7, capacity: 7 });
});

test('The calendar shows how many places of a past class were taken, but not the present capacity of its service', () => {
  const bookings = [booking(1, [segment(5, '09:00', '10:00', 9)], { places: 2 })];
  const lines = ['2026-12-01T08:59:00Z', '2026-12-01T09:00:00Z'].map((at) =>
    cardsOf(bookings, 'UTC', capacityOf, Date.parse(at)).map(lineOf),
  );
  expect(lines).toEqual([['2 of 12 places'], ['2 places']]);
});

test('The calendar shows a visit of several services as one card per service, with its time and its staff member', () => {
  const visit = booking(1, [segment(5, '09:00', '10:00'), segment(6, '10:00', '10:30', 2)]);
  expect(cards(visit).map(({ segment: { staffId }, start, part }) => [staffId, start, part?.at, part?.of])).toEqual([
    [5, '2026-12-01 09:00:00', 1, 2],
    [6, '2026-12-01 10:00:00', 2, 2],
  ]);
  expect(staffOf(visit)).toBe('Member 5, Member 6');
});

test('When the clocks go back, the calendar shows a booking in the repeated hour with its full length and its UTC offsets', () => {
  const times = { startTime: '2026-10-25T00:45:00Z', endTime: '2026-10-25T01:30:00Z' };
  const [card] = cardsOf([booking(1, [{ ...segment(5, '', ''), ...times }])], 'Europe/Riga', capacityOf, now);
  expect(card).toMatchObject({ start: '2026-10-25 03:45:00', end: '2026-10-25 03:30:00' });
  expect(card && drawnEnd(card)).toBe('2026-10-25 04:30:00');
  expect(card && titleOf(card)).toContain('03:45 (UTC+03:00)–03:30 (UTC+02:00)');
});

const staff = [5, 6].map((id) => ({ id, name: `Member ${id}` }));
const services = [1, 2].map((id) => ({ id, name: `Service ${id}` }));
const explained = (serviceId: number, staffId: number, ...reasons: ('day_off' | 'booked' | 'too_soon')[]) => ({
  ...{ serviceId, staffId, free: reasons.length === 0, reasons },
});
const parts = [
  { serviceId: 1, staffId: 5 },
  { serviceId: 2, staffId: 6 },
];

test('The console offers to override the booking rules only if nothing else, such as another booking, prevents the booking', () => {
  const of = (...some: ReturnType<typeof explained>[]) => whyNot({ free: false, staff: some }, parts, staff, services);
  expect(of(explained(1, 5, 'day_off'), explained(2, 6, 'too_soon'))?.isOfRules).toBe(true);
  expect(of(explained(1, 5, 'day_off'), explained(2, 6, 'too_soon', 'booked'))?.isOfRules).toBe(false);
  // Another staff member who is free is not the chosen one.
  expect(of(explained(1, 5), explained(2, 5), explained(2, 6, 'booked'))).toEqual({
    isOfRules: false,
    reasons: ['Service 2: Member 6 has another booking at this time.'],
  });
});

test('The console shows no reason why a booking is impossible if all chosen staff members are free', () => {
  expect(whyNot({ free: true, staff: [explained(1, 5), explained(2, 6)] }, parts, staff, services)).toBeUndefined();
});

test('Arabic and Hebrew names do not reorder numbers beside them in the console, and CSV exports contain no Unicode isolates', () => {
  const names = { serviceName: 'قص الشعر', staffName: 'יעל' };
  const [one, two] = ['09:00', '10:00'].map((start) => ({ ...segment(5, start, '11:00'), ...names }));
  const visit = booking(
    1,
    [one, two].flatMap((part) => part ?? []),
    { client: { name: 'محمد' } as Booking['client'] },
  );
  expect(cards(visit).map(lineOf)).toEqual(['\u2068قص الشعر\u2069 · 1 of 2', '\u2068قص الشعر\u2069 · 2 of 2']);
  expect(serviceOf({ ...visit, places: 2 })).toBe('\u2068قص الشعر\u2069 + \u2068قص الشعر\u2069 · 2 places');
  expect([clientOf(visit), staffOf(visit)]).toEqual(['\u2068محمد\u2069', '\u2068יעל\u2069']);
  const room = { resourceId: 3, resourceName: 'אולם' };
  const [lesson] = cards({ ...booking(2, [Object.assign(segment(5, '09:00', '10:00', 9), names, room)]) });
  expect(lesson && titleOf(lesson)).toBe(
    '\u2068قص الشعر\u2069, 1 of 12 places, 09:00–10:00, \u2068יעל\u2069, \u2068אולם\u2069, Client 2',
  );
  expect(csvLine([clientOf(visit), serviceOf(visit)])).toBe('محمد,قص الشعر + قص الشعر\r\n');
});
