/** The middlewares of the account API: as `chain.ts`, with an owner in the place of a key. */
import { chain } from './chain.ts';
import { requireOwner } from './require-owner.ts';

export function accountChain(operation: string) {
  return chain(operation).use(requireOwner());
}
