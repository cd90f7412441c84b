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
  readonly operations: Readonly<Record<string, Example>>;
  /**
   * The request and the body of the response, by error code: for errors with details, and for some with a message of
   * their own. A response with none of these has an example from the catalogue.
   */
  readonly errors: Readonly<Record<string, { readonly request: string; readonly answer: unknown }>>;
}

export const examples: Examples = recorded;

export const exampleRequestId = '7d8f0c52-4b7e-4c4a-9f2a-6f1f5c3e9a10';

/**
 * The examples of the account API by operation: `account/examples.json`, recorded in the same way. An operation without
 * an entry is the same as in the integration API, and has the same example.
 */
export const accountExamples: Examples['operations'] = { ...examples.operations, ...account };
