/**
 * After a 429, the container remembers the key until the minute ends, and refuses its requests without a database call
 * (docs/rules.md#limits). Even if the limit of the day is used up, the key is checked again once a minute, because it
 * may have been revoked. Only used-up limits are remembered, because they cannot become free within their window.
 * Whether a key exists, is active or expired is read for each request.
 */
import { BoundedMap } from '../bounded-map.ts';

const capacity = 10_000;

export function denyCache<T>() {
  const denials = new BoundedMap<string, { readonly denial: T; readonly untilMs: number }>(capacity);
  return {
    get(hash: string, nowMs: number): T | undefined {
      const found = denials.get(hash);
      return found && nowMs < found.untilMs ? found.denial : undefined;
    },
    /** Until a moment in epoch milliseconds. */
    remember: (hash: string, denial: T, untilMs: number) => denials.set(hash, { denial, untilMs }),
  };
}
