/**
 * For callers with an API key (docs/rules.md#api-keys) or a session (docs/rules.md#sessions), from an origin that it allows,
 * with the scope or the right of the row.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { edgeSecretHeader } from '../../../contract/headers.ts';
import { limits } from '../../../contract/limits.ts';
import type { Scope } from '../../../contract/scopes.ts';
import type { SessionRight } from '../../../contract/sessions.ts';
import { now } from '../../clock.ts';
import { keyCheckEnv } from '../../env.ts';
import { fail } from '../../errors.ts';
import { checkKey } from '../../keys/check-key.ts';
import { parseKeyValue } from '../../keys/key-value.ts';
import { log } from '../../log.ts';
import { keyIdOf } from '../../principal.ts';
import { requestLog } from '../../requests/record.ts';
import { checkSession } from '../../sessions/check-session.ts';
import type { AccessPolicy, Middleware, RequestState } from '../context.ts';
import { limitExceeded } from '../errors.ts';
import { acceptsOrigin, acceptsPage, refusalsReadableByAll } from './origin.ts';
import { requireScope } from './scope.ts';

/** Without a scope any key will do. */
export function keyAccess(scope: Scope | null = null, right?: SessionRight): AccessPolicy {
  return {
    limits: limits.requests.key,
    usageBefore: 'nothing_left',
    checks: [requireKey(right), refusalsReadableByAll(), requireScope(scope, right)],
    requestLog,
  };
}

const refusals = { unknown: 'api_key_invalid', revoked: 'api_key_revoked', expired: 'api_key_expired' } as const;

const sessionRefusals = {
  unknown: 'The session token is not valid.',
  revoked: 'The API key of this session was revoked or has expired.',
  expired: 'The session has expired.',
} as const;

/** The key or session, checked and counted against both its limits in one call (docs/rules.md#limits). */
function requireKey(right: SessionRight | undefined): Middleware {
  return {
    before: async ({ event: { state } }) => {
      // Past the edge nobody is known, and nothing is looked up.
      if (!cameByEdge(state.headers)) throw fail('api_key_invalid');
      const parts = parseKeyValue(presentedKey(state.headers));
      if (parts === undefined) throw fail('api_key_invalid');
      const check = await (parts.isSession ? checkSession(parts.hash, right !== undefined) : checkKey(parts.hash));
      if (!('usage' in check)) {
        const code = refusals[check.outcome];
        if ('of' in check) state.requester = check.of;
        throw parts.isSession ? fail(code, { message: sessionRefusals[check.outcome] }) : fail(code);
      }
      state.usage = check.usage;
      state.requester = { tenantId: check.principal.tenantId, keyId: keyIdOf(check.principal) };
      state.isCounted = check.outcome === 'accepted';
      if ('worksUntil' in check) state.keyWorksUntil = check.worksUntil;
      const isAccepted = 'origins' in check ? acceptsOrigin(state, check.origins) : acceptsPage(state, check.origin);
      if (check.outcome !== 'accepted') throw limitExceeded(check);
      state.principal = check.principal;
      log.appendKeys({ keyId: keyIdOf(check.principal), tenantId: check.principal.tenantId });
      if (!isAccepted) throw fail('origin_not_allowed');
    },
    // Before the error step logs the refusal.
    onError: ({ event: { state, requestContext } }) => {
      const key = keyCheckEnv.addressKey();
      if (state.principal || key === undefined) return;
      // The edge adds the caller's address to this header, and the gateway that of the edge.
      const viewer =
        keyCheckEnv.edgeSecret() === undefined ? undefined : state.headers['x-forwarded-for']?.split(',').at(-2);
      log.appendKeys({ caller: callerHash(viewer?.trim() ?? requestContext.http.sourceIp, key, now()) });
    },
  };
}

/** Whether the request brings the edge's secret, where it must. */
function cameByEdge(headers: RequestState['headers']): boolean {
  const secret = keyCheckEnv.edgeSecret();
  if (secret === undefined) return true;
  const hashed = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(hashed(headers[edgeSecretHeader] ?? ''), hashed(secret));
}

/** Either header will do; both are fine when they agree (docs/rules.md#api-keys). */
function presentedKey(headers: RequestState['headers']): string {
  const direct = headers['x-api-key']?.trim() || undefined;
  const bearer = /^Bearer\s+(\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  if (direct !== undefined && bearer !== undefined && direct !== bearer) {
    throw fail('api_key_invalid', { message: 'X-API-Key and Authorization carry different API keys.' });
  }
  const value = direct ?? bearer;
  if (value === undefined) throw fail('api_key_missing');
  return value;
}

/** 24 bits: some 256 IPv4 addresses share a hash, so that it names none of them. */
const hexDigits = 6;

/**
 * Distinguishes floods of one network from those of many, in a log that holds no address (docs/rules.md#privacy): the same
 * for one address on one day of UTC, and another on the next. `key` is the stage's own, so that a list of all addresses
 * does not undo it elsewhere.
 */
export function callerHash(address: string, key: string, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return createHmac('sha256', key).update(`${day} ${address}`).digest('hex').slice(0, hexDigits);
}
