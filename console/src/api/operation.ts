/** An operation of the account API. The table of operations is generated from the document. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for fields of the input. */
  readonly path: string;
  /** It takes no input. */
  readonly bare?: true;
  /** Fields that are not in the path go into a JSON body. Otherwise: into the query. */
  readonly body?: true;
  /** It takes an `Idempotency-Key`. */
  readonly keyed?: true;
  /** How its list is paginated. */
  readonly pages?: 'page' | 'cursor';
}
