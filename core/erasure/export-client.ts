/** `POST /v1/account/clients/:id/export` (docs/rules.md#erasure). */
import * as z from 'zod/mini';
import type { ClientRecords } from '../../contract/account/resources.ts';
import { loadClient, toClient } from '../bookings/client-book.ts';
import { contactHashes } from '../bookings/clients.ts';
import { badCursor, readCursor, writeCursor } from '../cursor.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { isRefusedStart } from '../store/read.ts';
import { transactOnRecord } from '../store/transact.ts';
import { timeLeftMs } from '../time-left.ts';
import { type ErasurePosition, position } from './message.ts';
import { type Step, steps, type Trace } from './steps.ts';
import { walk } from './walk.ts';

/**
 * How many items are read together, and after how many characters a response ends: far below the 6 MB of a function.
 */
const pageSize = 500;
const longAnswer = 1_000_000;
/** Enough time to read a page. */
const reserveMs = 3_000;

/** Table and index keys, which an export does not contain. */
const hidden = new Set(['pk', 'sk', 'byStartPk', 'byStartSk', 'byClientPk', 'byClientSk', 'tenantId']);

/**
 * The stored data of a client, found by the steps of an erasure (only tests pass `all`). A response ends when it is
 * long or its time is up, and `nextCursor` leads to the remaining data. The audit log records the request. Errors: 404
 * `not_found`, 503 `temporarily_unavailable` if the request cannot be recorded.
 */
export async function exportClient(
  { tenantId }: Principal,
  { id: clientId }: { readonly id: number },
  { cursor }: { readonly cursor?: string | undefined },
  all: readonly Step[] = steps,
): Promise<ClientRecords> {
  const client = await loadClient(tenantId, clientId);
  const scope = { tenantId, clientId, list: 'export' };
  const from = cursor === undefined ? undefined : positionIn(readCursor(scope, cursor));
  // Every page is recorded, because a caller could forge a cursor that leads to the first page.
  if ((await transactOnRecord([])) !== 'committed') throw fail('temporarily_unavailable', { retryAfter: 1 });
  const records: ClientRecords['records'] = [];
  let length = 0;
  const next = await walk(
    {
      tenantId,
      clientId,
      contacts: client.contactHashes ?? contactHashes(tenantId, client),
      since: Date.parse(client.createdAt),
    },
    {
      steps: all,
      from,
      pageSize,
      indexed: true,
      found: async (traces) => {
        for (const trace of traces) {
          const record = shown(trace);
          length += JSON.stringify(record).length;
          records.push(record);
        }
      },
      goesOn: () => length < longAnswer && timeLeftMs() > reserveMs,
    },
  ).catch((error) => {
    throw from && isRefusedStart(error) ? badCursor() : error;
  });
  return { client: toClient(client), records, nextCursor: next ? writeCursor(scope, JSON.stringify(next)) : null };
}

/** 400 `validation_failed` for a forged position. */
function positionIn(text: string): ErasurePosition {
  try {
    return z.parse(position, JSON.parse(text));
  } catch {
    throw badCursor();
  }
}

function shown({ kind, data }: Trace): ClientRecords['records'][0] {
  return { kind, data: Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.has(name))) };
}
