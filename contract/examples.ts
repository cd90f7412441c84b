/**
 * The content of `integration/examples.json`: recorded requests and responses of the running system, with fixed values
 * instead of ids, times and secrets. `test/journeys/one-run/examples.ts` sends them again and compares; `npm run docs`
 * writes the file.
 */
import account from './account/examples.json' with { type: 'json' };
import recorded from './integration/examples.json' with { type: 'json' };

export interface Example {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

export interface Examples {
  /** The examples by operation. */
  readonly operations: Readonly<Record<string, Example>>;
  /** The examples of errors by code: the request, and the body of the response. */
  readonly errors: Readonly<Record<string, { readonly request: string; readonly answer: unknown }>>;
}

export const examples: Examples = recorded;

/** The examples of the account API by operation: `account/examples.json`, recorded in the same way. */
export const accountExamples: Examples['operations'] = account;
