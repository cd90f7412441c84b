/** The door of the account API, which knows no keys and so no limits. */
import { requireOwner } from './require-owner.ts';
import type { Door } from './serve.ts';

export function ownerDoor(): Door {
  return { checks: [requireOwner()] };
}
