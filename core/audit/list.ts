/** `GET /v1/account/audit` (docs/rules.md#audit): the changes in a business, newest first. */

import type * as z from 'zod/mini';
import type { AuditEntry } from '../../contract/account/resources.ts';
import type { listAudit as row } from '../../contract/account/routes.ts';
import { now, timestamp } from '../clock.ts';
import type { Principal } from '../principal.ts';
import type { AuditItem } from '../store/audit-trail.ts';
import { type CursorPage, listNewest } from '../store/list.ts';
import { records } from '../table-keys.ts';

export function listAudit(
  { tenantId }: Principal,
  page: z.output<(typeof row)['query']>,
): Promise<CursorPage<AuditEntry>> {
  return listNewest({
    ...page,
    scope: { tenantId, list: 'audit' },
    keyOf: (id) => records.audit(tenantId, id),
    // DynamoDB deletes expired entries some days late.
    matches: ({ expiresAtSeconds }: AuditItem) => expiresAtSeconds > now() / 1_000,
    show: toEntry,
  });
}

function toEntry(item: AuditItem): AuditEntry {
  const { id, at, operation, resourceId = null, keyId = null, ownerId = null, fields, requestId = null } = item;
  return { id, at: timestamp(at), operation, resourceId, keyId, ownerId, fields: [...fields], requestId };
}
