/** Splits an expression into words and signs. */
import { invalid } from './refusals.ts';

const token = /\s*(?:([A-Za-z_][A-Za-z0-9_]*|#[A-Za-z0-9_]+|:[A-Za-z0-9_]+|<=|>=|<>|[=<>(),.+])|(\S))/gy;

export class Tokens {
  readonly #text: string;
  readonly #all: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#all = [...text.matchAll(token)].map(([, good, bad]) => {
      if (bad === '[' || bad === '-') throw new Error('Paths into lists and subtraction are not simulated');
      if (bad !== undefined || good === undefined) throw invalid(`Invalid expression: syntax error near ${bad}`);
      return good;
    });
  }

  /** The next token, or `undefined` at the end. */
  get ahead(): string | undefined {
    return this.#all[this.#at];
  }

  /** The token after the next one. */
  get after(): string | undefined {
    return this.#all[this.#at + 1];
  }

  /** Throws if a token is left. */
  end(): void {
    if (this.ahead !== undefined) throw this.unexpected();
  }

  unexpected(): Error {
    return invalid(`Invalid expression: unexpected ${this.ahead ?? 'end'} in ${this.#text}`);
  }

  next(): string {
    const taken = this.ahead;
    if (taken === undefined) throw this.unexpected();
    this.#at += 1;
    return taken;
  }

  /** Returns whether the next token is this word, and reads it if so. */
  takes(word: string): boolean {
    const found = this.ahead?.toUpperCase() === word;
    if (found) this.#at += 1;
    return found;
  }

  take(word: string): void {
    if (!this.takes(word)) throw this.unexpected();
  }

  list<T>(one: () => T): T[] {
    const all = [one()];
    while (this.takes(',')) all.push(one());
    return all;
  }
}
