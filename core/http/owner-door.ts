/** The door of the account API: for signed-in owners. */
import { limits } from '../../contract/limits.ts';
import { requireOwner } from './require-owner.ts';
import type { Door } from './serve.ts';

export function ownerDoor(): Door {
  return { limits: limits.requests.owner, unknownCaller: 'nothing_left', checks: [requireOwner()] };
}
