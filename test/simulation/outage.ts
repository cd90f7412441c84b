/** An hour's outage as the receivers see it: how fast the backlog drains, in which order, and what waits behind it. */
import { schedules } from '../../contract/system/schedules.ts';
import { overdueMs } from '../../core/events/event.ts';
import type { SendRequest } from '../../core/webhooks/sender/send.ts';
import { startAt } from './simulation.ts';

const minuteMs = 60_000;

/** From when to when it is, and how long things happen, in milliseconds from the start. */
export const outage = { fromMs: 2 * minuteMs, toMs: 62 * minuteMs, spanMs: 70 * minuteMs } as const;
/** What happens so long after its end has nothing to do with it any more. */
const afterwardsMs = minuteMs;
/** What is older the relay leaves to the sweeper. */
const streamsMs = overdueMs + schedules.sweep.everyMinutes * minuteMs;

export interface OutageFigures {
  /** Deliveries of what happened during it. */
  readonly backlog: number;
  readonly arrivedPerSecond: number;
  /** In the seconds in which any of the backlog was delivered. */
  readonly drainedPerSecond: number;
  /** From the end of the outage until the last of the backlog was delivered. */
  readonly drainedAfterMs: number;
  /**
   * How far a delivery is from its place in the order of age, at most, as a share of all. Without what is so young at the
   * end of the outage that it is still the stream's, and comes at once.
   */
  readonly displaced: number;
  /** From what happened to its delivery, at most: of the backlog, and of what happened afterwards. */
  readonly slowestMs: number;
  readonly slowestAfterwardsMs: number;
}

interface First {
  readonly at: number;
  readonly happenedAt: number;
}

/** Watches the first request of each delivery. */
export class OutageWatch {
  readonly #first = new Map<string, First>();

  readonly onRequest = ({ body }: SendRequest, at: number): void => {
    const { id, timestamp } = JSON.parse(String(body));
    if (!this.#first.has(id)) this.#first.set(id, { at, happenedAt: Date.parse(timestamp) });
  };

  figures(): OutageFigures {
    const [began, ended] = [startAt + outage.fromMs, startAt + outage.toMs];
    const backlog = this.#happened(began, ended).sort((a, b) => a.at - b.at);
    const busySeconds = new Set(backlog.map(({ at }) => Math.floor(at / 1_000))).size;
    return {
      backlog: backlog.length,
      arrivedPerSecond: backlog.length / ((ended - began) / 1_000),
      drainedPerSecond: backlog.length / busySeconds,
      drainedAfterMs: (backlog.at(-1)?.at ?? ended) - ended,
      displaced: displacement(backlog.filter(({ happenedAt }) => happenedAt < ended - streamsMs)),
      slowestMs: slowest(backlog),
      slowestAfterwardsMs: slowest(this.#happened(ended + afterwardsMs, Number.POSITIVE_INFINITY)),
    };
  }

  #happened(from: number, to: number): First[] {
    return [...this.#first.values()].filter(({ happenedAt }) => happenedAt >= from && happenedAt < to);
  }
}

function displacement(delivered: readonly First[]): number {
  const place = new Map(delivered.toSorted((a, b) => a.happenedAt - b.happenedAt).map((one, i) => [one, i]));
  const most = delivered.reduce((far, one, i) => Math.max(far, Math.abs(i - (place.get(one) ?? 0))), 0);
  return most / delivered.length;
}

function slowest(delivered: readonly First[]): number {
  return delivered.reduce((most, { at, happenedAt }) => Math.max(most, at - happenedAt), 0);
}
