/**
 * The access policy for signed-in owners and colleagues (docs/rules.md#owners). The gateway's JWT authorizer has
 * checked the token. The claim `custom:businessId` is the id of the business, and the header `Booking-Mode` selects its
 * live data or its sandbox. A request without the claim or the authorizer is refused. Accepted requests are counted
 * (docs/rules.md#limits), separately for each mode. A token with the claim `custom:team` belongs to a colleague, whose
 * role is in the counted item; a colleague without a role is no longer in the team.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { limits } from '../../../contract/limits.ts';
import { type Mode, modeHeader, modes } from '../../../contract/modes.ts';
import { type Role, reaches } from '../../../contract/roles.ts';
import { fail, invalid } from '../../errors.ts';
import { log } from '../../log.ts';
import { isSandbox, tenantIn } from '../../mode.ts';
import { countOwner } from '../../owners/count-owner.ts';
import type { OwnerActor } from '../../principal.ts';
import { requestLog } from '../../requests/record.ts';
import type { AccessPolicy, Middleware, RequestState } from '../context.ts';
import { limitExceeded } from '../errors.ts';

/** `least` is the role that the endpoint requires; without it every role is accepted. */
export function ownerAccess(least: Role = 'member'): AccessPolicy {
  return { limits: limits.requests.owner, checks: [requireRole(least)], requestLog };
}

function requireRole(least: Role): Middleware {
  return {
    before: async ({ event }) => {
      const { state } = event;
      const claimed = claimedBy(claimsOf(event));
      if (!claimed) throw fail('business_claim_missing');
      const { subject, email, isColleague } = claimed;
      const tenantId = tenantIn(requestedMode(state), claimed.businessId);
      const count = await countOwner({ tenantId, subject });
      state.usage = count.usage;
      state.requester = { tenantId, keyId: 0 };
      if (count.outcome !== 'accepted') throw limitExceeded(count);
      state.isCounted = true;
      const { staffId, role = isColleague ? undefined : 'owner' } = count;
      log.appendKeys({ tenantId, subject });
      if (!role) throw fail('role_not_allowed', 'You are no longer in the team of this business.');
      const actor: OwnerActor = { kind: 'owner', role, subject, email, staffId };
      state.principal = { tenantId, actor };
      if (!reaches(role, least)) throw fail('role_not_allowed');
    },
  };
}

/** A claim of OpenID Connect. */
const subjectLengthMax = 255;

/** No header means live; an unknown value is refused, so that a typo never changes live data. */
function requestedMode({ headers }: RequestState): Mode {
  const sent = headers[modeHeader.toLowerCase()] ?? 'live';
  const mode = modes.find((one) => one === sent);
  if (mode) return mode;
  throw invalid(modeHeader, `must be one of: ${modes.join(', ')}`);
}

type Claims = Readonly<Record<string, unknown>>;

function claimsOf({ requestContext }: APIGatewayProxyEventV2): Claims | undefined {
  const { authorizer } = requestContext as { authorizer?: { jwt?: { claims?: Claims } } };
  return authorizer?.jwt?.claims;
}

/** The gateway passes all claims as text. */
function claimedBy(claims: Claims = {}) {
  const { 'custom:businessId': id, 'custom:team': team, sub = '', email } = claims;
  if (typeof id !== 'string' || !/^[1-9][0-9]{0,15}$/.test(id)) return undefined;
  const businessId = Number(id);
  // A token must contain the id of the business, never that of its sandbox.
  if (!Number.isSafeInteger(businessId) || isSandbox(businessId)) return undefined;
  const subject = String(sub);
  if (subject.length > subjectLengthMax) return undefined;
  return { businessId, subject, email: typeof email === 'string' ? email : undefined, isColleague: team !== undefined };
}
