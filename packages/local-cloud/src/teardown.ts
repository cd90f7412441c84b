/** Stops what has been started: once, in reverse order, even if a step fails. */
export class Teardown {
  readonly #steps: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  get begun(): boolean {
    return this.#running !== undefined;
  }

  /** Registers a step. A step that is added after the teardown began runs at once. */
  add(step: () => unknown): void {
    if (this.#running) this.#running = this.#running.then(() => attempt(step));
    else this.#steps.push(step);
  }

  run(): Promise<void> {
    this.#running ??= this.#all();
    return this.#running;
  }

  async #all(): Promise<void> {
    for (const step of this.#steps.reverse()) await attempt(step);
  }
}

/** A step that fails must not keep the others from running. */
async function attempt(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch {
    // A failed step has nothing left to stop.
  }
}

/** Runs the teardown on SIGINT or SIGTERM and then ends the process, unless the caller has its own listener. */
export function stopOnSignals(teardown: Teardown): void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const listeners = signals.map((signal) => {
    const listener = () => {
      void teardown.run().then(() => {
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
    };
    process.once(signal, listener);
    return [signal, listener] as const;
  });
  teardown.add(() => {
    for (const [signal, listener] of listeners) process.removeListener(signal, listener);
  });
}
