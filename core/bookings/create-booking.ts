/** `POST /bookings` (docs/rules.md#bookings). */
import type * as z from 'zod/mini';
import type { Booking } from '../../contract/integration/resources.ts';
import type { createBooking as row } from '../../contract/integration/routes.ts';
import { withoutHold } from '../availability/calendar-day.ts';
import { changeTime, timeWrites, withDaysOf } from '../availability/calendar-time.ts';
import { findHold, type HoldItem, holdRemoval } from '../availability/holds.ts';
import { minuteOf } from '../availability/intervals.ts';
import { loadChoices, loadOffer, type Offer, type RequestedService, reachOf } from '../availability/load.ts';
import { slotUnavailable } from '../availability/next-available.ts';
import { take } from '../availability/occurrences.ts';
import { requestedServices } from '../availability/requested-services.ts';
import { type Choice, choiceAt } from '../availability/starts.ts';
import { newId, now, timestamp } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import { keyIdOf, type Principal } from '../principal.ts';
import { bookingSession, sessionBookingWrites } from '../sessions/booking.ts';
import { type Commit, commitWithRetry, dryRun, type Transaction } from '../store/transact.ts';
import { type BookingItem, bookingData, toBooking } from './booking.ts';
import { bookingWrites } from './change.ts';
import { bookedTimeFields, choiceUnchanged } from './chosen-staff.ts';
import { clientFor } from './clients.ts';
import { contactLimitWrites } from './contact-limit.ts';

/** `outsideRules` is possible only in the account API. */
type NewBooking = z.output<(typeof row)['body']> & { readonly outsideRules?: boolean | undefined };

/**
 * Books a free start. One transaction writes the time, the booking, a new client and the events, so two bookings of one
 * staff member never overlap, and no change is without its event. Only API keys and sessions have holds, owners have
 * none. Errors: those of `bookingSession`, 404 `not_found`, 409 `slot_unavailable` with `details.nextAvailable`, 409
 * `hold_expired`, 409 `contact_limit_reached`. With `dryRun` the response is the same, except for
 * `contact_limit_reached`, and nothing is written.
 */
export function createBooking(
  principal: Principal,
  body: NewBooking,
  commit: Commit = commitWithRetry,
): Promise<Booking> {
  return (body.dryRun ? dryRun : commit)(() => decide(principal, body));
}

async function decide(principal: Principal, body: NewBooking): Promise<Transaction<Booking>> {
  const { tenantId, actor } = principal;
  const at = now();
  const start = Date.parse(body.startTime) / 60_000;
  const requested = requestedServices(body);
  const { places = 1, outsideRules } = body;
  // Before its own last booking refuses the time as taken.
  const session = await bookingSession(principal);
  const [wanted, hold] = await Promise.all([
    loadOffer(principal, requested),
    body.holdId === undefined ? undefined : usableHold(principal, body.holdId, requested, { start, places }, at),
  ]);
  const offer = hold ? byStaffOf(hold, wanted) : wanted;
  const reach = reachOf(offer, minuteOf(start));
  const choices = await loadChoices(offer, reach);
  const choice = choiceAt(choices, start, at, { places, using: hold, outsideRules });
  if (!choice) {
    // Another booking may have used the hold, and so taken the time, after the hold was read here.
    if (hold && !(await findHold(principal, hold.id, at))) throw fail('hold_expired');
    throw await slotUnavailable(wanted, start, at, places);
  }
  const client = await clientFor(tenantId, body, at);
  const facts: Facts = {
    places,
    comment: body.comment || null,
    // A visitor cannot replace the reference of the session.
    externalId: session?.externalId ?? body.externalId ?? null,
    metadata: body.metadata ?? {},
    source: actor.kind === 'owner' ? 'account' : 'integration',
    madeBy: keyIdOf(principal),
    ...(actor.kind === 'session' && { sessionId: actor.id }),
  };
  const item = newBooking(choices, choice, client, facts, at);
  const booking = toBooking(item);
  const contactWrites = body.dryRun ? [] : await contactLimitWrites(principal, item, at);
  const times = [...choice.taking.taken, ...(hold?.taken ?? [])];
  const calendars = await withDaysOf(choices.calendars, reach, times);
  const released = hold ? changeTime<never>(calendars, hold.taken, (day) => withoutHold(day, hold.id)) : calendars;
  const taken = take(released, choice.taking, at);
  if (typeof taken === 'string') throw new Error('A free start overlaps what is taken');
  const data = bookingData(booking);
  return {
    // A dry run creates no client.
    result: body.dryRun && client.writes.length > 0 ? ({ ...booking, clientId: null } as unknown as Booking) : booking,
    writes: [
      ...bookingWrites(tenantId, item),
      ...timeWrites(taken),
      ...choiceUnchanged(choices, choice),
      ...client.writes,
      ...contactWrites,
      ...sessionBookingWrites(principal, session, item.id),
      eventPut(tenantId, 'booking.created', { ...data, source: item.source, price: booking.price }, at),
      ...(item.status === 'confirmed'
        ? [eventPut(tenantId, 'booking.confirmed', { ...data, confirmedBy: 'automatic' }, at)]
        : []),
      ...(hold ? await holdRemoval(principal, hold, at) : []),
    ],
  };
}

/**
 * The hold that the booking uses up. 409 `hold_expired`, or 400 for a hold of another service, staff member or time.
 */
async function usableHold(
  principal: Principal,
  holdId: string,
  requested: readonly RequestedService[],
  { start, places }: { readonly start: number; readonly places: number },
  at: number,
): Promise<HoldItem> {
  const hold = await findHold(principal, holdId, at);
  if (!hold) throw fail('hold_expired');
  const fits =
    hold.start === start &&
    hold.places >= places &&
    hold.services.length === requested.length &&
    hold.services.every(
      (held, i) =>
        held.serviceId === requested[i]?.serviceId && (requested[i]?.staffId ?? held.staffId) === held.staffId,
    );
  if (fits) return hold;
  throw invalid('holdId', 'was made for another service, staff member or time');
}

/** Offers only the staff members of the hold. `staffId` does not name them, so a deleted one causes no 404. */
function byStaffOf({ services }: HoldItem, offer: Offer): Offer {
  const [first, ...others] = offer.parts.map(({ service, ...part }, i) => {
    const staffIds = service.staffIds.filter((id) => id === services[i]?.staffId);
    return { ...part, service: { ...service, staffIds } };
  });
  return first ? { ...offer, parts: [first, ...others] } : offer;
}

/** The fields of a booking that the request contains. */
type Facts = Pick<BookingItem, 'places' | 'comment' | 'externalId' | 'metadata' | 'source' | 'madeBy' | 'sessionId'>;

function newBooking(
  offer: Offer,
  choice: Choice,
  client: { readonly id: number; readonly contact: Booking['client'] },
  { places, ...facts }: Facts,
  at: number,
): BookingItem {
  const { business } = offer;
  const createdAt = timestamp(at);
  return {
    id: newId(),
    status: business.bookingRules.confirmation === 'automatic' ? 'confirmed' : 'pending',
    clientId: client.id,
    client: client.contact,
    places,
    ...bookedTimeFields(offer, choice, ({ service: { name, price } }) => ({
      serviceName: name,
      price: { ...price, amount: price.amount * places },
    })),
    timeZone: business.timeZone,
    ...facts,
    cancelledBy: null,
    cancelReason: null,
    createdAt,
    updatedAt: createdAt,
    revision: 1,
  };
}
