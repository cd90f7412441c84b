/**
 * Whether a process that answers request after request keeps what it should let go. What is measured is the resident
 * set of the whole process, gateway and all containers of all functions in it, after each `requestsPerWorld` requests.
 * A heap breathes, and containers come and go with the load, so single samples prove nothing: the second half is compared
 * with the quarter before it, median with median.
 */

const megabyte = 1_048_576;
/** Fewer samples are the warm-up of seventy functions and nothing else. */
const samplesToJudge = 8;
/** What the median may rise between the second quarter of a run and its last. */
const allowedRise = 1.25;

export class Memory {
  readonly #samples: number[] = [];
  readonly #read: () => number;

  constructor(read: () => number = () => process.memoryUsage.rss()) {
    this.#read = read;
  }

  /** Returns the megabytes. */
  sample(): number {
    const megabytes = Math.round(this.#read() / megabyte);
    this.#samples.push(megabytes);
    return megabytes;
  }

  grows(): boolean {
    const [before, after] = this.#quarters();
    return before !== undefined && after !== undefined && after > before * allowedRise;
  }

  verdict(): string {
    const [before, after] = this.#quarters();
    if (before === undefined) return `too few samples to judge (${this.#samples.join(', ')} MB)`;
    return `${before} MB in the second quarter of the run, ${after} MB in the last, ${this.grows() ? 'GROWING' : 'steady'}`;
  }

  #quarters(): [number, number] | [] {
    const count = this.#samples.length;
    if (count < samplesToJudge) return [];
    const quarter = Math.floor(count / 4);
    return [median(this.#samples.slice(quarter, 2 * quarter)), median(this.#samples.slice(-quarter))];
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
