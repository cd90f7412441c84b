/**
 * docs/rules.md#origins: a key with allowed origins is accepted from those only; a request without `Origin` is not from
 * one.
 */
import { fail } from '../errors.ts';
import type { Middleware } from './exchange.ts';
import { originAllowed } from './origin.ts';

export function requireOrigin(): Middleware {
  return {
    before: ({ event }) => {
      const { origins, headers } = event.exchange;
      if (origins.length > 0 && !originAllowed(headers.origin ?? '', origins)) throw fail('origin_not_allowed');
    },
  };
}
