/** Slot holds (docs/rules.md#holds): a slot hidden from others for some minutes. */
import type * as z from 'zod/mini';
import type { hold } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { now, random, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { holderId, type Principal } from '../principal.ts';
import { isThere } from '../store/expected.ts';
import { getItem } from '../store/read.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { put, putNew, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { Interval } from './intervals.ts';
import { loadMembers, loadOffer, type Member, type Offer, reachOf, takingAt } from './load.ts';
import { slotUnavailable } from './next-available.ts';
import { takeForHold } from './occurrences.ts';
import { releaseHold as withoutHold } from './staff-day.ts';
import { changeTime, loadStaffTime, timeWrites } from './staff-time.ts';
import { isoOf, zoneOf } from './zone.ts';

export interface HoldItem {
  readonly id: string;
  readonly keyId: number;
  readonly serviceId: number;
  readonly staffId: number;
  /** Epoch minutes. */
  readonly start: number;
  readonly taken: Interval;
  readonly places: number;
  readonly capacity?: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

type Hold = z.output<typeof hold>;

export interface NewHold {
  readonly serviceId: number;
  readonly staffId: number;
  readonly startTime: string;
  readonly minutes?: number | undefined;
  readonly places?: number | undefined;
}

/** Which holds of a key live until when, and a version: ten at most, whatever happens concurrently. */
interface KeyHolds {
  readonly holds: Readonly<Record<string, number>>;
  readonly version: number;
}

/**
 * `POST /slots/holds`. The minutes are taken on the staff-day items like a booking's, but only until they expire.
 * Errors: 404 `not_found`, 409 `slot_unavailable`, 409 `hold_limit_reached`.
 */
export function createHold(principal: Principal, body: NewHold, commit: Commit = commitWithRetry): Promise<Hold> {
  const { tenantId } = principal;
  const keyId = holderId(principal);
  return commit(async () => {
    const at = now();
    const start = Date.parse(body.startTime) / 60_000;
    const starts = { start: Math.floor(start), end: Math.floor(start) + 1 };
    const offer = await loadOffer(principal, body.serviceId);
    const [[member], mine] = await Promise.all([
      loadMembers(offer, body.staffId, reachOf(offer, starts)),
      getItem<KeyHolds>('records', records.holdsOfKey(tenantId, keyId)),
    ]);
    const live = liveOf(mine, at);
    assertRoom(principal, Object.keys(live).length);
    const taking = member && takingAt(offer, member, start, at, { places: body.places });
    if (!member || !taking) throw await slotUnavailable(offer, body.staffId, start, at, body.places);
    const item: HoldItem = {
      id: `hld_${Buffer.from(random(16)).toString('hex')}`,
      keyId,
      serviceId: body.serviceId,
      staffId: body.staffId,
      start,
      taken: taking.taken,
      places: taking.places,
      ...(taking.capacity !== undefined && { capacity: taking.capacity }),
      createdAt: at,
      expiresAt: at + (body.minutes ?? limits.holdMinutesDefault) * 60_000,
    };
    const time = takeForHold({ tenantId, staffId: body.staffId, days: member.days }, taking, item, at);
    if (typeof time === 'string') throw new Error('A free start overlaps what is taken');
    return {
      writes: [
        holdPut(tenantId, item),
        keyHoldsPut(principal, { ...live, [item.id]: item.expiresAt }, mine?.version),
        ...timeWrites(time),
      ],
      answer: toHold(item, offer, member),
    };
  });
}

function assertRoom({ actor }: Principal, live: number): void {
  if (actor.kind !== 'session' && live >= limits.holdsPerKey) throw fail('hold_limit_reached');
  if (actor.kind !== 'session' || live < limits.holdsPerSession) return;
  throw fail('hold_limit_reached', { message: `This session already has ${limits.holdsPerSession} live slot holds.` });
}

/** With what a person should know before agreeing to it. */
function toHold({ id, start, places, expiresAt }: HoldItem, { business, service }: Offer, { staff }: Member): Hold {
  const zone = zoneOf(business.timeZone);
  return {
    holdId: id,
    expiresAt: timestamp(expiresAt),
    serviceName: service.name,
    staffName: staff.name,
    startTime: isoOf(zone, start),
    endTime: isoOf(zone, start + service.durationMinutes),
    timeZone: business.timeZone,
    price: { ...service.price, amount: service.price.amount * places },
    cancellationNoticeMinutes: business.bookingRules.cancellationNoticeMinutes,
    confirmation: business.bookingRules.confirmation,
  };
}

/** `DELETE /slots/holds/:holdId`. 404 `not_found` unless it is a live hold of this key. */
export function releaseHold(principal: Principal, { holdId }: { readonly holdId: string }): Promise<void> {
  return commitWithRetry(async () => {
    const at = now();
    const item = await findHold(principal, holdId, at);
    if (!item) throw fail('not_found');
    const time = await loadStaffTime(principal.tenantId, item.staffId, item.taken);
    const freed = changeTime<never>(time, item.taken, (day) => withoutHold(day, holdId));
    return { writes: [...(await holdRemoval(principal, item, at)), ...timeWrites(freed)], answer: undefined };
  });
}

/** A hold of this key that still lives at `at` (epoch milliseconds). */
export async function findHold(principal: Principal, holdId: string, at: number): Promise<HoldItem | undefined> {
  const item = await getItem<HoldItem>('records', records.hold(principal.tenantId, holdId));
  return item && item.keyId === holderId(principal) && at < item.expiresAt ? item : undefined;
}

/** The writes that take a hold from its key: it is released, or used by a booking. */
export async function holdRemoval(principal: Principal, item: HoldItem, at: number): Promise<Write[]> {
  const mine = await getItem<KeyHolds>('records', records.holdsOfKey(principal.tenantId, holderId(principal)));
  const { [item.id]: _, ...rest } = liveOf(mine, at);
  return [
    remove('records', records.hold(principal.tenantId, item.id), isThere),
    keyHoldsPut(principal, rest, mine?.version),
  ];
}

function liveOf(mine: KeyHolds | undefined, at: number): Record<string, number> {
  return Object.fromEntries(Object.entries(mine?.holds ?? {}).filter(([, expiresAt]) => at < expiresAt));
}

function holdPut(tenantId: number, item: HoldItem): Write {
  const expiresAtSeconds = Math.ceil(item.expiresAt / 1_000);
  return putNew('records', { ...records.hold(tenantId, item.id), ...item, expiresAtSeconds });
}

function keyHoldsPut(
  principal: Principal,
  holds: Readonly<Record<string, number>>,
  version: number | undefined,
): Write {
  const item = { ...records.holdsOfKey(principal.tenantId, holderId(principal)), holds, version: (version ?? 0) + 1 };
  return put('records', item, { version });
}
