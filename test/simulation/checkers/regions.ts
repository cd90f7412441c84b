/** The invariants of two regions, computed from commits and requests independently of the code. */
import { decodeBusy, unpack } from '../../../core/availability/calendar-day.ts';
import type { BookingItem } from '../../../core/bookings/booking.ts';
import type { Lag } from '../../../core/reconcile/reconcile.ts';
import type { Reconciled } from '../../../core/reconcile/reconciled.ts';
import type { SendRequest } from '../../../core/webhooks/sender/send.ts';
import type { MemoryDynamo } from '../../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Change } from '../../../packages/memory-dynamo/src/table.ts';
import type { Item } from '../../../packages/memory-dynamo/src/value.ts';
import { tables } from '../environment.ts';

interface Version {
  readonly revision: number;
  readonly committedAt: number;
}

export interface Failover {
  /** The items that had arrived from the lost region, before and after reconciliation. */
  readonly arrived: ReadonlyMap<string, Item>;
  readonly now: MemoryDynamo;
  readonly lag: Lag;
  readonly lagMs: number;
  readonly done: Reconciled;
}

const shownMax = 20;
const versionsKept = 6;
const recentKept = 80;
const prefix = /^(BOOKING|CLIENT)#/;

export class RegionChecker {
  events = 0;
  /** Whether raised events are changes, and not repetitions by reconciliation. */
  counts = true;
  requests = 0;
  repeated = 0;
  readonly violations: string[] = [];
  readonly kinds: Record<string, number> = {};
  /** Lost changes that were answered within the lag, as text. */
  readonly lostChanges: string[] = [];
  /** When the events in the outbox were raised; also contains the events that left it recently, and when they left. */
  readonly #open = new Map<string, number>();
  #closed: { readonly raisedAt: number; readonly at: number }[] = [];
  readonly #versions = new Map<string, Version[]>();
  readonly #recent = new Map<number, BookingItem[]>();
  /** The event that got each number of a log, in any region. */
  readonly #numbers = new Map<string, string>();
  /** The newest revision of each item that receivers have got. */
  readonly #received = new Map<string, number>();

  #report(kind: 'lost' | 'event' | 'overlap' | 'time' | 'number' | 'unlisted' | 'displaced', what: string): void {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    if (this.violations.length < shownMax) this.violations.push(`${kind}: ${what}`);
  }

  bookingsOf(tenantId: number): readonly BookingItem[] {
    return this.#recent.get(tenantId) ?? [];
  }

  committed(changes: readonly Change[], now: number): void {
    for (const { table, before, after } of changes) {
      const { pk = '', sk = '' } = (after ?? before ?? {}) as { pk?: string; sk?: string };
      if (table === tables.records && pk.startsWith('OUTBOX#')) this.#outbox(pk + sk, after, before, now);
      else if (table === tables.records && after && prefix.test(sk)) this.#changed(after, now);
      else if (table === tables.deliveries && after && !before && sk.startsWith('R#')) {
        this.#numbered(`${pk} ${sk}`, `${after.eventId} ${after.deliveryId}`);
      }
    }
  }

  #outbox(key: string, after: Item | undefined, before: Item | undefined, now: number): void {
    const raisedAt = Date.parse(String((after ?? before)?.occurredAt));
    if (after && !before) {
      if (this.counts) this.events += 1;
      this.#open.set(key, raisedAt);
    }
    if (after || !this.#open.delete(key)) return;
    this.#closed.push({ raisedAt, at: now });
    if (this.#closed.length > 5_000) this.#closed = this.#closed.filter(({ at }) => at > now - 60_000);
  }

  #changed(item: Item, committedAt: number): void {
    const key = `${item.pk} ${item.sk}`;
    const revision = revisionOf(item);
    this.#versions.set(key, [...(this.#versions.get(key) ?? []), { revision, committedAt }].slice(-versionsKept));
    if (!key.includes('BOOKING#')) return;
    const booking = item as unknown as BookingItem;
    const tenantId = Number(String(item.pk).split('#')[1]);
    const others = this.bookingsOf(tenantId).filter(({ id }) => id !== booking.id);
    this.#recent.set(tenantId, [...others, booking].slice(-recentKept));
  }

  #numbered(number: string, event: string): void {
    const before = this.#numbers.get(number);
    if (before !== undefined && before !== event) this.#report('number', `${number} is of ${before} and of ${event}`);
    this.#numbers.set(number, event);
  }

  /** Returns a time before which no event was raised that was in the outbox at `at` or later. */
  openSince(at: number): number {
    const raised = [...this.#open.values(), ...this.#closed.filter((one) => one.at > at).map((one) => one.raisedAt)];
    return Math.min(at, ...raised);
  }

  received({ headers, body }: SendRequest): void {
    this.requests += 1;
    const { event, eventId, data } = JSON.parse(String(body));
    this.#numbered(`delivery ${headers['X-Webhook-Delivery']}`, String(eventId));
    const key = toldKey(event, data);
    const revision = Number(data.revision ?? 1);
    if ((this.#received.get(key) ?? 0) >= revision) this.repeated += 1;
    else this.#received.set(key, revision);
  }

  /**
   * Changes that were answered before the replication lag exist. A missing change is within the lag, and is listed if
   * its event arrived.
   */
  checkFailover({ arrived, now, lag, lagMs, done }: Failover): { lost: number; traced: number } {
    const events = new Set<string>();
    for (const { pk, data } of arrived.values()) {
      if (!String(pk).startsWith('OUTBOX#')) continue;
      const { bookingId, clientId, revision } = JSON.parse(String(data));
      events.add(`${bookingId ?? clientId} ${revision}`);
    }
    const listed = new Set(done.lost.map(({ id }) => id));
    const found = { lost: 0, traced: 0 };
    const displaced = new Set(done.displaced.map(({ bookingId }) => bookingId));
    const records = now.table(tables.records);
    for (const [key, versions] of this.#versions) {
      const [pk = '', sk = ''] = key.split(' ');
      const id = Number(sk.split('#')[1]);
      const item = records.get({ pk, sk });
      const settled = versions.filter(({ committedAt }) => committedAt <= lag.until - lagMs).at(-1)?.revision ?? 0;
      if (settled > 0 && (!item || revisionOf(item) < settled)) this.#report('lost', `${key} had revision ${settled}`);
      const before = arrived.get(key);
      const known = before ? revisionOf(before) : 0;
      const newest = versions.at(-1)?.revision ?? 0;
      if (displaced.has(id) && newest <= known) this.#report('displaced', `${key} was right`);
      for (const { revision } of versions) {
        if (revision <= known) continue;
        found.lost += 1;
        if (events.has(`${id} ${revision}`)) {
          found.traced += 1;
          if (!listed.has(id)) this.#report('unlisted', `${key} revision ${revision}`);
        }
        if (this.lostChanges.length < 1_000) this.lostChanges.push(`${key} revision ${revision}`);
      }
    }
    this.checkTimes(now, 'after the failover');
    return found;
  }

  /** No two bookings overlap, and the calendar days contain exactly the times of bookings. */
  checkTimes(store: MemoryDynamo, when: string): void {
    const bookings: (BookingItem & { readonly pk: string })[] = [];
    const busy = new Map<string, number>();
    for (const item of store.table(tables.records).all()) {
      if (String(item.sk).startsWith('BOOKING#') && item.status !== 'cancelled') bookings.push(item as never);
      if (!String(item.pk).endsWith('#DAYS') || !item.busy) continue;
      const [day, staff] = String(item.sk).split('#');
      const origin = Number(day) * 1_440;
      for (const { start, end } of unpack(decodeBusy(item.busy as Uint8Array), origin)) {
        busy.set(`${String(item.pk).split('#')[1]} ${staff} ${start}`, end);
      }
    }
    const taken = bookings.flatMap(({ id, pk, taken }) =>
      taken.map(({ calendar, start, end }) => ({ id, calendar: `${pk.split('#')[1]} ${calendar}`, start, end })),
    );
    for (const [calendar, some] of Map.groupBy(taken, (one) => one.calendar)) {
      const inOrder = some.toSorted((a, b) => a.start - b.start);
      for (const [i, { id, start, end }] of inOrder.entries()) {
        const next = inOrder[i + 1];
        if (next && next.start < end) this.#report('overlap', `bookings ${id} and ${next.id} ${when}`);
        if (!busy.delete(`${calendar} ${start}`)) this.#report('time', `booking ${id} has no time ${when}`);
      }
    }
    for (const key of busy.keys()) this.#report('time', `${key} is taken by no booking ${when}`);
  }

  /** From now on the state of the other region is the expected one. */
  adopt(store: MemoryDynamo, now: number): void {
    this.#versions.clear();
    this.#open.clear();
    this.#closed = [];
    for (const item of store.table(tables.records).all()) {
      const key = `${item.pk} ${item.sk}`;
      if (prefix.test(String(item.sk))) this.#versions.set(key, [{ revision: revisionOf(item), committedAt: now }]);
      if (String(item.pk).startsWith('OUTBOX#'))
        this.#open.set(`${item.pk}${item.sk}`, Date.parse(String(item.occurredAt)));
    }
  }

  finish(store: MemoryDynamo): void {
    this.checkTimes(store, 'at the end');
    for (const item of store.table(tables.records).all()) {
      const [, kind = ''] =
        /^(BOOKING|CLIENT)#/.exec(String(item.sk)) ?? /#(PAYMENTS|REFUNDS)$/.exec(String(item.pk)) ?? [];
      if (!kind) continue;
      const known = this.#received.get(`${kind} ${item.id}`) ?? 0;
      const revision = kind === 'BOOKING' || kind === 'CLIENT' ? revisionOf(item) : 1;
      if (known < revision)
        this.#report('event', `${kind} ${item.id}: revision ${revision}, and receivers got ${known}`);
    }
  }
}

/** The public revision: a client that never changed has none stored. */
function revisionOf(item: Item): number {
  return String(item.sk).startsWith('CLIENT#') ? Number(item.revision ?? 0) + 1 : Number(item.revision);
}

function toldKey(event: string, data: Readonly<Record<string, unknown>>): string {
  if (event.startsWith('booking.')) return `BOOKING ${data.bookingId}`;
  if (event.startsWith('client.')) return `CLIENT ${data.clientId}`;
  return data.refundId === undefined ? `PAYMENTS ${data.paymentId}` : `REFUNDS ${data.refundId}`;
}
