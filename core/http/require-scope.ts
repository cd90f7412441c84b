/** docs/rules.md#scopes: a key may do what its scopes allow. */
import type { Scope } from '../../contract/scopes.ts';
import { type ApiError, fail } from '../errors.ts';
import type { Middleware } from './exchange.ts';

export function requireScope(scope: Scope): Middleware {
  return {
    before: ({ event }) => {
      if (event.exchange.key?.scopes.includes(scope)) return;
      throw insufficientScope(scope);
    },
  };
}

export function insufficientScope(scope: Scope): ApiError {
  return fail('insufficient_scope', { message: `The API key lacks the scope ${scope}.`, details: { scope } });
}
