/** The log of the functions and the local run, newest last. It is bounded to limit the memory of a long run. */

export interface LogLine {
  /**
   * `function`: output of a function. `denied`: a refused call, such as one without permission. `fault`: injected
   * fault. `fatal`: why the run cannot go on. `local`: any other line.
   */
  readonly kind: 'function' | 'denied' | 'fault' | 'fatal' | 'local';
  /** Empty if the line belongs to no function. */
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

  /** Calls the listener for every new line until the returned function is called. */
  subscribe(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  write(kind: LogLine['kind'], functionName: string, text: string): void {
    const line = { kind, functionName, text };
    this.#lines.push(line);
    if (this.#lines.length > keptLines * 1.2) this.#lines.splice(0, this.#lines.length - keptLines);
    for (const listener of this.#listeners) listener(line);
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
