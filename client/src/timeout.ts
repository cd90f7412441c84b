/** Work and waits that end at a time limit, or when the caller aborts. */

/** Milliseconds. Longer timers fire at once. */
const timerMaxMs = 2 ** 31 - 1;

/**
 * Runs for at most `ms`, then rejects with the error that `expired` creates. Rejects with the signal's reason as soon
 * as it aborts. In both cases the signal of `run` aborts, and `run` is not awaited, because it may ignore the signal.
 */
export function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  expired: () => unknown,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const own = new AbortController();
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancelled);
    };
    const fail = (reason: unknown) => {
      over();
      reject(reason);
      own.abort(reason);
    };
    const cancelled = () => fail(signal?.reason);
    const timer = setTimeout(() => fail(expired()), Math.min(ms, timerMaxMs));
    if (signal?.aborted) return cancelled();
    signal?.addEventListener('abort', cancelled);
    run(own.signal).then((value) => {
      over();
      resolve(value);
    }, fail);
  });
}

/** Resolves after `ms`. Rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', cancelled);
        resolve();
      },
      Math.min(ms, timerMaxMs),
    );
    if (signal?.aborted) return cancelled();
    signal?.addEventListener('abort', cancelled, { once: true });
  });
}
