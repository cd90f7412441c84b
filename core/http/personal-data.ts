/**
 * What a key without `bookings:read` may see and send of personal data (docs/rules.md#privacy): nothing but what its own
 * request contains.
 */
import type { Endpoint, Schema } from '../../contract/define.ts';
import { personalDataScope, personalMark } from '../../contract/personal-data.ts';
import { canSeePersonalData } from '../principal.ts';
import { insufficientScope } from './access/scope.ts';
import type { Middleware, RequestState } from './context.ts';

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
