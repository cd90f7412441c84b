/** Checks the state after the crashes as integrators see it: bookings, free slots, deliveries and their log. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Booking, DeliveryRecord } from '../../contract/integration/resources.ts';
import type { Caller } from './caller.ts';
import type { Offered } from './crash-test.ts';
import type { Known } from './integrator.ts';

export interface Received {
  readonly path: string;
  readonly event: string;
  readonly bookingId: number;
}

export interface Judged {
  readonly caller: Caller;
  readonly keys: readonly string[];
  readonly offered: { readonly path: string; readonly slots: readonly Offered[] };
  readonly bookings: readonly Known[];
  readonly webhookIds: readonly number[];
  /** The target URLs of the webhooks, in the same order. */
  readonly targets: readonly string[];
  /** The messages; more are added while they arrive. */
  readonly received: readonly Received[];
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string | null;
  readonly total?: number;
}

export async function violationsOf(
  judged: Judged,
  settleMs: number,
): Promise<{ violations: readonly string[]; deliveries: number }> {
  const ask = asker(judged);
  const missing = await missingAfter(judged, settleMs);
  const logs = await Promise.all(judged.webhookIds.map((id) => logOf(id, (path) => ask(path, judged.keys[0]))));
  return {
    violations: [
      ...bookingViolations(judged.bookings, await allBookings(ask)),
      ...slotViolations(judged, (await ask<Page<Offered>>(judged.offered.path)).data),
      ...missing.map((one) => `never delivered: ${one}`),
      ...logs.flatMap((log, i) => logViolations(judged.webhookIds[i] ?? 0, log, judged.bookings)),
    ],
    deliveries: logs.flat().length,
  };
}

/** Reads with the keys in turn, or with the key of a webhook. */
function asker({ caller, keys }: Judged) {
  let requests = 0;
  return async <T>(path: string, key?: string): Promise<T> => {
    requests += 1;
    const { status, body } = await caller.call<T>(key ?? keys[requests % keys.length] ?? '', 'GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
}

type Ask = ReturnType<typeof asker>;

async function allBookings(ask: Ask): Promise<ReadonlyMap<number, Booking>> {
  const found = new Map<number, Booking>();
  let cursor: string | null | undefined;
  do {
    const page: Page<Booking> = await ask(
      `/bookings?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    for (const booking of page.data) found.set(booking.id, booking);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}

function bookingViolations(known: readonly Known[], there: ReadonlyMap<number, Booking>): string[] {
  const violations = known.flatMap(({ id, status }) => {
    const found = there.get(id);
    if (!found) return [`booking ${id} was acknowledged, and is not there`];
    if ((found.status === 'cancelled') === (status === 'cancelled')) return [];
    return [`booking ${id} was acknowledged as ${status}, and is ${found.status}`];
  });
  const ids = new Set(known.map(({ id }) => id));
  return [
    ...violations,
    ...[...there.keys()].filter((id) => !ids.has(id)).map((id) => `booking ${id} was not asked for`),
  ];
}

function slotViolations({ offered, bookings }: Judged, free: readonly Offered[]): string[] {
  const nameOf = ({ staffId, startTime }: Offered) => `${startTime} of ${staffId}`;
  const listed = new Set(free.map(nameOf));
  const live = bookings.filter(({ status }) => status === 'live').map(({ slot }) => slot);
  const at = Date.parse;
  const overlaps = (one: Offered, other: Offered) =>
    one.staffId === other.staffId && at(one.startTime) < at(other.endTime) && at(other.startTime) < at(one.endTime);
  return offered.slots.flatMap((slot) => {
    const isTaken = live.some((other) => overlaps(slot, other));
    if (isTaken === !listed.has(nameOf(slot))) return [];
    return [`${nameOf(slot)} is ${isTaken ? 'booked, and offered again' : 'free, and lost'}`];
  });
}

/** Messages that a receiver must get and did not. Waits for them for `settleMs`. */
async function missingAfter({ bookings, targets, received }: Judged, settleMs: number): Promise<string[]> {
  const paths = targets.map((url) => new URL(url).pathname);
  const wanted = eventsOf(bookings).flatMap((one) => paths.map((path) => `${one} to ${path}`));
  const missing = () => {
    const arrived = new Set(received.map(({ path, event, bookingId }) => `${event} ${bookingId} to ${path}`));
    return wanted.filter((one) => !arrived.has(one));
  };
  for (const end = performance.now() + settleMs; performance.now() < end && missing().length > 0; ) await pause(100);
  return missing();
}

function eventsOf(bookings: readonly Known[]): string[] {
  return bookings.flatMap(({ id, status }) => [
    `booking.created ${id}`,
    ...(status === 'cancelled' ? [`booking.cancelled ${id}`] : []),
  ]);
}

/** The log when every delivery has ended, or its state after a minute. */
async function logOf(
  webhookId: number,
  ask: (path: string) => Promise<Page<DeliveryRecord>>,
): Promise<readonly DeliveryRecord[]> {
  for (let tries = 1; ; tries++) {
    const log: DeliveryRecord[] = [];
    for (let page = 1; ; page++) {
      const { data, total = 0 } = await ask(`/webhooks/${webhookId}/deliveries?limit=100&page=${page}`);
      log.push(...data);
      if (data.length === 0 || log.length >= total) break;
    }
    if (tries === 120 || log.every(({ deliveryStatus }) => deliveryStatus === 'success')) return log;
    await pause(500);
  }
}

function logViolations(webhookId: number, log: readonly DeliveryRecord[], bookings: readonly Known[]): string[] {
  const of = (sentence: string) => `webhook ${webhookId}: ${sentence}`;
  const numbers = log.map(({ id }) => id).sort((a, b) => a - b);
  const attempts = log.map(({ deliveryId, attemptNumber }) => `attempt ${attemptNumber} of ${deliveryId}`);
  const twice = attempts.filter((one, i) => attempts.indexOf(one) !== i);
  const expected = eventsOf(bookings).length;
  const deliveries = new Set(log.map(({ deliveryId }) => deliveryId)).size;
  return [
    ...numbers.flatMap((number, i) => (number === i + 1 ? [] : [of(`record ${i + 1} is ${number}`)])).slice(0, 1),
    ...twice.map((one) => of(`${one} is on record twice`)),
    ...log.flatMap(({ deliveryId, deliveryStatus: status }) =>
      status === 'success' ? [] : [of(`${deliveryId} ends as ${status}`)],
    ),
    ...(deliveries === expected ? [] : [of(`${deliveries} deliveries of ${expected} events`)]),
  ];
}
