/** Who is calling on the account side: the signed-in owner of a business (docs/rules.md#owners). */
export interface Owner {
  readonly businessId: number;
  /** The token's `sub`: for the log. */
  readonly subject: string;
}
