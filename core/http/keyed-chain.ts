/** Apart from `chain.ts`, so that what needs no key bundles no table client. */
import { chain } from './chain.ts';
import { requireKey } from './require-key.ts';
import { requireOrigin } from './require-origin.ts';

/** For what needs a key, and the origin that the key asks for. */
export function keyedChain(operation: string) {
  return chain(operation, 'nothing_left').use(requireKey()).use(requireOrigin());
}
