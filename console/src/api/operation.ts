/** An operation of the account API. The table of operations is generated from the document. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with `{name}` for fields of the input. */
  readonly path: string;
  /** Whether it takes no input. */
  readonly bare?: true;
  /** Whether fields that are not in the path go into a JSON body. Otherwise they go into the query. */
  readonly body?: true;
  /** Whether it takes an `Idempotency-Key`. */
  readonly keyed?: true;
  /** How its list is paginated. */
  readonly pages?: 'page' | 'cursor';
}
