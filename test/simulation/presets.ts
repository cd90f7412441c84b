/** The simulations by name, with their events and faults. */
import { limits } from '../../contract/limits.ts';
import { manyFaults, noFaults } from './faults.ts';
import { outage } from './outage.ts';
import { alikeBusinesses, chainAmongOthers } from './population.ts';
import { downBetween, failingFirst, healthy, slowly } from './receivers.ts';
import type { Simulation, SimulationOptions } from './simulation.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** All faults happen, and for half of the time the stream is not read. With every second seed there is no redrive. */
export function troubledOptions(events: number, seed: number, hours = 60): SimulationOptions {
  const spanMs = hours * hourMs;
  return { events, seed, spanMs, redrives: seed % 2 === 1, streamOff: { fromMs: 0.2 * spanMs, toMs: 0.7 * spanMs } };
}

/** Events happen at regular intervals, in one business after the other. */
export function everyNowAndThen(events: number) {
  return (simulation: Simulation) => {
    const { businesses } = simulation.population;
    const { spanMs = hourMs } = simulation.options;
    const next = (nth: number) => {
      const business = businesses[nth % businesses.length];
      if (nth === events || !business) return;
      simulation.raise(business);
      simulation.runtime.timeline.in((spanMs * (nth + 1)) / events - (spanMs * nth) / events, () => next(nth + 1));
    };
    next(0);
  };
}

/**
 * Every receiver is down for hours, some for longer than all attempts, and functions crash twice as often. Many
 * deliveries fail, are skipped or are requested again.
 */
export function outageOptions(events: number, seed: number): SimulationOptions {
  return {
    events,
    seed,
    rates: { ...manyFaults, crash: 2 * manyFaults.crash },
    populate: (plan) => {
      const { random, startAt, spanMs } = plan;
      return alikeBusinesses(plan, 60, () => {
        const from = startAt + random.below(spanMs);
        return downBetween(from, from + random.between(1, 24) * hourMs);
      });
    },
  };
}

/** Only the receivers fail, 0 to 6 times each. */
export function undisturbedOptions(seed: number): SimulationOptions {
  let created = 0;
  const webhooks = 70;
  const events = (webhooks / limits.activeWebhooksPerKey) * 2;
  const nextReceiver = () => {
    created += 1;
    return failingFirst(created % (limits.deliveryAttempts + 1));
  };
  return {
    events,
    seed,
    spanMs: hourMs,
    rates: noFaults,
    eventful: false,
    populate: (plan) => alikeBusinesses(plan, webhooks, nextReceiver),
    arrive: everyNowAndThen(events),
  };
}

/**
 * For an hour the bus refuses everything, or the stream is not read; receivers are healthy, and there are no other
 * faults. Events happen at regular intervals in a hundred businesses, one after the other. 840 000 are 200 a second.
 */
export function oneHourOptions(broken: 'busOff' | 'streamOff', events: number, seed: number): SimulationOptions {
  const { fromMs, toMs, spanMs } = outage;
  return {
    events,
    seed,
    spanMs,
    rates: noFaults,
    eventful: false,
    [broken]: { fromMs, toMs },
    populate: (plan) => alikeBusinesses(plan, 100, () => healthy, 1),
    arrive: everyNowAndThen(events),
  };
}

/** Adds a field to every object, which today's version does not write. */
export function newer(body: string): string {
  return JSON.stringify(
    JSON.parse(body, (_, value) => (isObject(value) ? { ...value, epoch: 200, trace: { of: 'x' } } : value)),
  );
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Both tables are restored to a second of an hour in which the stream was not read, and the simulation continues.
 * Events in the outbox are delivered, open deliveries are sent, and nothing is sent twice.
 */
export function restoreOptions(events: number, seed: number): SimulationOptions {
  const toMs = 3.7 * hourMs;
  return {
    events,
    seed,
    spanMs: 24 * hourMs,
    redrives: true,
    eventful: false,
    streamOff: { fromMs: toMs - 0.5 * hourMs, toMs: toMs + 0.5 * hourMs },
    restore: { toMs, stopMs: 6 * hourMs },
  };
}

export interface Preset {
  readonly options: (events: number, seed: number) => SimulationOptions;
  readonly events: number;
  readonly isOutage?: true;
}

/** Every three hours a version is deployed or rolled back, and for a while both send. */
function versionChanges(): NonNullable<SimulationOptions['sends']> {
  let sent = 0;
  return (body, sinceMs) => {
    sent += 1;
    const hour = (sinceMs / hourMs) % 6;
    const isMixed = hour % 3 < 0.25;
    return (isMixed ? sent % 2 === 0 : hour < 3) ? newer(body) : body;
  };
}

/** The numbers of outbox partitions of four versions; the third is a deployment that was rolled back. */
const shardsOfVersions = [8, 64, 8, 256] as const;

/** The names for `npm run prove -- simulate`, with a number of events that takes a minute at most. */
export const presets = {
  troubled: { events: 100_000, options: troubledOptions },
  outages: { events: 5_000, options: outageOptions },
  rollbacks: {
    events: 100_000,
    options: (events, seed) => ({ ...troubledOptions(events, seed), sends: versionChanges() }),
  },
  shards: {
    events: 100_000,
    options: (events, seed) => ({
      ...troubledOptions(events, seed),
      shards: (sinceMs) => shardsOfVersions[Math.floor(sinceMs / (15 * hourMs))] ?? 256,
    }),
  },
  /** Clocks of machines differ by seconds, and some jump while a function runs. */
  clocks: {
    events: 100_000,
    options: (events, seed) => ({ ...troubledOptions(events, seed), clocksWrongByMs: 2_000 }),
  },
  restores: { events: 100_000, options: restoreOptions },
  neighbours: {
    events: 5_000,
    options: (events, seed) => ({
      ...troubledOptions(events, seed),
      populate: (plan) => chainAmongOthers(plan, 1_000, 8),
    }),
  },
  /** One business whose receivers take seconds and refuse most requests: a webhook has many deliveries at once. */
  crowded: {
    events: 10_000,
    options: (events, seed) => ({
      ...{ events, seed, spanMs: 7 * hourMs, redrives: true },
      populate: (plan) => alikeBusinesses(plan, 2, () => slowly(0.6)),
      arrive: everyNowAndThen(events),
    }),
  },
  'no-bus': { events: 42_000, options: (...run) => oneHourOptions('busOff', ...run), isOutage: true },
  'no-stream': { events: 42_000, options: (...run) => oneHourOptions('streamOff', ...run), isOutage: true },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;
