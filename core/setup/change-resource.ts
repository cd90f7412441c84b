/** Creates, changes and deletes rooms and other resources (docs/rules.md#resources). */
import type * as z from 'zod/mini';
import type { Resource } from '../../contract/account/resources.ts';
import type { createResource as createRow, updateResource as updateRow } from '../../contract/account/routes.ts';
import { resourceCalendar } from '../availability/calendar-day.ts';
import { assertNoUnfinishedBookings } from '../bookings/unfinished-bookings.ts';
import { type ResourceItem, toResource } from '../catalog/items.ts';
import { loadBusiness } from '../catalog/read.ts';
import { newId, now } from '../clock.ts';
import { cutPage, type Page, type PageQuery } from '../page.ts';
import type { Principal } from '../principal.ts';
import { loadItem, queryPrefix } from '../store/read.ts';
import { asRead, changed, insertRecord } from '../store/revised.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { remove, set } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { businessUnchanged } from './own-business.ts';

type NewResource = z.output<(typeof createRow)['body']>;
type ResourceChanges = z.output<(typeof updateRow)['body']>;

export async function listResources({ tenantId }: Principal, query: PageQuery): Promise<Page<Resource>> {
  const items = await queryPrefix<ResourceItem>('records', records.tenant(tenantId), records.resourcePrefix);
  return cutPage(items.map(toResource), query);
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export async function getResource({ tenantId }: Principal, { id }: { id: number }): Promise<Resource> {
  return toResource(await loadItem<ResourceItem>(records.resource(tenantId, id)));
}

/** 404 `not_found` if the business does not exist yet. */
export function createResource(
  { tenantId }: Principal,
  { name, kind, active = true }: NewResource,
  commit: Commit = commitWithRetry,
): Promise<Resource> {
  return commit(async () => {
    const business = await loadBusiness(tenantId);
    const item: ResourceItem = { id: newId(), name, kind, active, bookings: 0 };
    return {
      writes: [insertRecord(records.resource(tenantId, item.id), item), businessUnchanged(business)],
      result: toResource(item),
    };
  });
}

/** Existing bookings keep the resource. */
export function updateResource(
  { tenantId }: Principal,
  { id }: { id: number },
  body: ResourceChanges,
): Promise<Resource> {
  return commitWithRetry(async () => {
    const before = await loadItem<ResourceItem>(records.resource(tenantId, id));
    const { item, changedFields } = changed(before, body);
    if (changedFields.length === 0) return { writes: [], result: toResource(before) };
    const { name, kind, active } = item;
    const fields = { name, kind, active, revision: (before.revision ?? 0) + 1 };
    // The same item contains the count of bookings.
    return {
      writes: [set('records', records.resource(tenantId, id), fields, asRead(before))],
      result: toResource(item),
    };
  });
}

/**
 * Deletes a resource without bookings that are not over; otherwise 409 `future_bookings` with their number. Every
 * booking is counted in the item of the resource, so a concurrent booking makes the commit of the deletion fail.
 */
export function deleteResource({ tenantId }: Principal, { id }: { id: number }): Promise<void> {
  return commitWithRetry(async () => {
    const before = await loadItem<ResourceItem>(records.resource(tenantId, id));
    const sentence = 'The resource has bookings that are not over yet';
    await assertNoUnfinishedBookings(tenantId, now(), sentence, resourceCalendar(id));
    const expected = { ...asRead(before), bookings: before.bookings };
    return { writes: [remove('records', records.resource(tenantId, id), expected)], result: undefined };
  });
}
