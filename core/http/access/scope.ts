/** docs/rules.md#scopes: a key may do what its scopes allow. */
import type { Scope } from '../../../contract/scopes.ts';
import type { SessionRight } from '../../../contract/sessions.ts';
import { type ApiError, fail } from '../../errors.ts';
import { hasScope } from '../../principal.ts';
import type { Middleware } from '../context.ts';

/**
 * The key or session is checked before. A session needs the right that the row asks of sessions, also where any key will do
 * (docs/rules.md#sessions).
 */
export function requireScope(scope: Scope | null, right: SessionRight | undefined): Middleware {
  return {
    before: ({ event: { state } }) => {
      const actor = state.principal?.actor;
      if (actor?.kind === 'session') {
        if (right !== undefined && actor.rights.includes(right)) return;
        throw fail('insufficient_scope', { message: 'This session may not do that.' });
      }
      if (scope && !(actor && hasScope(actor, scope))) throw insufficientScope(scope);
    },
  };
}

export function insufficientScope(scope: Scope): ApiError {
  return fail('insufficient_scope', { message: `The API key lacks the scope ${scope}.`, details: { scope } });
}
