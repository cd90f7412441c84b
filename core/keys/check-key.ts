/** Authentication and both limits of a key in one conditional update of its item (docs/rules.md#api-keys, #limits). */
import { limits } from '../../contract/limits.ts';
import { type CallerKind, type Container, type Count, counter } from '../limits/counter.ts';
import type { KeyActor, Principal } from '../principal.ts';
import { type CountedKey, statusOf } from './api-key.ts';

interface PrincipalAndOrigins {
  readonly principal: Principal<KeyActor>;
  readonly origins: readonly string[];
}

export interface Refused {
  readonly outcome: 'unknown' | 'revoked' | 'expired';
}

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
      return status === 'active' ? undefined : { outcome: status };
    },
  },
  factsOf: ({ id, tenantId, scopes, origins }) => ({
    principal: { tenantId, actor: { kind: 'key', id, scopes } },
    origins,
  }),
});

/** The key check of one container. It takes the SHA-256 of a key's value. */
export function keyChecker(container?: Container): (hash: string) => Promise<KeyCheck> {
  return counter(apiKeys(), container);
}

let checker: ReturnType<typeof keyChecker> | undefined;

/** The key check of this container. Built on first use, so that a function that needs no key bundles no table client. */
export function checkKey(hash: string): Promise<KeyCheck> {
  checker ??= keyChecker();
  return checker(hash);
}
