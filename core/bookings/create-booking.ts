/** `POST /bookings` (docs/rules.md#bookings). */
import type * as z from 'zod/mini';
import type { Booking } from '../../contract/integration/resources.ts';
import type { createBooking as row } from '../../contract/integration/routes.ts';
import { findHold, type HoldItem, holdRemoval } from '../availability/holds.ts';
import type { Interval } from '../availability/intervals.ts';
import { loadMembers, loadOffer, type Member, type Offer, reachOf, takingAt } from '../availability/load.ts';
import { slotUnavailable } from '../availability/next-available.ts';
import { isStanding, type Taking, take } from '../availability/occurrences.ts';
import { bookingsOn, releaseHold as withoutHold } from '../availability/staff-day.ts';
import { changeTime, type StaffTime, timeWrites } from '../availability/staff-time.ts';
import { staffStays } from '../catalog/staff-revision.ts';
import { newId, now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { outboxPut, raise } from '../events/event.ts';
import { type IdempotentResult, idempotently } from '../idempotency/idempotently.ts';
import { keyIdOf, type Principal } from '../principal.ts';
import { sessionBookingWrites } from '../sessions/booking.ts';
import { dryRun, type Transaction } from '../store/transact.ts';
import { type BookingItem, bookingData, toBooking } from './booking.ts';
import { bookingWrites } from './change.ts';
import { clientFor } from './clients.ts';
import { contactLimitWrites } from './contact-limit.ts';

/** `outsideRules` is of the account API. */
export type NewBooking = z.output<(typeof row)['body']> & { readonly outsideRules?: boolean | undefined };

/**
 * Books a free start. The time, the booking, a new client, the events and the idempotency record are one transaction,
 * so two bookings of one staff member never overlap, and no change is without its event. Holds belong to API keys: an owner has none.
 * Errors: 404 `not_found`, 409 `slot_unavailable` with `details.nextAvailable`, 409 `hold_expired`,
 * 409 `contact_limit_reached`, 422 `idempotency_key_reused`. With `dryRun` the answer is the same, and nothing is written.
 */
export function createBooking(
  principal: Principal,
  body: NewBooking,
  idempotencyKey?: string,
): Promise<IdempotentResult<Booking>> {
  const once = body.dryRun ? undefined : idempotencyKey;
  return idempotently(principal, once, body, (commit) =>
    (body.dryRun ? dryRun : commit)(() => decide(principal, body)),
  );
}

async function decide(principal: Principal, body: NewBooking): Promise<Transaction<Booking>> {
  const { tenantId, actor } = principal;
  const at = now();
  const start = Date.parse(body.startTime) / 60_000;
  const starts = { start: Math.floor(start), end: Math.floor(start) + 1 };
  const [offer, hold] = await Promise.all([
    loadOffer(principal, body.serviceId),
    body.holdId === undefined ? undefined : usableHold(principal, body.holdId, body, start, at),
  ]);
  const staffId = body.staffId ?? hold?.staffId;
  const members = await loadMembers(offer, staffId, withHold(reachOf(offer, starts), hold));
  const { places = 1 } = body;
  const chosen = bestOf(
    members.flatMap((member) => {
      const taking = takingAt(offer, member, start, at, { places, using: hold, outsideRules: body.outsideRules });
      return taking ? [{ member, taking }] : [];
    }),
  );
  if (!chosen) {
    // Another booking may have used the hold after it was read here, and took the time with it.
    if (hold && !(await findHold(principal, hold.id, at))) throw fail('hold_expired');
    throw await slotUnavailable(offer, staffId, start, at, places);
  }
  const { member, taking } = chosen;
  const client = await clientFor(tenantId, body, at);
  const item = newBooking(offer, member, client, {
    taking,
    at,
    comment: body.comment || null,
    externalId: body.externalId ?? null,
    metadata: body.metadata ?? {},
    source: actor.kind === 'owner' ? 'account' : 'integration',
    madeBy: keyIdOf(principal),
    ...(actor.kind === 'session' && { sessionId: actor.id }),
  });
  const booking = toBooking(item);
  const contactWrites = await contactLimitWrites(principal, item, at);
  const sessionWrites = await sessionBookingWrites(principal);
  const time: StaffTime = { tenantId, staffId: member.staff.id, days: member.days };
  const released = hold ? changeTime<never>(time, hold.taken, (day) => withoutHold(day, hold.id)) : time;
  const taken = take(released, taking, at);
  if (typeof taken === 'string') throw new Error('A free start overlaps what is taken');
  const events = [
    raise(tenantId, 'booking.created', { ...bookingData(booking), source: item.source, price: item.price }, at),
    ...(item.status === 'confirmed'
      ? [raise(tenantId, 'booking.confirmed', { ...bookingData(booking), confirmedBy: 'automatic' }, at)]
      : []),
  ];
  return {
    // A new client of a dry run does not come to be.
    answer: body.dryRun && client.writes.length > 0 ? ({ ...booking, clientId: null } as unknown as Booking) : booking,
    writes: [
      ...bookingWrites(tenantId, item),
      ...timeWrites(taken),
      staffStays(tenantId, member.staff, offer.business.timeZone),
      ...client.writes,
      ...contactWrites,
      ...sessionWrites,
      ...events.map(outboxPut),
      ...(hold ? await holdRemoval(principal, hold, at) : []),
    ],
  };
}

/** The hold that the booking uses up. 409 `hold_expired`, or 400 when it was made for something else. */
async function usableHold(
  principal: Principal,
  holdId: string,
  body: NewBooking,
  start: number,
  at: number,
): Promise<HoldItem> {
  const hold = await findHold(principal, holdId, at);
  if (!hold) throw fail('hold_expired');
  const fits =
    hold.serviceId === body.serviceId &&
    hold.start === start &&
    hold.places >= (body.places ?? 1) &&
    (body.staffId ?? hold.staffId) === hold.staffId;
  if (fits) return hold;
  throw fail('validation_failed', {
    details: [{ path: 'holdId', message: 'was made for another service, staff member or time' }],
  });
}

/** What a hold takes may differ from what the booking takes: the service's buffers may have changed since. */
function withHold(reach: Interval, hold: HoldItem | undefined): Interval {
  if (!hold) return reach;
  return { start: Math.min(reach.start, hold.taken.start), end: Math.max(reach.end, hold.taken.end) };
}

interface Choice {
  readonly member: Member;
  readonly taking: Taking;
}

/**
 * Of several members one whose occurrence stands, and else the one with the fewest bookings on the days that were read: a
 * class is filled before another is opened.
 */
function bestOf(choices: readonly Choice[]): Choice | undefined {
  const opens = ({ member, taking }: Choice) => (isStanding(member.days, taking) ? 0 : 1);
  const taken = ({ member }: Choice) => [...member.days.values()].reduce((sum, day) => sum + bookingsOn(day), 0);
  return choices.toSorted(
    (a, b) => opens(a) - opens(b) || taken(a) - taken(b) || a.member.staff.id - b.member.staff.id,
  )[0];
}

interface Asked {
  readonly taking: Taking;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly comment: string | null;
  readonly externalId: string | null;
  readonly metadata: Booking['metadata'];
  readonly source: Booking['source'];
  readonly madeBy: number;
  readonly sessionId?: number;
}

function newBooking(
  { business, service }: Offer,
  { staff }: Member,
  client: { readonly id: number; readonly contact: Booking['client'] },
  { taking: { start, end, taken, places, capacity }, at, ...asked }: Asked,
): BookingItem {
  const createdAt = timestamp(at);
  return {
    id: newId(),
    status: business.bookingRules.confirmation === 'automatic' ? 'confirmed' : 'pending',
    serviceId: service.id,
    serviceName: service.name,
    staffId: staff.id,
    staffName: staff.name,
    clientId: client.id,
    client: client.contact,
    start,
    end,
    taken,
    places,
    ...(capacity !== undefined && { capacity }),
    timeZone: business.timeZone,
    price: { ...service.price, amount: service.price.amount * places },
    ...asked,
    cancelledBy: null,
    cancelReason: null,
    createdAt,
    updatedAt: createdAt,
    revision: 1,
  };
}
