/** The one clock of the console. Whatever a screen says of today, or of how long ago something was, it asks here. */
import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;

/** Milliseconds since the epoch, for what happens at this moment, such as a form that is sent. */
export function now(): number {
  return Date.now();
}

const listeners = new Set<() => void>();
let shown = now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The same for what is drawn: all of it is drawn anew each minute, and when a tab is looked at again. */
export function useNow(): number {
  return useSyncExternalStore(listen, latest);
}

/** Nothing ticks while nobody listens: whoever comes first then must not see when the last one left. */
export function latest(): number {
  if (Math.abs(now() - shown) >= minuteMs) shown = now();
  return shown;
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick();
    timer = setInterval(tick, minuteMs);
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

function tick(): void {
  shown = now();
  for (const listener of listeners) listener();
}
