/** The clock of the console: all screens read the current time here. */
import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;

/** The current time in milliseconds since the epoch, for actions such as submitting a form. */
export function now(): number {
  return Date.now();
}

const listeners = new Set<() => void>();
let shown = now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time for rendering: components render again each minute, and when the tab becomes visible. */
export function useNow(): number {
  return useSyncExternalStore(listen, latest);
}

/** The timer stops without listeners, so the first reader after a pause must update the time. */
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
