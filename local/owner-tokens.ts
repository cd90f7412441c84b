/** Tokens of business owners for the account API, signed by the run's own issuer. */
import type { TokenIssuer } from '../packages/local-cloud/src/user-pools.ts';

const lifetimeSeconds = 12 * 3_600;

/** An owner of a business as the sign-in page shows it. */
interface LocalOwner {
  readonly tenantId: number;
  readonly email: string;
  readonly name: string;
}

export interface OwnerTokens extends TokenIssuer {
  /** Allows an owner to sign in on the run's own page. */
  invite(owner: LocalOwner): void;
  /** The owner's token for `Authorization: Bearer` at the account API, valid for twelve hours. */
  token(tenantId: number): Promise<string>;
}

export function ownerTokens(issuer: TokenIssuer): OwnerTokens {
  return {
    ...issuer,
    invite: ({ tenantId, email, name }) =>
      issuer.addPerson({
        sub: `owner-of-${tenantId}-${email}`,
        email,
        name,
        claims: { 'custom:businessId': String(tenantId) },
      }),
    token(tenantId) {
      const seconds = Math.floor(Date.now() / 1_000);
      return issuer.sign({
        iss: issuer.issuer,
        aud: issuer.audience,
        sub: `owner-of-${tenantId}`,
        token_use: 'id',
        'custom:businessId': String(tenantId),
        iat: seconds,
        exp: seconds + lifetimeSeconds,
      });
    },
  };
}
