/** Apart from `serve.ts`, so that what needs no key bundles no table client. */
import { limits } from '../../contract/limits.ts';
import { requireKey } from './require-key.ts';
import { requireOrigin } from './require-origin.ts';
import type { Door } from './serve.ts';

/** For callers with a key, from an origin that the key allows. */
export function keyDoor(): Door {
  return { limits: limits.requests.key, unknownCaller: 'nothing_left', checks: [requireKey(), requireOrigin()] };
}
