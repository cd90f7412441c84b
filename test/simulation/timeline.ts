/** Virtual time: what is to happen when, and nothing happens in between. */

export interface Appointment {
  cancel(): void;
}

interface Entry extends Appointment {
  readonly at: number;
  /** Entries of one moment happen in the order in which they were made. */
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export class Timeline {
  #now: number;
  #made = 0;
  readonly #heap: Entry[] = [];
  readonly #awaited: Promise<void>[] = [];

  constructor(startAt: number) {
    this.#now = startAt;
  }

  get now(): number {
    return this.#now;
  }

  /** Entries that happened or wait, for a sense of progress. */
  get made(): number {
    return this.#made;
  }

  in(ms: number, run: () => void): Appointment {
    this.#made += 1;
    const entry: Entry = {
      at: this.#now + Math.max(0, Math.ceil(ms)),
      order: this.#made,
      run,
      cancelled: false,
      cancel() {
        entry.cancelled = true;
      },
    };
    this.#push(entry);
    return entry;
  }

  /** When the next thing happens: never, when nothing is left. */
  get nextAt(): number {
    while (this.#heap[0]?.cancelled) this.#pop();
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Sets the clock to another time. What should have happened until then happens next. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** The step that goes on ends when this has ended, too: what has to answer from outside of virtual time. */
  awaits(answer: Promise<void>): void {
    this.#awaited.push(answer);
  }

  /** `World.sleep` of `core/clock.ts`. */
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
   * Lets the next thing happen, and then everything that follows from it at once: an iteration of the event loop comes only
   * when no promise is left to go on. False when nothing is left to happen.
   */
  async step(): Promise<boolean> {
    let entry = this.#pop();
    while (entry?.cancelled) entry = this.#pop();
    if (!entry) return false;
    this.#now = Math.max(this.#now, entry.at);
    entry.run();
    if (this.#awaited.length > 0) {
      // What is asked of others in the same moment is under way at the same time.
      while (this.nextAt <= this.#now) this.#pop()?.run();
      await Promise.all(this.#awaited.splice(0));
    }
    await this.settled();
    return true;
  }

  /** What has begun goes on until it waits for this clock. */
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
