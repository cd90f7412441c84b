/**
 * The owner (docs/rules.md#owners). The gateway's JWT authorizer has checked the token; here is read what it says: the
 * claim `custom:businessId` names the business, and `Booking-Mode` whether its live side or its sandbox is meant. Without the
 * claim, or without the authorizer, nobody comes in. Who does is counted (docs/rules.md#limits), in each mode by itself.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Mode, modeHeader, modes } from '../../contract/modes.ts';
import { fail } from '../errors.ts';
import { log } from '../log.ts';
import { isSandbox, tenantIn } from '../mode.ts';
import type { Owner } from '../owner.ts';
import { countOwner } from '../owners/count-owner.ts';
import type { Exchange, Middleware } from './exchange.ts';
import { limitExceeded } from './limit-exceeded.ts';

export function requireOwner(): Middleware {
  return {
    before: async ({ event }) => {
      const { exchange } = event;
      const claimed = ownerOf(claimsOf(event));
      if (!claimed) throw fail('business_claim_missing');
      const owner = { ...claimed, tenantId: tenantIn(modeAsked(exchange), claimed.tenantId) };
      const count = await countOwner(owner);
      exchange.usage = count.usage;
      if (count.outcome !== 'accepted') throw limitExceeded(count);
      exchange.owner = owner;
      log.appendKeys({ tenantId: owner.tenantId, subject: owner.subject });
    },
  };
}

/** Of OpenID Connect. */
const subjectLengthMax = 255;

/** Absent is live; anything that is neither mode is refused, so that a slip of the pen never acts on live data. */
function modeAsked({ headers }: Exchange): Mode {
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
function ownerOf(claims: Claims = {}): Owner | undefined {
  const { 'custom:businessId': id, sub = '', email } = claims;
  if (typeof id !== 'string' || !/^[1-9][0-9]{0,15}$/.test(id)) return undefined;
  const tenantId = Number(id);
  // A sandbox is reached through its business only.
  if (!Number.isSafeInteger(tenantId) || isSandbox(tenantId)) return undefined;
  const subject = String(sub);
  if (subject.length > subjectLengthMax) return undefined;
  return { tenantId, subject, ...(typeof email === 'string' && { email }) };
}
