/** Who is calling on the account side: the signed-in owner of a business (decisions §8). */
export interface Owner {
  readonly businessId: number;
  /** The token's `sub`: for the log. */
  readonly subject: string;
}
