/**
 * `GET /v1/account/statistics` (docs/rules.md#statistics): counted at each request, so the numbers are always current,
 * and changes cost nothing more (`docs/decisions/statistics.md`).
 */

import type * as z from 'zod/mini';
import type { getStatistics as row } from '../../contract/account/routes.ts';
import { limits } from '../../contract/limits.ts';
import type { BusinessStatistics } from '../../contract/statistics.ts';
import { dateOf, dayOf } from '../availability/calendar.ts';
import type { Interval } from '../availability/intervals.ts';
import { isoOf, zoneOf } from '../availability/zone.ts';
import type { StaffItem } from '../catalog/items.ts';
import { loadBusiness } from '../catalog/read.ts';
import { forEachConcurrently } from '../chunks.ts';
import { minuteMs, now } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { paymentsReceived } from '../payments/received.ts';
import type { Principal } from '../principal.ts';
import { onlyFields } from '../store/batch-get.ts';
import { pages, queryPrefix } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type CountedBooking, countDays, type Days, daysBetween, rangeOf } from './days.ts';

/** How many days one query reads. Queries run concurrently. */
const daysPerQuery = 7;

type Period = z.output<(typeof row)['query']>;

/**
 * Dates are in the time zone of the business, both included. Errors: 404 `not_found` if the business does not exist
 * yet, 400 `validation_failed` when `to` is before `from`, 400 `range_too_large`.
 */
export async function getStatistics({ tenantId }: Principal, query: Period): Promise<BusinessStatistics> {
  const business = await loadBusiness(tenantId);
  const days = daysAsked(business.timeZone, query);
  const { start, end } = rangeOf(days);
  const [bookings, received, staff] = await Promise.all([
    bookingsOf(tenantId, days),
    paymentsReceived(tenantId, { fromMs: start * minuteMs, toMs: end * minuteMs }),
    queryPrefix<StaffItem>('records', records.tenant(tenantId), records.staffPrefix),
  ]);
  const payments = received
    .filter(({ currency }) => currency === business.currency)
    .map(({ receivedAt, ...rest }) => ({ ...rest, at: Math.floor(Date.parse(receivedAt) / minuteMs) }));
  const counted = countDays(days, business.currency, {
    bookings,
    payments,
    staff: staff.filter(({ active }) => active),
  });
  return { ...counted, timeZone: business.timeZone };
}

function daysAsked(timeZone: string, query: Period): Days {
  const zone = zoneOf(timeZone);
  const to = query.to ?? isoOf(zone, Math.floor(now() / minuteMs)).slice(0, 10);
  const from = query.from ?? dateOf(dayOf(to) - limits.statisticsDaysDefault + 1);
  const length = dayOf(to) - dayOf(from) + 1;
  if (length < 1) throw invalid('to', 'must not be before from');
  if (length > limits.statisticsRangeDays) {
    throw fail('range_too_large', `The range is longer than ${limits.statisticsRangeDays} days.`);
  }
  return daysBetween(zone, from, to);
}

async function bookingsOf(tenantId: number, { starts }: Days): Promise<readonly CountedBooking[]> {
  const ranges: Interval[] = [];
  for (let i = 0; i + 1 < starts.length; i += daysPerQuery) {
    ranges.push({ start: starts[i] ?? 0, end: starts[Math.min(i + daysPerQuery, starts.length - 1)] ?? 0 });
  }
  const found: CountedBooking[] = [];
  await forEachConcurrently(ranges, async ({ start, end }) => {
    const { byStartPk, byStartSk: first } = records.bookingByStart(tenantId, Math.max(0, start), 0);
    const { byStartSk: after } = records.bookingByStart(tenantId, Math.max(0, end), 0);
    const bookings = pages<CountedBooking>('records', {
      IndexName: 'byStart',
      KeyConditionExpression: 'byStartPk = :pk AND byStartSk BETWEEN :first AND :after',
      ...onlyFields(['status', 'start', 'segments', 'places', 'capacity']),
      ExpressionAttributeValues: { ':pk': byStartPk, ':first': first, ':after': after },
    });
    for await (const { items } of bookings) {
      found.push(...items);
      if (found.length > limits.bookingsPerStatistics) {
        throw fail(
          'range_too_large',
          `The range has more than ${limits.bookingsPerStatistics} bookings. Ask for fewer days.`,
        );
      }
    }
  });
  return found;
}
