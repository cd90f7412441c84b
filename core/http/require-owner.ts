/**
 * The owner (docs/rules.md#owners). The gateway's JWT authorizer has checked the token; here is read what it says: the
 * claim `custom:businessId` names the tenant. Without it, or without the authorizer, nobody comes in. Who does is counted
 * (docs/rules.md#limits).
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { fail } from '../errors.ts';
import { log } from '../log.ts';
import type { Owner } from '../owner.ts';
import { countOwner } from '../owners/count-owner.ts';
import type { Middleware } from './exchange.ts';
import { limitExceeded } from './limit-exceeded.ts';

export function requireOwner(): Middleware {
  return {
    before: async ({ event }) => {
      const owner = ownerOf(claimsOf(event));
      if (!owner) throw fail('business_claim_missing');
      const count = await countOwner(owner);
      event.exchange.usage = count.usage;
      if (count.outcome !== 'accepted') throw limitExceeded(count);
      event.exchange.owner = owner;
      log.appendKeys({ businessId: owner.businessId, subject: owner.subject });
    },
  };
}

/** Of OpenID Connect. */
const subjectLengthMax = 255;

type Claims = Readonly<Record<string, unknown>>;

function claimsOf({ requestContext }: APIGatewayProxyEventV2): Claims | undefined {
  const { authorizer } = requestContext as { authorizer?: { jwt?: { claims?: Claims } } };
  return authorizer?.jwt?.claims;
}

/** The gateway hands every claim over as text. */
function ownerOf(claims: Claims | undefined): Owner | undefined {
  const id = claims?.['custom:businessId'];
  if (typeof id !== 'string' || !/^[1-9][0-9]{0,15}$/.test(id)) return undefined;
  const businessId = Number(id);
  if (!Number.isSafeInteger(businessId)) return undefined;
  const subject = String(claims?.sub ?? '');
  return subject.length > subjectLengthMax ? undefined : { businessId, subject };
}
