/** Measures an hour's outage at the receivers: the speed and order of the backlog, and what waits behind it. */
import { schedules } from '../../contract/system/schedules.ts';
import { overdueMs } from '../../core/events/event.ts';
import type { SendRequest } from '../../core/webhooks/sender/send.ts';
import { startAt } from './simulation.ts';

const minuteMs = 60_000;

/** The period of the outage, and of the events, in milliseconds from the start. */
export const outage = { fromMs: 2 * minuteMs, toMs: 62 * minuteMs, spanMs: 70 * minuteMs } as const;
/** Events this long after the end of the outage are not affected by it. */
const afterwardsMs = minuteMs;
/** Older events are left to the sweeper by the relay. */
const streamsMs = overdueMs + schedules.sweep.everyMinutes * minuteMs;

export interface OutageFigures {
  readonly backlog: number;
  readonly arrivedPerSecond: number;
  /** The rate in the seconds in which deliveries of the backlog were made. */
  readonly drainedPerSecond: number;
  /** The time from the end of the outage to the last delivery of the backlog. */
  readonly drainedAfterMs: number;
  /**
   * The largest distance of a delivery from its position in the order of age, as a share of all. Excludes events of the
   * last moments of the outage, which the stream still delivers at once.
   */
  readonly displaced: number;
  /** The longest time from an event to its delivery: of the backlog, and of later events. */
  readonly slowestMs: number;
  readonly slowestAfterwardsMs: number;
}

interface First {
  readonly at: number;
  readonly happenedAt: number;
}

/** Observes the first request of each delivery. */
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
  const position = new Map(delivered.toSorted((a, b) => a.happenedAt - b.happenedAt).map((one, i) => [one, i]));
  const most = delivered.reduce((far, one, i) => Math.max(far, Math.abs(i - (position.get(one) ?? 0))), 0);
  return most / delivered.length;
}

function slowest(delivered: readonly First[]): number {
  return delivered.reduce((most, { at, happenedAt }) => Math.max(most, at - happenedAt), 0);
}
