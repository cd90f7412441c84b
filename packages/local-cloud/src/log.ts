/** What the functions and the system around them logged, newest last. Bounded, so that a long run stays small. */

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `function`: a function's own output. `denied`: a call its policy refused. `fault`: a trouble that was asked for. `local`: the machinery of the local run. */
  readonly kind: 'function' | 'denied' | 'fault' | 'local';
  /** Empty when the line belongs to no function. */
  readonly functionName: string;
  readonly text: string;
}

const keptLines = 5_000;

export class LocalLog {
  readonly #lines: LogLine[] = [];
  readonly #listeners = new Set<(line: LogLine) => void>();

  /** The last lines, oldest first. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Calls the listener for every line from now on, until the returned function is called. */
  subscribe(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  write(kind: LogLine['kind'], functionName: string, text: string): void {
    const line = { time: Date.now(), kind, functionName, text };
    this.#lines.push(line);
    if (this.#lines.length > keptLines * 1.2) this.#lines.splice(0, this.#lines.length - keptLines);
    for (const listener of this.#listeners) listener(line);
  }
}
