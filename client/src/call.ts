/** The types of a call: its operation, its options and its lists. */

/** The properties of an operation that a call needs, generated from the OpenAPI document. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with `{name}` for fields of the input. */
  readonly path: string;
  /** Whether it takes no input. */
  readonly bare?: true;
  /** Whether fields that are not in the path go into a JSON body. Otherwise they go into the query. */
  readonly body?: true;
  /** Whether it takes an `Idempotency-Key`, so that it may be sent twice. */
  readonly keyed?: true;
  /** How its list is paginated. */
  readonly pages?: 'page' | 'cursor';
}

export interface CallOptions {
  /** Aborts the call, including its waits; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including the response body. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the call with all its attempts and waits. Default: the client's. */
  readonly deadlineMs?: number | undefined;
  /** Attempts after the first one. Default: the client's. */
  readonly maxRetries?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 printable ASCII characters. Default: a new key for each call, the same in all its attempts. Use your own
   * value, such as the id of your order: a call that your program repeats after a crash then creates nothing twice.
   */
  readonly idempotencyKey?: string | undefined;
}

/** `await` gives one page. `for await` gives the entries of all pages, from this one on. */
export type List<Page> = Promise<Page> & AsyncIterable<Page extends { data: readonly (infer Entry)[] } ? Entry : never>;

/** An input whose optional fields may be `undefined`, which is not sent, and whose lists may be read-only. */
export type Given<T> = T extends readonly (infer Entry)[]
  ? readonly Given<Entry>[]
  : T extends object
    ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? Given<T[K]> | undefined : Given<T[K]> }
    : T;
