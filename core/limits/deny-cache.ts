/**
 * After a 429 the container remembers the key and answers without a call (docs/rules.md#limits), until the minute ends:
 * a key whose day is used up may have been revoked since, and is looked at again once a minute
 * (docs/rules.md#limits). Only exhausted limits are remembered: within a window they cannot become less exhausted.
 * Whether a key is known, active or expired is read again each time.
 */
import { BoundedMap } from '../bounded-map.ts';

const capacity = 10_000;

interface DenyCache<T> {
  get(hash: string, nowMs: number): T | undefined;
  /** Until a moment in epoch milliseconds. */
  remember(hash: string, denial: T, untilMs: number): void;
}

export function denyCache<T>(): DenyCache<T> {
  const denials = new BoundedMap<string, { readonly denial: T; readonly untilMs: number }>(capacity);
  return {
    get(hash, nowMs) {
      const found = denials.get(hash);
      if (found === undefined || nowMs < found.untilMs) return found?.denial;
      denials.delete(hash);
      return undefined;
    },
    remember: (hash, denial, untilMs) => denials.set(hash, { denial, untilMs }),
  };
}
