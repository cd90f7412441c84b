/** Busy times of a staff member in other calendars (docs/rules.md#busy-elsewhere). */
import type { BusyElsewhere } from '../../contract/account/resources.ts';
import { busyLimits } from '../../contract/limits.ts';
import { packBlocks, unpackBlocks } from '../availability/elsewhere.ts';
import { type Interval, normalize } from '../availability/intervals.ts';
import type { BusySource } from '../catalog/items.ts';
import { availabilityChanged } from '../catalog/staff-revision.ts';
import { dayMs, minuteMs, now, timestamp } from '../clock.ts';
import { invalid, invalidAll } from '../errors.ts';
import { cutPage, type Page, type PageQuery } from '../page.ts';
import type { Principal } from '../principal.ts';
import { replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { records } from '../table-keys.ts';
import { loadStaffMember } from './change-staff.ts';

interface Blocks {
  readonly blocks: readonly { readonly startTime: string; readonly endTime: string }[];
}

export async function listBusyElsewhere(
  { tenantId }: Principal,
  { id }: { id: number },
  query: PageQuery,
): Promise<Page<BusyElsewhere>> {
  const { elsewhere = {} } = await loadStaffMember(tenantId, id);
  const sources = Object.entries(elsewhere).sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = sources.map(([source, busy]) => toBusyElsewhere(source, busy));
  return cutPage(shown, query);
}

/**
 * Replaces the blocks of a source. This changes the revision of the staff member, so a booking that was decided before
 * it does not commit after it. Existing bookings stay.
 */
export function putBusyElsewhere(
  { tenantId }: Principal,
  { id, source }: { id: number; source: string },
  body: Blocks,
): Promise<BusyElsewhere> {
  return commitWithRetry(async () => {
    const at = now();
    const busy: BusySource = { updatedAt: timestamp(at), blocks: packBlocks(keptBlocks(body, at)) };
    const before = await loadStaffMember(tenantId, id);
    const { [source]: _, ...others } = before.elsewhere ?? {};
    const elsewhere = busy.blocks.length > 1 ? { ...others, [source]: busy } : others;
    assertSources(elsewhere);
    const { item, writes } = availabilityChanged(tenantId, { ...before, elsewhere });
    return {
      writes: [replaceRecord(records.staff(tenantId, id), before, item), ...writes],
      result: toBusyElsewhere(source, busy),
    };
  });
}

/** The blocks in whole minutes, joined, without those in the past. */
function keptBlocks({ blocks }: Blocks, at: number): Interval[] {
  const problems = blocks.flatMap(({ endTime }, i) =>
    Date.parse(endTime) <= at + busyLimits.aheadDays * dayMs
      ? []
      : [{ path: `blocks.${i}.endTime`, message: `must not be more than ${busyLimits.aheadDays} days ahead` }],
  );
  if (problems.length > 0) throw invalidAll(problems);
  const today = Math.floor(at / minuteMs);
  const ahead = blocks.map(({ startTime, endTime }) => ({
    start: Math.max(today, Math.floor(Date.parse(startTime) / minuteMs)),
    end: Math.ceil(Date.parse(endTime) / minuteMs),
  }));
  return normalize(ahead.filter(({ start, end }) => start < end));
}

function assertSources(elsewhere: object): void {
  if (Object.keys(elsewhere).length <= busyLimits.sourcesMax) return;
  const message = `must be one of the ${busyLimits.sourcesMax} existing sources, because no more are allowed`;
  throw invalid('source', message);
}

export function toBusyElsewhere(source: string, { updatedAt, blocks }: BusySource): BusyElsewhere {
  return {
    source,
    updatedAt,
    blocks: unpackBlocks(blocks).map(({ start, end }) => ({
      startTime: timestamp(start * minuteMs),
      endTime: timestamp(end * minuteMs),
    })),
  };
}
