/** Two weeks of visits and the days ahead: bookings, completions, no-shows, payments and reviews. */
import type { Booking } from '../../contract/integration/resources.ts';
import { dateOf, minutesPerDay } from '../../core/availability/calendar.ts';
import { isoOf, localToEpoch, offsetAt, zoneOf } from '../../core/availability/zone.ts';
import { cancelBooking } from '../../core/bookings/cancel.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { completeBooking, markNoShow } from '../../core/bookings/progress.ts';
import { ApiError } from '../../core/errors.ts';
import { checkKey } from '../../core/keys/check-key.ts';
import { recordPayment } from '../../core/payments/record-payment.ts';
import { refundPayment } from '../../core/payments/refund-payment.ts';
import type { KeyActor, Principal } from '../../core/principal.ts';
import { createReview, replyToReview } from '../../core/reviews/create-review.ts';
import { updateBusiness } from '../../core/setup/update-business.ts';
import type { Tenant } from '../demo.ts';
import { at } from './clock.ts';
import { drawer } from './drawer.ts';

const minuteMs = 60_000;
const [daysBefore, daysAfter] = [15, 7];
/** The website's requests before a booking: services and free times. */
const looks = 12;
/** The maximum of visits per staff member and day. */
const visitsADay = 3;
/** Future visits were booked in the last three days. */
const bookedWithinMinutes = 3 * minutesPerDay;
/** The number of bookings without confirmation. */
const waiting = 4;
const firstMinute = 9 * 60;
const lastMinute = 18 * 60;

const people = [
  'Anete Bērziņa',
  'Bruno Silva',
  'Chen Li',
  'Dace Ozola',
  'Elina Kalniņa',
  'Farid Aziz',
  'Grace Okafor',
  'Hugo Martin',
  'Ieva Liepa',
  'Jonas Petrauskas',
  'Katrīna Vītola',
  'Liam Byrne',
  'Mia Lindqvist',
  'Nils Berg',
  'Oksana Koval',
  'Pedro Santos',
  'Rasa Kazlauskienė',
  'Sofia Rossi',
  'Toms Krūmiņš',
  'Una Zariņa',
];
const words: Readonly<Record<number, readonly string[]>> = {
  5: ['Exactly what I asked for.', 'Kind, quick, and a good talk.', 'Best cut in years.'],
  4: ['Very good, a little late.', 'Happy with the colour.'],
  2: ['I waited twenty minutes.'],
};
const ratings = [5, 5, 4, 5, 2, 4, 5];
const cancelReasons = ['Caught a cold', 'A meeting came up', 'Found another time'];

export function ownerOf(tenantId: number) {
  return { tenantId, actor: { kind: 'owner', role: 'owner', subject: 'demo' } } as const;
}

/** The key of the business's website, and the key of its item in the keys table. */
export interface Website {
  readonly key: Principal<KeyActor>;
  readonly hash: string;
}

type Draw = (below: number) => number;

/** A booking and its later changes. */
interface Visit {
  readonly booking: Booking;
  readonly draw: Draw;
}

/** `now` is in milliseconds since the epoch; only future visits are later. */
export async function makeVisits({ business, services, staff }: Tenant, website: Website, now: number): Promise<void> {
  const owner = ownerOf(business.id);
  const zone = zoneOf(business.timeZone);
  const minute = Math.floor(now / minuteMs);
  const today = Math.floor((minute + offsetAt(zone, minute)) / minutesPerDay);
  const { key, hash } = website;

  /** Creates a booking on the website or in the console, days before its start. */
  const bookAt = async (start: number, services: object, draw: Draw): Promise<Booking[]> => {
    // A booking is not created in the future.
    const bookedAt = Math.min(
      start * minuteMs - (1 + draw(6)) * minutesPerDay * minuteMs,
      now - draw(bookedWithinMinutes) * minuteMs,
    );
    const name = people[draw(people.length)] ?? '';
    const client = { name, email: `${addressOf(name)}@example.com` };
    const body = { ...services, startTime: isoOf(zone, start), client };
    const isOnline = draw(3) > 0;
    for (let look = draw(looks); isOnline && look >= 0; look--) await at(bookedAt, () => checkKey(hash));
    const visit = await unlessTaken(
      at(bookedAt, () => (isOnline ? createBooking(key, body) : createBooking(owner, body))),
    );
    return visit ? [visit] : [];
  };

  // Several services in sequence, with any staff members who are free.
  const visits: Visit[] = [];
  const [haircut, colour, beard, , massage] = services.map(({ id }) => ({ serviceId: id }));
  for (let day = today - daysBefore; day <= today + daysAfter; day += 2) {
    const draw = drawer(day);
    const chosen = draw(2) === 0 ? [massage, haircut] : [colour, beard, massage];
    const start = localToEpoch(zone, dateOf(day), firstMinute + 30 * (4 + draw(4)));
    const bookings = await bookAt(start, { services: chosen }, draw);
    visits.push(...bookings.map((booking) => ({ booking, draw })));
  }

  // One after another: the ids of a transaction count up only while no other transaction has another time.
  const booked: Visit[] = [];
  for (const member of staff) {
    const draw = drawer(member.id);
    for (let day = today - daysBefore; day <= today + daysAfter; day++) {
      let from = firstMinute;
      for (let visit = 0; visit < visitsADay; visit++) {
        const serviceId = member.serviceIds[draw(member.serviceIds.length)] ?? 0;
        const { durationMinutes = 0, capacity = 1 } = services.find(({ id }) => id === serviceId) ?? {};
        from += 30 * draw(4);
        if (from + durationMinutes > lastMinute) break;
        const start = localToEpoch(zone, dateOf(day), from);
        for (let place = capacity > 1 ? 2 + draw(6) : 1; place > 0; place--) {
          const bookings = await bookAt(start, { serviceId, staffId: member.id }, draw);
          const fate = drawer(member.id * 1_000 + day * 10 + visit + place * 100_000 - 100_000);
          booked.push(...bookings.map((booking) => ({ booking, draw: fate })));
        }
        from += durationMinutes;
      }
    }
  }
  const reviews: (Review | undefined)[] = [];
  for (const { booking, draw } of [...visits, ...booked]) reviews.push(await liveOn(owner, booking, draw, now));
  for (const review of reviews) await review?.();

  // These bookings wait for a confirmation.
  const { confirmation } = business.bookingRules;
  await updateBusiness(owner, { bookingRules: { confirmation: 'manual' } });
  for (const [i, name] of people.slice(0, waiting).entries()) {
    const serviceId = services[0]?.id ?? 0;
    const start = localToEpoch(zone, dateOf(today + 2 + i), lastMinute - 60 * (i + 1));
    const client = { name, email: `${addressOf(name)}@example.com` };
    await unlessTaken(createBooking(key, { serviceId, startTime: isoOf(zone, start), client }));
  }
  await updateBusiness(owner, { bookingRules: { confirmation } });
}

/** Writes a client's review of a visit. */
type Review = () => Promise<void>;

/** Continues a visit to its end, and returns its review. */
async function liveOn(owner: Principal, booking: Booking, draw: Draw, now: number): Promise<Review | undefined> {
  const [start, end] = [Date.parse(booking.startTime), Date.parse(booking.endTime)];
  const fate = draw(100);
  if (fate < 12) {
    const link = { kind: 'session', id: 0, keyId: 0, rights: ['cancel'], bookingId: booking.id } as const;
    const by: Principal = fate < 6 ? { ...owner, actor: link } : owner;
    const reason = cancelReasons[fate % cancelReasons.length];
    await at(Math.min(start - 5 * 60 * minuteMs, now), () => cancelBooking(by, booking, { reason }));
    return undefined;
  }
  if (end > now) return undefined;
  if (fate < 18) {
    await at(end, () => markNoShow(owner, booking));
    return undefined;
  }
  await at(end, () => completeBooking(owner, booking));
  const paidAt = end + minuteMs + draw(4 * 60) * 1_000;
  if (paidAt > now) return undefined;
  const payment = await at(paidAt, () =>
    recordPayment(owner, {
      amount: booking.price.amount,
      method: draw(4) === 0 ? 'cash' : 'card',
      bookingId: booking.id,
    }),
  );
  if (fate >= 97) {
    await at(Math.min(end + 60 * minuteMs, now), () =>
      refundPayment(owner, payment, { amount: Math.round(payment.amount / 2), reason: 'Not as agreed' }),
    );
  }
  if (fate % 3 !== 0) return undefined;
  const rating = ratings[draw(ratings.length)] ?? 5;
  const phrases = words[rating] ?? [];
  const text = phrases[draw(phrases.length)] ?? '';
  const reviewedAt = Math.min(end + draw(20) * 60 * minuteMs, now);
  return async () => {
    const review = await at(reviewedAt, () => createReview(owner, { bookingId: booking.id, rating, text }));
    if (rating > 3) return;
    await at(now, () => replyToReview(owner, review, { text: 'We are sorry, and have changed our plan.' }));
  };
}

const addressOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.');

/** Returns undefined if the time is taken, or outside the staff member's hours. */
async function unlessTaken<T>(booking: Promise<T>): Promise<T | undefined> {
  try {
    return await booking;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'slot_unavailable') return undefined;
    throw error;
  }
}
