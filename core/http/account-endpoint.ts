/** Endpoints of the account API. */
import type { AccountRoute } from '../../contract/define.ts';
import { accountPrefix } from '../../contract/prefixes.ts';
import type { Owner } from '../owner.ts';
import type { OwnerActor, Principal } from '../principal.ts';
import { endpointOf } from './endpoint-of.ts';
import { ownerDoor } from './owner-door.ts';

/**
 * @example
 * export const handler = accountEndpoint(routes.getBusiness).handler(({ owner }) => getBusiness(owner));
 */
export const accountEndpoint = endpointOf<
  { readonly owner: Owner; readonly principal: Principal<OwnerActor> },
  AccountRoute
>(accountPrefix, ownerDoor, accountPrefix);
