/**
 * The rights of a key by its scopes. They decide which endpoints it may call (docs/rules.md#scopes). Without
 * `bookings:read`, responses contain only personal data of the same request (docs/rules.md#privacy).
 */
import type { Endpoint, Schema } from '../../../contract/define.ts';
import { personalDataScope, personalMark } from '../../../contract/personal-data.ts';
import type { Scope } from '../../../contract/scopes.ts';
import type { SessionRight } from '../../../contract/sessions.ts';
import { type ApiError, fail } from '../../errors.ts';
import { canSeePersonalData, hasScope } from '../../principal.ts';
import type { Middleware, RequestState } from '../context.ts';

/**
 * Runs after the check of the key or session. A session needs the right that the endpoint requires of sessions, even if
 * the endpoint requires no scope (docs/rules.md#sessions).
 */
export function requireScope(scope: Scope | null, right: SessionRight | undefined): Middleware {
  return {
    before: ({ event: { state } }) => {
      const actor = state.principal?.actor;
      if (actor?.kind === 'session') {
        if (right !== undefined && actor.rights.includes(right)) return;
        throw fail('insufficient_scope', 'The session does not allow this request.');
      }
      if (scope && !(actor && hasScope(actor, scope))) throw insufficientScope(scope);
    },
  };
}

/** The body of the request, if the caller may see no other personal data. */
export type SentByCaller = Readonly<Record<string, unknown>>;

/** The body of the request, for a caller who may see no other personal data; undefined for all others. */
export function visiblePersonalData({ principal, body }: RequestState): SentByCaller | undefined {
  return !principal || canSeePersonalData(principal.actor) ? undefined : ((body ?? {}) as SentByCaller);
}

/**
 * Refuses a body with a `clientId` before anything is read, so that the response does not reveal whether the client
 * exists.
 */
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
