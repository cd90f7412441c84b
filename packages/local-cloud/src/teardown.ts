/** What has been started and must be stopped: in reverse order, once, whatever else fails. */
export class Teardown {
  readonly #steps: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  get begun(): boolean {
    return this.#running !== undefined;
  }

  /** Registers a step. One that comes after the teardown began runs at once. */
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
    // What it belonged to is gone already.
  }
}

/** Runs the teardown when the process is asked to end, and then lets it end unless the caller decides on that itself. */
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
