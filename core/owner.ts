/** Who is calling on the account side: the signed-in owner of a business (docs/rules.md#owners). */
export interface Owner {
  /** The tenant: the business of the token, or in test mode its sandbox. */
  readonly tenantId: number;
  /** The token's `sub`: for the log. */
  readonly subject: string;
  /** The token's `email`, where it has one. */
  readonly email?: string;
}
