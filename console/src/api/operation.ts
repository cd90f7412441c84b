/** What a call must know of an operation. The table of them is generated from the document. */
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
