/** The sandbox of the signed-in owner's business. */
import { fail } from '../errors.ts';
import { isSandbox } from '../mode.ts';
import type { Principal } from '../principal.ts';

/** 409 `invalid_state` in live mode. */
export function sandboxOf({ tenantId }: Principal): number {
  if (isSandbox(tenantId)) return tenantId;
  throw fail('invalid_state', 'This endpoint works only in test mode: send the header Booking-Mode: test.');
}
