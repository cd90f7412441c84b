/**
 * Authenticates a key and counts the request against both limits with one conditional update of the key's item
 * (docs/rules.md#api-keys, #limits).
 */
import { limits } from '../../contract/limits.ts';
import { type CallerKind, type Container, type Count, counter } from '../limits/counter.ts';
import type { KeyActor, Principal } from '../principal.ts';
import { type CountedKey, statusOf } from './api-key.ts';

interface PrincipalAndOrigins {
  readonly principal: Principal<KeyActor>;
  readonly origins: readonly string[];
  /** Epoch milliseconds; without it the value works for ever. */
  readonly expiresAt: number | undefined;
  /** For the old value of a regenerated key: the hash of the new value, and until when the old one is valid. */
  readonly replacedBy?: string;
  readonly worksUntil?: number | undefined;
}

type Refused =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'revoked' | 'expired'; readonly of: { readonly tenantId: number; readonly keyId: number } };

export type KeyCheck = Count<PrincipalAndOrigins, Refused>;

const apiKeys = (): CallerKind<CountedKey, PrincipalAndOrigins, Refused> => ({
  limits: limits.requests.key,
  admission: {
    expression: '#status = :active AND (attribute_not_exists(expiresAt) OR expiresAt > :now)',
    names: { '#status': 'status' },
    values: (nowMs) => ({ ':active': 'active', ':now': nowMs }),
    refusalOf(item, nowMs) {
      if (item === undefined) return { outcome: 'unknown' };
      const status = statusOf(item, nowMs);
      if (status === 'active') return undefined;
      if (item.replacedBy !== undefined) return { outcome: 'unknown' };
      return { outcome: status, of: { tenantId: item.tenantId, keyId: item.id } };
    },
  },
  factsOf: ({ id, tenantId, scopes, origins, agents, replacedBy, expiresAt }) => ({
    principal: { tenantId, actor: { kind: 'key', id, scopes, ...(agents && { agents }) } },
    origins,
    expiresAt,
    ...(replacedBy !== undefined && { replacedBy, worksUntil: expiresAt }),
  }),
});

/**
 * The key check of one container. It takes the SHA-256 of a key's value. A request with the old value of a regenerated
 * key is also counted separately, so that the owner sees whether the value is still used. It is then checked and
 * counted like one with the new value: both share the limits, and a change or revocation applies to both.
 */
export function keyChecker(container?: Container): (hash: string) => Promise<KeyCheck> {
  const count = counter(apiKeys(), container);
  return async (hash) => {
    const check = await count(hash);
    if (check.outcome !== 'accepted' || check.replacedBy === undefined) return check;
    const replaced = await count(check.replacedBy);
    if (!('usage' in replaced)) return replaced;
    // The key may have got an earlier expiry since it was regenerated.
    const ends = [check.worksUntil, replaced.expiresAt].filter((end) => end !== undefined);
    return { ...replaced, worksUntil: Math.min(...ends) };
  };
}

/** The key check of this container. */
export const checkKey = /* @__PURE__ */ keyChecker();
