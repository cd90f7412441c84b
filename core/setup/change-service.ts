/**
 * Creates, changes and deletes services (docs/rules.md#catalog). Existing bookings stay as they are; slots change at
 * once.
 */
import type * as z from 'zod/mini';
import type { createService as createRow, updateService as updateRow } from '../../contract/account/routes.ts';
import type { Service } from '../../contract/integration/resources.ts';
import { type BusinessItem, type ServiceItem, toService } from '../catalog/items.ts';
import { loadBusiness } from '../catalog/read.ts';
import { newId, now, timestamp } from '../clock.ts';
import { invalid } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { loadItem } from '../store/read.ts';
import { changed, deleteRecord, insertRecord } from '../store/revised.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { records } from '../table-keys.ts';
import { leftAfterRemoval, refuseEarlierDecisions, serviceUpdate, staffWrites } from './assignments.ts';
import { businessUnchanged } from './own-business.ts';

type NewService = z.output<(typeof createRow)['body']>;
type ServiceChanges = z.output<(typeof updateRow)['body']>;

/**
 * 404 `not_found` if the business does not exist yet, and for unknown staff; 400 if the currency is not the business's.
 */
export function createService(
  { tenantId }: Principal,
  body: NewService,
  commit: Commit = commitWithRetry,
): Promise<Service> {
  return commit(async () => {
    const business = await loadBusiness(tenantId);
    assertCurrency(business, body.price);
    const item: ServiceItem = {
      id: newId(),
      name: body.name,
      description: body.description ?? '',
      category: body.category ?? null,
      durationMinutes: body.durationMinutes,
      bufferBeforeMinutes: body.bufferBeforeMinutes ?? 0,
      bufferAfterMinutes: body.bufferAfterMinutes ?? 0,
      ...(body.capacity !== undefined && { capacity: body.capacity }),
      ...(body.resourceKind && { resourceKind: body.resourceKind }),
      price: body.price,
      staffIds: body.staffIds ?? [],
      active: body.active ?? true,
      updatedAt: timestamp(now()),
    };
    const assigned = await staffWrites(tenantId, item.id, { before: [], after: item.staffIds });
    return {
      writes: [insertRecord(records.service(tenantId, item.id), item), businessUnchanged(business), ...assigned],
      result: toService(item),
    };
  });
}

/** Raises `service.updated` with the changed fields; no event if nothing has changed. */
export async function updateService(
  { tenantId }: Principal,
  { id }: { id: number },
  body: ServiceChanges,
): Promise<Service> {
  const { service, before, lost } = await commitWithRetry(async () => {
    const before = await loadItem<ServiceItem>(records.service(tenantId, id));
    const { item, changedFields } = changed({ capacity: 1, resourceKind: null, ...before }, body);
    // A repeated request may find the service inactive already, because the first one ended behind its commit.
    const lost = before.staffIds.filter((one) => body.active === false || !item.staffIds.includes(one));
    if (changedFields.length === 0) return { writes: [], result: { service: toService(before), before, lost } };
    if (changedFields.includes('price')) assertCurrency(await loadBusiness(tenantId), item.price);
    const at = now();
    const after = { ...item, updatedAt: timestamp(at) };
    const assigned = await staffWrites(tenantId, id, { before: before.staffIds, after: after.staffIds });
    return {
      writes: [...serviceUpdate(tenantId, before, after, changedFields, at), ...assigned],
      result: { service: toService(after), before, lost },
    };
  });
  await refuseEarlierDecisions(tenantId, before, lost);
  return service;
}

/**
 * Raises `service.deleted`. Existing bookings keep the name, the price and their time. The staff members are removed
 * first, as many in each transaction as fit.
 */
export async function deleteService({ tenantId }: Principal, { id }: { id: number }): Promise<void> {
  for (let rest = Number.POSITIVE_INFINITY; rest > 0; ) {
    const { before, left } = await commitWithRetry(async () => {
      const before = await loadItem<ServiceItem>(records.service(tenantId, id));
      const at = now();
      const left = await leftAfterRemoval(tenantId, before);
      const leaving = await staffWrites(tenantId, id, { before: before.staffIds, after: left });
      const deleted = { serviceId: id, name: before.name, deletedAt: timestamp(at) };
      const after = { ...before, staffIds: [...left], updatedAt: timestamp(at) };
      const own =
        left.length === 0
          ? [deleteRecord(records.service(tenantId, id), before), eventPut(tenantId, 'service.deleted', deleted, at)]
          : serviceUpdate(tenantId, before, after, ['staffIds'], at);
      return { writes: [...own, ...leaving], result: { before, left } };
    });
    const removed = before.staffIds.filter((one) => !left.includes(one));
    await refuseEarlierDecisions(tenantId, before, removed);
    rest = left.length;
  }
}

function assertCurrency(business: BusinessItem, price: Service['price']): void {
  if (price.currency === business.currency) return;
  throw invalid('price.currency', `must be the currency of the business, ${business.currency}`);
}
