/** `GET /v1/account/audit` (docs/rules.md#audit): the changes in a business, newest first. */

import type * as z from 'zod/mini';
import type { AuditEntry } from '../../contract/account/resources.ts';
import type { listAudit as row } from '../../contract/account/routes.ts';
import { timestamp } from '../clock.ts';
import type { Principal } from '../principal.ts';
import type { AuditItem } from '../store/audit-trail.ts';
import { listPage } from '../store/list.ts';
import { inPartition } from '../store/read.ts';
import { records } from '../table-keys.ts';

export async function listAudit(
  { tenantId }: Principal,
  { limit, cursor }: z.output<(typeof row)['query']>,
): Promise<{ data: AuditEntry[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listPage<AuditItem>({
    query: { ...inPartition(records.audit(tenantId, 0).pk), ScanIndexForward: false },
    scope: { tenantId, list: 'audit' },
    limit,
    cursor,
    matches: () => true,
    positionOf: ({ id }) => String(id),
    keyAt: (id) => records.audit(tenantId, Number(id)),
  });
  return { data: items.map(toEntry), nextCursor };
}

function toEntry(item: AuditItem): AuditEntry {
  const { id, at, operation, resourceId = null, keyId = null, ownerId = null, fields, requestId = null } = item;
  return { id, at: timestamp(at), operation, resourceId, keyId, ownerId, fields: [...fields], requestId };
}
