/** docs/rules.md#scopes: a key may do what its scopes allow. */
import type { Scope } from '../../../contract/scopes.ts';
import { type ApiError, fail } from '../../errors.ts';
import { hasScope } from '../../principal.ts';
import type { Middleware } from '../context.ts';

/** The key is checked before. */
export function requireScope(scope: Scope): Middleware {
  return {
    before: ({ event: { state } }) => {
      if (!state.principal || !hasScope(state.principal.actor, scope)) throw insufficientScope(scope);
    },
  };
}

export function insufficientScope(scope: Scope): ApiError {
  return fail('insufficient_scope', { message: `The API key lacks the scope ${scope}.`, details: { scope } });
}
