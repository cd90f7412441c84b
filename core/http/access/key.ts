/**
 * The access policy for API keys (docs/rules.md#api-keys) and sessions (docs/rules.md#sessions): checks the key, the
 * origin, and the scope or right that the endpoint needs.
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

/** If the endpoint needs no scope, every valid key is accepted. */
export function keyAccess(scope: Scope | null = null, right?: SessionRight): AccessPolicy {
  return {
    limits: limits.requests.key,
    checks: [requireKey(right), refusalsReadableByAll(), requireScope(scope, right)],
    requestLog,
  };
}

const errorCodes = { unknown: 'api_key_invalid', revoked: 'api_key_revoked', expired: 'api_key_expired' } as const;

const sessionRefusals = {
  unknown: 'The session token is not valid.',
  revoked: 'The API key of this session was revoked, has expired, or lacks the scope bookings:write.',
  expired: 'The session has expired.',
} as const;

const wrongPage = 'Only pages of the origin for which this session was opened may use it.';

/** Checks the key or session and counts the request against both limits in one call (docs/rules.md#limits). */
function requireKey(right: SessionRight | undefined): Middleware {
  return {
    before: async ({ event: { state } }) => {
      // A request that did not come through CloudFront is refused without a lookup.
      if (!cameThroughEdge(state.headers)) throw fail('api_key_invalid');
      const parts = parseKeyValue(presentedKey(state.headers));
      if (parts === undefined) throw fail('api_key_invalid');
      const check = await (parts.isSession ? checkSession(parts.hash, right) : checkKey(parts.hash));
      if (!('usage' in check)) {
        const code = errorCodes[check.outcome];
        if ('of' in check) state.requester = check.of;
        throw parts.isSession ? fail(code, { message: sessionRefusals[check.outcome] }) : fail(code);
      }
      state.usage = check.usage;
      state.requester = { tenantId: check.principal.tenantId, keyId: keyIdOf(check.principal) };
      if ('worksUntil' in check) state.keyWorksUntil = check.worksUntil;
      const isAccepted = 'origins' in check ? acceptsOrigin(state, check.origins) : acceptsPage(state, check.origin);
      if (check.outcome !== 'accepted') throw limitExceeded(check);
      state.isCounted = true;
      state.principal = check.principal;
      log.appendKeys({ keyId: keyIdOf(check.principal), tenantId: check.principal.tenantId });
      if (!isAccepted) throw fail('origin_not_allowed', parts.isSession ? { message: wrongPage } : {});
    },
    // This must run before the error is logged.
    onError: ({ event: { state, requestContext } }) => {
      const key = keyCheckEnv.addressKey();
      if (state.principal || key === undefined) return;
      // CloudFront adds the caller's address to this header, and the gateway that of CloudFront.
      const viewer =
        keyCheckEnv.edgeSecret() === undefined ? undefined : state.headers['x-forwarded-for']?.split(',').at(-2);
      log.appendKeys({ caller: callerHash(viewer?.trim() ?? requestContext.http.sourceIp, key, now()) });
    },
  };
}

/** Whether the request contains the secret header of CloudFront, if the stage requires it. */
function cameThroughEdge(headers: RequestState['headers']): boolean {
  const secret = keyCheckEnv.edgeSecret();
  if (secret === undefined) return true;
  const hashed = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(hashed(headers[edgeSecretHeader] ?? ''), hashed(secret));
}

/** The key may be in either header, or in both if they are equal (docs/rules.md#api-keys). */
function presentedKey(headers: RequestState['headers']): string {
  const direct = headers['x-api-key']?.trim() || undefined;
  const bearer = /^Bearer\s+(\S.*)/i.exec(headers.authorization?.trim() ?? '')?.[1];
  if (direct !== undefined && bearer !== undefined && direct !== bearer) {
    throw fail('api_key_invalid', 'X-API-Key and Authorization contain different API keys.');
  }
  const value = direct ?? bearer;
  if (value === undefined) throw fail('api_key_missing');
  return value;
}

/** 24 bits: about 256 IPv4 addresses share a hash, so a hash does not identify an address. */
const hexDigits = 6;

/**
 * A hash that shows in the log whether refused requests come from one network or many, without an address
 * (docs/rules.md#privacy). It is the same for one address during one UTC day, and different on the next. `key` is a
 * secret of the stage, so that nobody else can compute the hashes of all addresses.
 */
function callerHash(address: string, key: string, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return createHmac('sha256', key).update(`${day} ${address}`).digest('hex').slice(0, hexDigits);
}
