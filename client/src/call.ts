/** The shapes of a call: what the table of operations says of each, what a caller may say, and what a list is. */

/** What a call must know of an operation. Generated from the document. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` where a field of the input belongs. */
  readonly path: string;
  /** It takes no input. */
  readonly bare?: true;
  /** What is not in the path goes into a JSON body. Otherwise: into the query. */
  readonly body?: true;
  /** It takes an `Idempotency-Key`, so that it may be sent twice. */
  readonly keyed?: true;
  /** How its list goes on. */
  readonly pages?: 'page' | 'cursor';
}

export interface CallOptions {
  /** Ends the call, its waits included; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, its answer's body included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the call with all its attempts and waits. Default: the client's. */
  readonly deadlineMs?: number | undefined;
  /** Attempts after the first one. Default: the client's. */
  readonly maxRetries?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 characters. Default: a new one for each call, the same in all its attempts. Give one of your own, such as
   * the id of your order, so that a call that your program makes again after a crash creates nothing twice.
   */
  readonly idempotencyKey?: string | undefined;
}

/** `await` gives one page. `for await` gives the entries of all pages, from this one on. */
export type List<Page> = Promise<Page> & AsyncIterable<Page extends { data: readonly (infer Entry)[] } ? Entry : never>;
