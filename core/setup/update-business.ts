/** `PATCH /v1/account/business` (docs/rules.md#catalog). */
import type * as z from 'zod/mini';
import type { AccountBusiness } from '../../contract/account/resources.ts';
import type { updateBusiness as row } from '../../contract/account/routes.ts';
import type { Business, WeeklyHours } from '../../contract/integration/resources.ts';
import { assertNoUnfinishedBookings } from '../bookings/unfinished-bookings.ts';
import { type BusinessItem, toAccountBusiness } from '../catalog/items.ts';
import { loadStaffRevisions, zoneChanged } from '../catalog/staff-revision.ts';
import { now } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { suppressionOf, unsuppress } from '../mail/address.ts';
import { isSandbox } from '../mode.ts';
import type { Principal } from '../principal.ts';
import { getItem, queryPrefix } from '../store/read.ts';
import { changed, insertRecord, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

type BusinessChanges = z.output<(typeof row)['body']>;

/** The zone is written to the business and to each staff member, in one transaction of at most 100 items. */
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
 * Changes the given fields; the first call creates the business. A sandbox is created by its first test key instead.
 * Errors: 404 `not_found` for a sandbox that does not exist yet, 400 `validation_failed` if the first call lacks a
 * required field, 409 `future_bookings` for a change of the zone without `keepInstants` while bookings are not over,
 * 409 `invalid_state` for a change of the currency while there are services.
 */
export function updateBusiness({ tenantId }: Principal, changes: BusinessChanges): Promise<AccountBusiness> {
  return commitWithRetry(async () => {
    const before = await getItem<BusinessItem>('records', records.business(tenantId));
    const { bookingRules = {}, keepInstants = false, ...rest } = changes;
    const resumes = unsuppress(changes.noticeEmail);
    if (!before) {
      if (isSandbox(tenantId)) throw fail('not_found', 'There is no sandbox yet: create a test key first.');
      const created = changed(firstBusiness(tenantId, changes), rest).item;
      const item = { ...created, bookingRules: changed(firstRules, bookingRules).item };
      return {
        writes: [insertRecord(records.business(tenantId), item), ...resumes],
        result: toAccountBusiness(item, null),
      };
    }
    const rules = changed(before.bookingRules, bookingRules).item;
    const { item, changedFields } = changed(before, { ...rest, bookingRules: rules });
    const result = toAccountBusiness(item, resumes.length > 0 ? null : await suppressionOf(item.noticeEmail));
    if (changedFields.length === 0) return { writes: resumes, result };
    if (changedFields.includes('currency')) await assertNothingPriced(tenantId);
    const zoneWrites = changedFields.includes('timeZone')
      ? await zoneChange(tenantId, item.timeZone, keepInstants)
      : [];
    return { writes: [replaceRecord(records.business(tenantId), before, item), ...zoneWrites, ...resumes], result };
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

/** Every new service counts as a change of the business, so a concurrent one makes the commit fail. */
async function assertNothingPriced(tenantId: number): Promise<void> {
  const services = await queryPrefix('records', records.tenant(tenantId), records.servicePrefix);
  if (services.length === 0) return;
  throw fail(
    'invalid_state',
    'The currency cannot change while the business has services, because their prices use this currency.',
  );
}

/**
 * Writes the new zone to every staff member. Fails if one of them was booked since they were read. A booking that was
 * decided in the old zone then conflicts, and is decided again. Times of bookings are points in time, so existing
 * bookings need no write: they show the old zone until they are moved.
 */
async function zoneChange(tenantId: number, timeZone: string, keepInstants: boolean): Promise<Write[]> {
  const staff = await loadStaffRevisions(tenantId);
  if (!keepInstants) {
    const sentence = 'The time zone cannot change while there are bookings that are not over yet';
    await assertNoUnfinishedBookings(tenantId, now(), sentence);
  }
  if (staff.length > staffPerZoneChange) {
    const message = `cannot be changed in a business with more than ${staffPerZoneChange} staff members: ask support`;
    throw invalid('timeZone', message);
  }
  return staff.map((revision) => zoneChanged(tenantId, revision, timeZone));
}
