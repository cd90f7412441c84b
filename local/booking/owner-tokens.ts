/** Tokens of business owners for the account API, signed by the run's own issuer. */
import type { TokenIssuer } from '../cloud/user-pools.ts';

const lifetimeSeconds = 12 * 3_600;

export interface OwnerTokens extends TokenIssuer {
  /** What an owner of this business carries as `Authorization: Bearer` to the account API, for twelve hours. */
  token(businessId: number): Promise<string>;
}

export function ownerTokens(issuer: TokenIssuer): OwnerTokens {
  return {
    ...issuer,
    token(businessId) {
      const seconds = Math.floor(Date.now() / 1_000);
      return issuer.sign({
        iss: issuer.issuer,
        aud: issuer.audience,
        sub: `owner-of-${businessId}`,
        token_use: 'id',
        'custom:businessId': String(businessId),
        iat: seconds,
        exp: seconds + lifetimeSeconds,
      });
    },
  };
}
