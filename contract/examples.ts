/**
 * What `integration/examples.json` holds: requests as they were sent to the running system and the answers it gave, with
 * ids, times and secrets replaced by ones that do not change. `test/journeys/one-run/examples.ts` sends them again and
 * compares; `npm run docs` writes the file.
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
  /** By operation. */
  readonly operations: Readonly<Record<string, Example>>;
  /** By code: the body of one answer, and what was asked. */
  readonly errors: Readonly<Record<string, { readonly request: string; readonly answer: unknown }>>;
}

export const examples: Examples = recorded;

/** Of the account API, by operation: `account/examples.json`, recorded in the same way. */
export const accountExamples: Examples['operations'] = account;
