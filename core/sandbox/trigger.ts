/**
 * `POST /v1/account/sandbox/trigger` (docs/rules.md#test-mode): raises an event with the real changes that cause it,
 * made by the same functions as usual. A table lists the changes of each event.
 */
import type { Triggered } from '../../contract/account/resources.ts';
import type { EventName } from '../../contract/event-names.ts';
import type { Booking, Service, StaffMember } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { findStarts } from '../availability/list-slots.ts';
import { cancelBooking } from '../bookings/cancel.ts';
import { createClient, updateClient } from '../bookings/client-book.ts';
import { createBooking } from '../bookings/create-booking.ts';
import { completeBooking, confirmBooking, markNoShow } from '../bookings/progress.ts';
import { rescheduleBooking } from '../bookings/reschedule.ts';
import { ensureSandbox } from '../catalog/copy.ts';
import { getBusiness, listServices, listStaff } from '../catalog/read.ts';
import { dayMs, minuteMs, newId, now, randomFraction, timestamp } from '../clock.ts';
import { ApiError, fail } from '../errors.ts';
import { recordPayment } from '../payments/record-payment.ts';
import { refundPayment } from '../payments/refund-payment.ts';
import type { Principal } from '../principal.ts';
import { RETRY, retrying } from '../retrying.ts';
import { createReview } from '../reviews/create-review.ts';
import { getStaffSchedule, updateStaffSchedule } from '../setup/change-schedule.ts';
import { createService, deleteService, updateService } from '../setup/change-service.ts';
import { createStaffMember } from '../setup/change-staff.ts';
import { shorten } from '../shorten.ts';
import { sandboxOf } from './own-sandbox.ts';

type Made = Triggered['made'];

const triggers: Readonly<Record<EventName, (sandbox: Principal) => Promise<Made>>> = {
  'booking.created': async (sandbox) => idsOf(await booked(sandbox)),
  'booking.confirmed': async (sandbox) => idsOf(await confirmed(sandbox)),
  'booking.cancelled': async (sandbox) => {
    const { id } = await booked(sandbox);
    return idsOf(await cancelBooking(sandbox, { id }, { reason: 'Triggered' }));
  },
  'booking.completed': async (sandbox) => idsOf(await completeBooking(sandbox, await confirmed(sandbox))),
  'booking.no_show': async (sandbox) => idsOf(await markNoShow(sandbox, await confirmed(sandbox))),
  'booking.rescheduled': async (sandbox) => {
    const booking = await booked(sandbox);
    const move = ({ startTime }: FreeTime) => rescheduleBooking(sandbox, booking, { startTime });
    return idsOf(await atFreeTime(sandbox, move, booking));
  },
  'client.created': async (sandbox) => ({ clientId: (await newClient(sandbox)).id }),
  'client.updated': async (sandbox) => {
    const client = await newClient(sandbox);
    await updateClient(sandbox, client, { name: `${client.name}, married` });
    return { clientId: client.id };
  },
  'review.created': async (sandbox) => {
    const visit = await completeBooking(sandbox, await confirmed(sandbox));
    const { id } = await createReview(sandbox, { bookingId: visit.id, rating: 5, text: 'Triggered.' });
    return { ...idsOf(visit), reviewId: id };
  },
  'payment.received': async (sandbox) => paid(sandbox),
  'payment.refunded': async (sandbox) => {
    const payment = await paid(sandbox);
    const { id: refundId } = await refundPayment(sandbox, { id: payment.paymentId }, {});
    return { ...payment, refundId };
  },
  'staff.schedule_updated': async (sandbox) => {
    const member = await someStaffMember(sandbox);
    const { exceptions } = await getStaffSchedule(sandbox, member);
    // Adds a day off in a year, or removes it.
    const date = timestamp(now() + 365 * dayMs).slice(0, 10);
    await updateStaffSchedule(sandbox, member, { exceptions: { [date]: exceptions[date] ? null : [] } });
    return { staffId: member.id };
  },
  'service.updated': async (sandbox) => {
    const service = (await listServices(sandbox, {})).data[0] ?? (await newService(sandbox));
    const { description } = service;
    const other = description.endsWith(suffix)
      ? description.slice(0, -suffix.length)
      : shorten(description, 1_900) + suffix;
    await updateService(sandbox, service, { description: other });
    return { serviceId: service.id };
  },
  'service.deleted': async (sandbox) => {
    const service = await newService(sandbox);
    await deleteService(sandbox, service);
    return { serviceId: service.id };
  },
};

/**
 * Raises the event once, after the changes that must come before it: a completed booking must first be made. Creates
 * the sandbox if there is none. Errors: 409 `invalid_state` in live mode, 409 `slot_unavailable` if no staff member of
 * the sandbox has a free time.
 */
export async function triggerEvent(principal: Principal, { event }: { readonly event: EventName }): Promise<Triggered> {
  await ensureSandbox(sandboxOf(principal));
  return { event, made: await triggers[event](principal) };
}

const suffix = ' (changed by a trigger)';

function idsOf({ id, serviceId, staffId, clientId }: Booking): Made & { readonly bookingId: number } {
  return { serviceId, staffId, clientId, bookingId: id };
}

async function booked(sandbox: Principal): Promise<Booking> {
  const client = { name: 'Test Client', email: 'test.client@example.com' };
  return atFreeTime(sandbox, (time) => createBooking(sandbox, { ...time, client }));
}

type FreeTime = Pick<Booking, 'serviceId' | 'staffId' | 'startTime'>;

/** Two concurrent triggers may choose the same time. */
const slotRetries = { attempts: 5, firstPauseMs: 20 };

/** Books a free time, or moves a booking to it. */
async function atFreeTime(
  sandbox: Principal,
  book: (time: FreeTime) => Promise<Booking>,
  moved?: Booking,
): Promise<Booking> {
  const booking = await retrying(slotRetries, async () => {
    const time = await freeTime(sandbox, moved);
    try {
      return await book(time);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'slot_unavailable') return RETRY;
      throw error;
    }
  });
  if (booking === RETRY) throw nothingFree();
  return booking;
}

/** If bookings are confirmed automatically, this changes nothing. */
async function confirmed(sandbox: Principal): Promise<Booking> {
  return confirmBooking(sandbox, await booked(sandbox));
}

const daysSearched = 91;
/** A time is chosen among the free times of so many days, from the first free one on. */
const daysChosenFrom = 7;

/**
 * A random one of the next free times of the first service that has any. For a booking, it differs from the booking's
 * own time.
 */
async function freeTime(sandbox: Principal, booking?: Booking): Promise<FreeTime> {
  const works = booking ? [booking] : await offeredServices(sandbox);
  const own = booking && Date.parse(booking.startTime) / minuteMs;
  const date = (day: number) => timestamp(now() + day * dayMs).slice(0, 10);
  for (const { serviceId, staffId: only } of works) {
    const query = { serviceId, staffId: only, from: date(0), to: date(daysSearched - 1) };
    const { starts: members } = await findStarts(sandbox, query, daysSearched);
    const first = Math.min(...members.map(({ starts }) => starts.find((start) => start !== own) ?? Infinity));
    const isSoon = (start: number) => start !== own && (start - first) * minuteMs < daysChosenFrom * dayMs;
    const free = members.flatMap(({ staffId, starts }) => starts.filter(isSoon).map((start) => ({ staffId, start })));
    const chosen = free[Math.floor(randomFraction() * free.length)];
    if (chosen) return { serviceId, staffId: chosen.staffId, startTime: timestamp(chosen.start * minuteMs) };
  }
  throw nothingFree();
}

async function offeredServices(sandbox: Principal): Promise<{ serviceId: number; staffId?: number }[]> {
  const { data } = await listServices(sandbox, { limit: limits.pageSizeMax });
  return data.filter(({ active }) => active).map(({ id }) => ({ serviceId: id }));
}

function nothingFree(): ApiError {
  const message =
    'No staff member of the sandbox is free in the next weeks. Add working hours for one, or reset the sandbox.';
  return fail('slot_unavailable', { message, details: { nextAvailable: [] } });
}

function newClient(sandbox: Principal) {
  return createClient(sandbox, { name: 'Test Client', email: `client-${newId()}@example.com` });
}

async function paid(sandbox: Principal): Promise<Made & { readonly paymentId: number }> {
  const { id: clientId } = await newClient(sandbox);
  const { id: paymentId } = await recordPayment(sandbox, { clientId, amount: 4_500, method: 'card' });
  return { clientId, paymentId };
}

async function newService(sandbox: Principal): Promise<Service> {
  const { currency } = await getBusiness(sandbox);
  return createService(sandbox, {
    name: 'Made by a trigger',
    durationMinutes: 30,
    price: { amount: 4_500, currency },
    active: false,
  });
}

async function someStaffMember(sandbox: Principal): Promise<StaffMember> {
  const [member] = (await listStaff(sandbox, {})).data;
  return member ?? createStaffMember(sandbox, { name: 'Made by a trigger' });
}
