/**
 * After a 429 the container remembers the key until the window ends, and answers without a call (decisions §3). Only
 * exhausted limits are remembered: within a window they cannot become less exhausted. Whether a key is known, active
 * or expired is asked anew each time.
 */
import { BoundedMap } from './bounded-map.ts';

const capacity = 10_000;

/** A denial that holds until a moment, in epoch milliseconds. */
interface Lasting {
  readonly untilMs: number;
}

export interface DenyCache<T extends Lasting> {
  get(hash: string, nowMs: number): T | undefined;
  remember(hash: string, denial: T): void;
  readonly size: number;
}

export function denyCache<T extends Lasting>(): DenyCache<T> {
  const denials = new BoundedMap<string, T>(capacity);
  return {
    get(hash, nowMs) {
      const denial = denials.get(hash);
      if (denial === undefined || nowMs < denial.untilMs) return denial;
      denials.delete(hash);
      return undefined;
    },
    remember: (hash, denial) => denials.set(hash, denial),
    get size() {
      return denials.size;
    },
  };
}
