/** The injected faults and their probabilities. */
import type { Random } from './random.ts';

export type Target = 'store' | 'bus' | 'events' | 'deliveries' | 'retries' | 'receiver';

/** Probabilities, each per effect, message or invocation. */
export interface FaultRates {
  /** A refusal before the effect: throttling, an unavailable service. */
  readonly refused: number;
  /** The effect happens, but its response is lost. */
  readonly lostAnswer: number;
  /** A part of a batch is not processed, or a page ends early. */
  readonly partial: number;
  /** A part of the events of PutEvents is refused, with status 200. */
  readonly partialBus: number;
  /** A transaction is cancelled because of a conflict with another one. */
  readonly conflict: number;
  /** The process crashes before the effect; a crash right after it is equally probable. */
  readonly crash: number;
  /** A message is received twice. */
  readonly duplicate: number;
  /** A message was handled, but its deletion is lost. */
  readonly lostAcknowledgement: number;
  /** A response takes seconds. */
  readonly slow: number;
  /** A platform bug fails an attempt before anything is sent. */
  readonly misuse: number;
}

export const manyFaults: FaultRates = {
  refused: 0.01,
  lostAnswer: 0.004,
  partial: 0.02,
  partialBus: 0.1,
  conflict: 0.01,
  crash: 0.002,
  duplicate: 0.01,
  lostAcknowledgement: 0.005,
  slow: 0.01,
  misuse: 0.002,
};

export const noFaults = Object.fromEntries(Object.keys(manyFaults).map((name) => [name, 0])) as unknown as FaultRates;

/** A period in which most calls of one service are refused. */
export interface Storm {
  readonly target: Target;
  readonly from: number;
  readonly to: number;
  readonly refused: number;
}

export type Fault = 'refused' | 'lost answer' | 'partial' | 'conflict' | 'crash before' | 'crash after' | undefined;

export interface FaultSource {
  roll(target: Target, now: number): Fault;
  strikes(rate: 'duplicate' | 'lostAcknowledgement'): boolean;
  /** The latency of one call to an AWS service, in milliseconds. */
  latency(): number;
}

export class Faults implements FaultSource {
  readonly rates: FaultRates;
  readonly #storms: readonly Storm[];
  readonly #random: Random;
  isCalm = false;
  readonly struck: Record<string, number> = {};

  constructor(rates: FaultRates, storms: readonly Storm[], random: Random) {
    this.rates = rates;
    this.#storms = storms;
    this.#random = random;
  }

  roll(target: Target, now: number): Fault {
    const fault = this.#roll(target, now);
    if (fault) this.#count(fault);
    return fault;
  }

  #roll(target: Target, now: number): Fault {
    if (this.isCalm) return undefined;
    const storm = this.#storms.find((one) => one.target === target && one.from <= now && now < one.to);
    if (storm && this.#random.chance(storm.refused)) return 'refused';
    const { refused, lostAnswer, partial, partialBus, conflict, crash } = this.rates;
    let point = this.#random.fraction();
    const hits = (rate: number) => {
      point -= rate;
      return point < 0;
    };
    if (hits(crash)) return 'crash before';
    if (hits(crash)) return 'crash after';
    // Receivers decide themselves how they fail.
    if (target === 'receiver') return undefined;
    if (hits(refused)) return 'refused';
    if (hits(lostAnswer)) return 'lost answer';
    if (hits(target === 'bus' ? partialBus : partial)) return 'partial';
    return target === 'store' && hits(conflict) ? 'conflict' : undefined;
  }

  strikes(rate: 'duplicate' | 'lostAcknowledgement'): boolean {
    const strikes = this.#random.chance(this.rates[rate]);
    if (strikes) this.#count(rate);
    return strikes;
  }

  latency(): number {
    return this.#random.chance(this.rates.slow) ? this.#random.between(200, 4_000) : this.#random.between(1, 12);
  }

  #count(fault: string): void {
    this.struck[fault] = (this.struck[fault] ?? 0) + 1;
  }
}

/** Only one crash of the process, before or right after its n-th effect, counted from 1. Calls take no time. */
export class OneCrash implements FaultSource {
  readonly #at: number | undefined;
  readonly #when: 'before' | 'after';
  #effects = 0;

  constructor({ at, when }: { readonly at?: number; readonly when: 'before' | 'after' } = { when: 'before' }) {
    this.#at = at;
    this.#when = when;
  }

  get hasStruck(): boolean {
    return this.#at !== undefined && this.#effects >= this.#at;
  }

  roll(): Fault {
    this.#effects += 1;
    return this.#effects === this.#at ? `crash ${this.#when}` : undefined;
  }

  strikes(): boolean {
    return false;
  }

  latency(): number {
    return 0;
  }
}

export function someStorms(random: Random, startAt: number, spanMs: number): Storm[] {
  const targets = ['store', 'store', 'bus', 'deliveries', 'retries'] as const;
  return targets.map((target) => {
    const from = startAt + random.below(spanMs);
    // One is long enough for messages to reach a dead-letter queue.
    const minutes = target === 'retries' ? random.between(60, 120) : random.between(5, 30);
    return {
      target,
      from,
      to: from + minutes * 60_000,
      refused: target === 'retries' ? 1 : random.pick([0.5, 0.9, 1]),
    };
  });
}
