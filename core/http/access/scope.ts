/**
 * What the scopes of a key allow: a request of its own (docs/rules.md#scopes), and, without `bookings:read`, no personal
 * data but what that request contains (docs/rules.md#privacy).
 */
import type { Endpoint, Schema } from '../../../contract/define.ts';
import { personalDataScope, personalMark } from '../../../contract/personal-data.ts';
import type { Scope } from '../../../contract/scopes.ts';
import type { SessionRight } from '../../../contract/sessions.ts';
import { type ApiError, fail } from '../../errors.ts';
import { canSeePersonalData, hasScope } from '../../principal.ts';
import type { Middleware, RequestState } from '../context.ts';

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

/** The body of the request, where it is all that the caller may see of personal data. */
export type SentByCaller = Readonly<Record<string, unknown>>;

/** What the request contained, for a caller who may see no more personal data than that; undefined for all others. */
export function visiblePersonalData({ principal, body }: RequestState): SentByCaller | undefined {
  return !principal || canSeePersonalData(principal.actor) ? undefined : ((body ?? {}) as SentByCaller);
}

/** Refuses a body that names a client by id before anything is read: whether there is such a client stays unknown. */
export function requirePersonalDataAccess({ body }: Endpoint): Middleware {
  const { shape = {} } = (body?._zod.def ?? {}) as { readonly shape?: Readonly<Record<string, Schema>> };
  const names = Object.keys(shape).filter((name) => shape[name] && personalMark(shape[name]));
  return {
    before: ({ event: { state } }) => {
      const sent = visiblePersonalData(state);
      if (sent && names.some((name) => sent[name] !== undefined)) throw insufficientScope(personalDataScope);
    },
  };
}

function insufficientScope(scope: Scope): ApiError {
  return fail('insufficient_scope', { message: `The API key lacks the scope ${scope}.`, details: { scope } });
}
