/** Slot holds (docs/rules.md#holds): a slot that is reserved for some minutes. */
import type * as z from 'zod/mini';
import type { createHold as row } from '../../contract/integration/routes.ts';
import { limits } from '../../contract/limits.ts';
import { now, random, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { holderId, type Principal } from '../principal.ts';
import { bookingSession } from '../sessions/booking.ts';
import { isThere } from '../store/expected.ts';
import { getItem } from '../store/read.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { put, putNew, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { withoutHold } from './calendar-day.ts';
import { type Calendars, changeTime, loadTaken, type TakenTime, timeWrites, withDaysOf } from './calendar-time.ts';
import { minuteOf } from './intervals.ts';
import { loadChoices, loadOffer, type Offer, reachOf } from './load.ts';
import { slotUnavailable } from './next-available.ts';
import { takeForHold } from './occurrences.ts';
import { requestedServices } from './requested-services.ts';
import { type Choice, choiceAt } from './starts.ts';
import { isoPrinter, zoneOf } from './zone.ts';

export interface HoldItem {
  readonly id: string;
  readonly keyId: number;
  /** The held segments, and who performs them. */
  readonly services: readonly { readonly serviceId: number; readonly staffId: number }[];
  /** Epoch minutes. */
  readonly start: number;
  readonly taken: readonly TakenTime[];
  readonly places: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

type Hold = z.output<(typeof row)['output']>;
type NewHold = z.output<(typeof row)['body']>;

/** The holds of a key with their expiry, and a version: with it, concurrent requests cannot make more than ten. */
interface KeyHolds {
  readonly holds: Readonly<Record<string, number>>;
  readonly version: number;
}

/**
 * `POST /slots/holds`. A hold takes the minutes of calendars like a booking, but only until it expires. Errors: those of
 * `bookingSession`, 404 `not_found`, 409 `slot_unavailable`, 409 `hold_limit_reached`.
 */
export function createHold(principal: Principal, body: NewHold, commit: Commit = commitWithRetry): Promise<Hold> {
  const { tenantId } = principal;
  const keyId = holderId(principal);
  return commit(async () => {
    const at = now();
    const start = Date.parse(body.startTime) / 60_000;
    const offer = await loadOffer(principal, requestedServices(body));
    const reach = reachOf(offer, minuteOf(start));
    const [choices, mine] = await Promise.all([
      loadChoices(offer, reach),
      getItem<KeyHolds>('records', records.holdsOfKey(tenantId, keyId)),
      bookingSession(principal),
    ]);
    const live = liveOf(mine, at);
    assertHoldsLeft(principal, Object.keys(live).length);
    const { places = 1 } = body;
    const choice = choiceAt(choices, start, at, { places });
    if (!choice) throw await slotUnavailable(offer, start, at, places);
    const { taking } = choice;
    const item: HoldItem = {
      id: `hld_${Buffer.from(random(16)).toString('hex')}`,
      keyId,
      services: offer.parts.map(({ service }, i) => ({ serviceId: service.id, staffId: choice.staff[i]?.id ?? 0 })),
      start,
      taken: taking.taken,
      places,
      createdAt: at,
      expiresAt: at + (body.minutes ?? limits.holdMinutesDefault) * 60_000,
    };
    const time = takeForHold(await withDaysOf(choices.calendars, reach, taking.taken), taking, item, at);
    if (typeof time === 'string') throw new Error('A free start overlaps what is taken');
    assertDaysHaveRoom(time);
    const expiresAtSeconds = Math.ceil(item.expiresAt / 1_000);
    return {
      writes: [
        putNew('records', { ...records.hold(tenantId, item.id), ...item, expiresAtSeconds }),
        keyHoldsPut(principal, { ...live, [item.id]: item.expiresAt }, mine?.version, at),
        ...timeWrites(time),
      ],
      result: toHold(item, offer, choice),
    };
  });
}

function assertHoldsLeft({ actor }: Principal, live: number): void {
  if (actor.kind === 'session' && live >= limits.holdsPerSession)
    throw fail('hold_limit_reached', `This session already has ${limits.holdsPerSession} slot holds.`);
  if (live >= limits.holdsPerKey) throw fail('hold_limit_reached');
}

/** Only classes with very many participants have so many holds on one day. */
function assertDaysHaveRoom({ days }: Calendars): void {
  for (const calendar of days.values()) {
    for (const { changed, holds } of calendar.values()) {
      if (!changed || holds.length <= limits.holdsPerCalendarDay) continue;
      throw fail(
        'hold_limit_reached',
        `A staff member or resource can have at most ${limits.holdsPerCalendarDay} slot holds on one day.`,
      );
    }
  }
}

/** The hold with all data that a person should know before booking. */
function toHold({ id, places, expiresAt }: HoldItem, { business, parts }: Offer, { staff, start, end }: Choice): Hold {
  const print = isoPrinter(zoneOf(business.timeZone));
  const segments = parts.map(({ service, offset, durationMinutes }, i) => ({
    serviceId: service.id,
    serviceName: service.name,
    staffId: staff[i]?.id ?? 0,
    staffName: staff[i]?.name ?? '',
    startTime: print(start + offset),
    endTime: print(start + offset + durationMinutes),
  }));
  const amount = parts.reduce((sum, { service }) => sum + service.price.amount * places, 0);
  return {
    holdId: id,
    expiresAt: timestamp(expiresAt),
    serviceName: parts[0].service.name,
    staffName: staff[0]?.name ?? '',
    startTime: print(start),
    endTime: print(end),
    timeZone: business.timeZone,
    segments,
    price: { ...parts[0].service.price, amount },
    cancellationNoticeMinutes: business.bookingRules.cancellationNoticeMinutes,
    confirmation: business.bookingRules.confirmation,
  };
}

/** `DELETE /slots/holds/:holdId`. 404 `not_found` unless it is a hold of this key that has not expired. */
export function releaseHold(principal: Principal, { holdId }: { readonly holdId: string }): Promise<void> {
  return commitWithRetry(async () => {
    const at = now();
    const item = await findHold(principal, holdId, at);
    if (!item) throw fail('not_found');
    const time = await loadTaken(principal.tenantId, item.taken);
    const freed = changeTime<never>(time, item.taken, (day) => withoutHold(day, holdId));
    return { writes: [...(await holdRemoval(principal, item, at)), ...timeWrites(freed)], result: undefined };
  });
}

/** A hold of this key that has not expired at `at` (epoch milliseconds). */
export async function findHold(principal: Principal, holdId: string, at: number): Promise<HoldItem | undefined> {
  const item = await getItem<HoldItem>('records', records.hold(principal.tenantId, holdId));
  return item && item.keyId === holderId(principal) && at < item.expiresAt ? item : undefined;
}

/** The writes that remove a hold from its key, when the hold is released or a booking uses it. */
export async function holdRemoval(principal: Principal, item: HoldItem, at: number): Promise<Write[]> {
  const mine = await getItem<KeyHolds>('records', records.holdsOfKey(principal.tenantId, holderId(principal)));
  const { [item.id]: _, ...rest } = liveOf(mine, at);
  return [
    remove('records', records.hold(principal.tenantId, item.id), isThere),
    keyHoldsPut(principal, rest, mine?.version, at),
  ];
}

function liveOf(mine: KeyHolds | undefined, at: number): Record<string, number> {
  return Object.fromEntries(Object.entries(mine?.holds ?? {}).filter(([, expiresAt]) => at < expiresAt));
}

/**
 * Deleted a day after its last hold, because every session of a website leaves such an item. No request runs so long,
 * so no request can read an old version of an item that was created again.
 */
function keyHoldsPut(
  principal: Principal,
  holds: Readonly<Record<string, number>>,
  version: number | undefined,
  at: number,
): Write {
  const key = records.holdsOfKey(principal.tenantId, holderId(principal));
  const expiresAtSeconds = Math.ceil(Math.max(at, ...Object.values(holds)) / 1_000) + 86_400;
  return put('records', { ...key, holds, version: (version ?? 0) + 1, expiresAtSeconds }, { version });
}
