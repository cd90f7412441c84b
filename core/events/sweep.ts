/**
 * Publishes events again whose deliveries were not created in time (docs/rules.md#pipeline), because the stream or the
 * bus lost the events or failed for long. Old events are published no faster than they are planned: the queue `events`
 * contains only what is planned within seconds, and new events do not wait behind old ones
 * (`docs/decisions/outbox-until-sent.md`).
 */
import { schedules } from '../../contract/system/schedules.ts';
import { now, randomFraction, timeOfId } from '../clock.ts';
import { log } from '../log.ts';
import { emit } from '../metrics.ts';
import type { TimeLeft } from '../queue/consumer.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';
import { batchGet } from '../store/batch-get.ts';
import type { EventRef } from './event.ts';
import { inOutbox } from './outbox.ts';
import { Overdue } from './overdue.ts';
import { publish } from './publish.ts';

/** How many events are published before a check whether they are planned; the least at first. */
export const slice = { least: 100, most: 10_000 } as const;
/** How many events of a slice are checked: one call, whatever the size of the slice. */
const sampleSize = 100;
/** How many events of one business are published in a row, before equally old events of other businesses. */
const eventsPerRound = 100;
/** How often a slice is checked: some seconds in all. */
const checks: RetryPolicy = { attempts: 8, firstPauseMs: 400, longestPauseMs: 3_000 };
/** How often publishing is tried while the bus fails: for longer than a run. */
const publishRetries: RetryPolicy = { attempts: 100, firstPauseMs: 1_000, longestPauseMs: 9_000 };
const runsPerRetry = 6;
/** Enough time to publish and check a slice. */
const reserveMs = 25_000;

/** Goes through the old events, the oldest of all shards first, until the end or until the time is up. */
export async function sweep(_schedule: unknown, time: TimeLeft): Promise<void> {
  const at = now();
  const overdue = new Overdue(at);
  let events = await overdue.next();
  const { oldestId } = overdue;
  emit({ Seconds: { OldestOutboxEvent: oldestId ? Math.round((at - timeOfId(oldestId)) / 1_000) : 0 } });

  const drain = new Drain(at, time);
  while (events.length > 0 && !drain.isOver()) {
    await drain.publish(inRotation(events), overdue.isAtEnd);
    events = await overdue.next();
  }
  const { published } = drain;
  emit({ Count: { OutboxEventsOverdue: published } });
  if (published > 0) log.warn('Published overdue events again', { published });
  // All other events were published. The run reports that it is not finished.
  if (overdue.unread.length > 0) throw new Error(`Shards of the outbox could not be read: ${overdue.unread}`);
}

/**
 * Oldest first, but with businesses in rotation: many events of one business do not come before a few events of another
 * that are about as old.
 */
export function inRotation(events: readonly EventRef[]): readonly EventRef[] {
  const seen = new Map<number, number>();
  const rounds = Map.groupBy(events, ({ tenantId }) => {
    const nth = seen.get(tenantId) ?? 0;
    seen.set(tenantId, nth + 1);
    return Math.floor(nth / eventsPerRound);
  });
  // A round begins only after the one before it, so the rounds are in order.
  return [...rounds.values()].flat();
}

/**
 * Whether this run publishes an event of a business whose events cannot be planned. Each such event is published in one
 * of six runs, because copies only fill the queue.
 */
function isRetryDue(id: number, at: number): boolean {
  const run = Math.floor(at / (schedules.sweep.everyMinutes * 60_000));
  return (run + id) % runsPerRetry === 0;
}

class Drain {
  readonly #at: number;
  readonly #time: TimeLeft;
  #size: number = slice.least;
  /** The checked events of the previous slice that were not planned. */
  #behind: readonly EventRef[] = [];
  /** Businesses of which events were not planned after two slices, and none since. */
  readonly #stuck = new Set<number>();
  published = 0;

  constructor(at: number, time: TimeLeft) {
    this.#at = at;
    this.#time = time;
  }

  isOver(): boolean {
    return this.#time.getRemainingTimeInMillis() <= reserveMs;
  }

  /**
   * Publishes one slice after the other. A slice waits until the previous one is planned, but only for a limited time.
   */
  async publish(events: readonly EventRef[], isLast: boolean): Promise<void> {
    for (let from = 0; from < events.length && !this.isOver(); ) {
      const some = events.slice(from, from + this.#size);
      from += some.length;
      const wanted = some.filter(({ id, tenantId }) => !this.#stuck.has(tenantId) || isRetryDue(id, this.#at));
      const sent = await this.#send(wanted);
      this.published += sent.length;
      if (isLast && from === events.length) return;
      if (sent.length > 0) await this.#checkSlice(sent);
      if (events.length > slice.least)
        log.info('Publishing a backlog of events', { published: this.published, together: this.#size });
    }
  }

  /** Returns the events that the bus accepted. If it accepts none, the remaining events are not tried. */
  async #send(events: readonly EventRef[]): Promise<readonly EventRef[]> {
    let sent: readonly EventRef[] = [];
    if (events.length === 0) return sent;
    await retrying(publishRetries, async () => {
      const refused = new Set(await publish(events));
      sent = events.filter((event) => !refused.has(event));
      return sent.length > 0 || this.isOver() ? 'sent' : RETRY;
    });
    return sent;
  }

  /** Sets the size of the next slice by the result of this one, and finds out whose events are not planned. */
  async #checkSlice(sent: readonly EventRef[]): Promise<void> {
    const sample = sampleOf(sent);
    const seen = [...this.#behind, ...sample];
    const left = new Set(await this.#unplanned(seen));
    const share = left.size / seen.length;
    if (share <= 0.1) this.#size = Math.min(2 * this.#size, slice.most);
    else if (share > 0.5) this.#size = Math.max(Math.floor(this.#size / 2), slice.least);
    for (const { tenantId } of this.#behind) this.#stuck.add(tenantId);
    for (const event of seen) if (!left.has(event)) this.#stuck.delete(event.tenantId);
    this.#behind = sample.filter((event) => left.has(event));
  }

  /**
   * Waits for some seconds at most until nearly all of the events have left the outbox. Returns those that have not.
   */
  async #unplanned(events: readonly EventRef[]): Promise<readonly EventRef[]> {
    let left = events;
    await retrying(checks, async () => {
      left = await stillInOutbox(left);
      return left.length > events.length / 10 && !this.isOver() ? RETRY : 'planned';
    });
    return left;
  }
}

/** A sample with one event of each part of the slice: it contains all businesses, whatever their order. */
function sampleOf(events: readonly EventRef[]): readonly EventRef[] {
  const part = Math.max(1, events.length / sampleSize);
  return Array.from(
    { length: Math.min(events.length, sampleSize) },
    (_, i) => events[Math.floor((i + randomFraction()) * part)],
  ).filter((event) => event !== undefined);
}

/** The events that are in the outbox. If the outbox cannot be read, all of them may be. */
async function stillInOutbox(events: readonly EventRef[]): Promise<readonly EventRef[]> {
  try {
    const lookup = await batchGet(events.map(inOutbox));
    return events.filter((event) => lookup(inOutbox(event)) !== undefined);
  } catch (error) {
    log.warn('The events of the outbox cannot be read', { error });
    return events;
  }
}
