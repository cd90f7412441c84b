/**
 * For signed-in owners (docs/rules.md#owners). The gateway's JWT authorizer has checked the token. Its claim
 * `custom:businessId` names the business, and the header `Booking-Mode` chooses its live side or its sandbox. Without the
 * claim, or without the authorizer, a request is refused. Accepted ones are counted (docs/rules.md#limits), in each mode
 * by itself.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { limits } from '../../../contract/limits.ts';
import { type Mode, modeHeader, modes } from '../../../contract/modes.ts';
import { fail } from '../../errors.ts';
import { log } from '../../log.ts';
import { isSandbox, tenantIn } from '../../mode.ts';
import { countOwner } from '../../owners/count-owner.ts';
import type { OwnerActor, Principal } from '../../principal.ts';
import type { AccessPolicy, Middleware, RequestState } from '../context.ts';
import { limitExceeded } from '../errors.ts';

export function ownerAccess(): AccessPolicy {
  return { limits: limits.requests.owner, usageBefore: 'nothing_left', checks: [requireOwner()] };
}

function requireOwner(): Middleware {
  return {
    before: async ({ event }) => {
      const { state } = event;
      const claimed = principalOf(claimsOf(event));
      if (!claimed) throw fail('business_claim_missing');
      const principal = { ...claimed, tenantId: tenantIn(requestedMode(state), claimed.tenantId) };
      const count = await countOwner(principal);
      state.usage = count.usage;
      if (count.outcome !== 'accepted') throw limitExceeded(count);
      state.principal = principal;
      log.appendKeys({ tenantId: principal.tenantId, subject: principal.actor.subject });
    },
  };
}

/** Of OpenID Connect. */
const subjectLengthMax = 255;

/** Absent is live; anything that is neither mode is refused, so that a typo never acts on live data. */
function requestedMode({ headers }: RequestState): Mode {
  const asked = headers[modeHeader.toLowerCase()] ?? 'live';
  const mode = modes.find((one) => one === asked);
  if (mode) return mode;
  throw fail('validation_failed', { details: [{ path: modeHeader, message: `must be one of: ${modes.join(', ')}` }] });
}

type Claims = Readonly<Record<string, unknown>>;

function claimsOf({ requestContext }: APIGatewayProxyEventV2): Claims | undefined {
  const { authorizer } = requestContext as { authorizer?: { jwt?: { claims?: Claims } } };
  return authorizer?.jwt?.claims;
}

/** The gateway hands every claim over as text. */
function principalOf(claims: Claims = {}): Principal<OwnerActor> | undefined {
  const { 'custom:businessId': id, sub = '', email } = claims;
  if (typeof id !== 'string' || !/^[1-9][0-9]{0,15}$/.test(id)) return undefined;
  const tenantId = Number(id);
  // A sandbox is reached through its business only.
  if (!Number.isSafeInteger(tenantId) || isSandbox(tenantId)) return undefined;
  const subject = String(sub);
  if (subject.length > subjectLengthMax) return undefined;
  return { tenantId, actor: { kind: 'owner', subject, ...(typeof email === 'string' && { email }) } };
}
