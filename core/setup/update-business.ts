/** `PATCH /v1/account/business` (docs/rules.md#catalog). */
import type * as z from 'zod/mini';
import type { AccountBusiness } from '../../contract/account/resources.ts';
import type { updateBusiness as row } from '../../contract/account/routes.ts';
import type { Business, WeeklyHours } from '../../contract/integration/resources.ts';
import { assertNoneAhead } from '../bookings/not-over.ts';
import { type BusinessItem, toAccountBusiness } from '../catalog/items.ts';
import { loadStaffRevisions, zoneChanged } from '../catalog/staff-revision.ts';
import { now } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { offOf, switchOn } from '../mail/address.ts';
import { isSandbox } from '../mode.ts';
import type { Principal } from '../principal.ts';
import { getItem, queryPrefix } from '../store/read.ts';
import { changed, insertRecord, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

type BusinessChanges = z.output<(typeof row)['body']>;

/** Beside the business itself, its zone is written for each of the staff: one transaction of at most 100 items. */
const staffPerZoneChange = 95;

const closed: WeeklyHours = {
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: [],
};

const firstRules: Business['bookingRules'] = {
  slotStepMinutes: 15,
  minNoticeMinutes: 60,
  maxAdvanceDays: 90,
  cancellationNoticeMinutes: 120,
  confirmation: 'automatic',
};

/**
 * Changes what is named; the first call makes the business. A sandbox is made by its first test key instead. Errors:
 * 404 `not_found` for a sandbox that is not there yet, 400 `validation_failed` when the first call lacks what a business
 * needs, 409 `future_bookings` when the zone would change under bookings that are not over without `keepInstants`, 409
 * `invalid_state` when the currency would change under prices.
 */
export function updateBusiness({ tenantId }: Principal, changes: BusinessChanges): Promise<AccountBusiness> {
  return commitWithRetry(async () => {
    const before = await getItem<BusinessItem>('records', records.business(tenantId));
    const { bookingRules = {}, keepInstants = false, ...rest } = changes;
    const resumes = switchOn(changes.noticeEmail);
    if (!before) {
      if (isSandbox(tenantId))
        throw fail('not_found', { message: 'There is no sandbox yet: the first test key makes it.' });
      const made = changed(firstBusiness(tenantId, changes), rest).item;
      const item = { ...made, bookingRules: changed(firstRules, bookingRules).item };
      return {
        writes: [insertRecord(records.business(tenantId), item), ...resumes],
        answer: toAccountBusiness(item, null),
      };
    }
    const rules = changed(before.bookingRules, bookingRules).item;
    const { item, changedFields } = changed(before, { ...rest, bookingRules: rules });
    const answer = toAccountBusiness(item, resumes.length > 0 ? null : await offOf(item.noticeEmail));
    if (changedFields.length === 0) return { writes: resumes, answer };
    if (changedFields.includes('currency')) await assertNothingPriced(tenantId);
    const zoneWrites = changedFields.includes('timeZone')
      ? await zoneChange(tenantId, item.timeZone, keepInstants)
      : [];
    return { writes: [replaceRecord(records.business(tenantId), before, item), ...zoneWrites, ...resumes], answer };
  });
}

function firstBusiness(tenantId: number, { name, timeZone, currency }: BusinessChanges): BusinessItem {
  const required = { name, timeZone, currency };
  if (name === undefined || timeZone === undefined || currency === undefined) {
    const missing = Object.entries(required).filter(([, value]) => value === undefined);
    throw fail('validation_failed', { details: missing.map(([path]) => ({ path, message: 'is required' })) });
  }
  return {
    id: tenantId,
    name,
    description: '',
    phone: null,
    email: null,
    address: null,
    timeZone,
    currency,
    workingHours: closed,
    bookingRules: firstRules,
  };
}

/** Every new service counts as a change of the business, so one that is added concurrently refuses the commit. */
async function assertNothingPriced(tenantId: number): Promise<void> {
  const services = await queryPrefix('records', records.tenant(tenantId), records.servicePrefix);
  if (services.length === 0) return;
  throw fail('invalid_state', {
    message: 'The currency cannot change while there are services: their prices are in it.',
  });
}

/**
 * Every staff member gets the new zone on the condition that nothing was booked on them since it was read; a booking
 * decided in the old zone then finds another zone than its own, and is decided again. Times of bookings are instants, so
 * those that stand need no write: they keep the zone in which they were agreed until they are moved.
 */
async function zoneChange(tenantId: number, timeZone: string, keepInstants: boolean): Promise<Write[]> {
  const staff = await loadStaffRevisions(tenantId);
  if (!keepInstants) {
    const refusal = 'The time zone cannot change while there are bookings that are not over yet';
    await assertNoneAhead(tenantId, now(), refusal);
  }
  if (staff.length > staffPerZoneChange) {
    const message = `cannot change by itself in a business with more than ${staffPerZoneChange} staff members: ask support`;
    throw invalid('timeZone', message);
  }
  return staff.map((revision) => zoneChanged(tenantId, revision, timeZone));
}
