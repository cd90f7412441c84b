/** Virtual time as a list of appointments; between them nothing happens. */

export interface Appointment {
  cancel(): void;
}

interface Entry extends Appointment {
  readonly at: number;
  /** Appointments at the same time run in the order of their creation. */
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export class Timeline {
  #now: number;
  #lastId = 0;
  readonly #heap: Entry[] = [];
  readonly #awaited: Promise<void>[] = [];

  constructor(startAt: number) {
    this.#now = startAt;
  }

  get now(): number {
    return this.#now;
  }

  in(ms: number, run: () => void): Appointment {
    this.#lastId += 1;
    const entry: Entry = {
      at: this.#now + Math.max(0, Math.ceil(ms)),
      order: this.#lastId,
      run,
      cancelled: false,
      cancel() {
        entry.cancelled = true;
      },
    };
    this.#push(entry);
    return entry;
  }

  /** The time of the next appointment; infinite if there is none. */
  get nextAt(): number {
    while (this.#heap[0]?.cancelled) this.#pop();
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Moves the clock. Appointments that are overdue then come next. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** The current step does not end before this promise has settled; for responses from outside of virtual time. */
  awaits(answer: Promise<void>): void {
    this.#awaited.push(answer);
  }

  /** Replaces `SimulatedRuntime.sleep` of `core/clock.ts`. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const entry = this.in(ms, resolve);
      signal?.addEventListener(
        'abort',
        () => {
          entry.cancel();
          resolve();
        },
        { once: true },
      );
    });
  }

  /**
   * Runs the next scheduled call, and everything that follows from it at once: the event loop iterates only when no
   * promise can continue. Returns false when no appointment is left.
   */
  async step(): Promise<boolean> {
    let entry = this.#pop();
    while (entry?.cancelled) entry = this.#pop();
    if (!entry) return false;
    this.#now = Math.max(this.#now, entry.at);
    entry.run();
    if (this.#awaited.length > 0) {
      // Appointments at the same time run concurrently.
      while (this.nextAt <= this.#now) this.#pop()?.run();
      await Promise.all(this.#awaited.splice(0));
    }
    await this.settled();
    return true;
  }

  /** Resolves when everything that runs waits for this clock. */
  settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (!parent || before(parent, entry)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = entry;
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!last || last === first) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      let child = heap[down];
      const other = heap[down + 1];
      if (child && other && before(other, child)) {
        child = other;
        down += 1;
      }
      if (!child || before(last, child)) break;
      heap[at] = child;
      at = down;
    }
    heap[at] = last;
    return first;
  }
}

function before(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
