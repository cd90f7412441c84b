/**
 * Detects memory leaks of a process that handles many requests. It measures the resident set of the whole process, with
 * the gateway and all containers of all functions, after each `requestsPerPair` requests. Heap sizes vary, and
 * containers start and stop with the load, so single samples prove nothing: the median of the last quarter is compared
 * with that of the second.
 */

const megabyte = 1_048_576;
/** Fewer samples only show the warm-up of seventy functions. */
const samplesToJudge = 8;
/** The allowed factor between the median of the second quarter of a run and that of its last. */
const allowedRise = 1.25;

export class Memory {
  readonly #samples: number[] = [];
  readonly #read: () => number;

  constructor(read: () => number = () => process.memoryUsage.rss()) {
    this.#read = read;
  }

  /** Returns the size in megabytes. */
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
