/**
 * Authenticates a session and counts the request against both limits with one conditional update of the session's item
 * (docs/rules.md#sessions, #limits).
 */
import { limits } from '../../contract/limits.ts';
import type { SessionRight } from '../../contract/sessions.ts';
import { now } from '../clock.ts';
import { isLive } from '../keys/api-key.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import { type CallerKind, type Container, type Count, counter } from '../limits/counter.ts';
import type { Principal, SessionActor } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';
import type { SessionFacts } from './session.ts';

interface PrincipalAndOrigin {
  readonly principal: Principal<SessionActor>;
  readonly origin: string | undefined;
}

type CountedSession = SessionFacts & Readonly<Record<string, unknown>>;

const sessions: CallerKind<CountedSession, PrincipalAndOrigin, { readonly outcome: 'unknown' | 'expired' }> = {
  limits: limits.requests.session,
  admission: {
    expression: 'expiresAt > :now',
    names: {},
    values: (nowMs) => ({ ':now': nowMs }),
    refusalOf(item, nowMs) {
      if (item === undefined) return { outcome: 'unknown' };
      return item.expiresAt > nowMs ? undefined : { outcome: 'expired' };
    },
  },
  factsOf: ({ tenantId, id, keyId, rights, serviceIds, staffIds, bookingId, origin }) => ({
    principal: {
      tenantId,
      actor: {
        ...{ kind: 'session', id, keyId, rights },
        ...(serviceIds && { serviceIds }),
        ...(staffIds && { staffIds }),
        ...(bookingId !== undefined && { bookingId }),
      },
    },
    origin,
  }),
};

type SessionCheck = Count<PrincipalAndOrigin, { readonly outcome: 'unknown' | 'expired' | 'revoked' }>;

/** The counter for sessions of one container. It takes the SHA-256 of a token. */
export const sessionCounter = (container?: Container) => counter(sessions, container);

const count = /* @__PURE__ */ sessionCounter();

/**
 * The session with this SHA-256 of its token. Its key is read for each request, so that the session ends at once with
 * its key. An endpoint without a `right` refuses every session, and its function has no permission to read the key.
 */
export async function checkSession(hash: string, right: SessionRight | undefined): Promise<SessionCheck> {
  const check = await count(hash);
  if (check.outcome !== 'accepted' || right === undefined) return check;
  const { tenantId, actor } = check.principal;
  if (actor.keyId === 0) return check;
  const key = await getItem<StoredKey>('records', records.key(tenantId, actor.keyId));
  return isLive(key, now()) && key.scopes.includes('bookings:write') ? check : { outcome: 'revoked' };
}
