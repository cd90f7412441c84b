/**
 * What a key without `bookings:read` may see and say of people (docs/rules.md#privacy): nothing but what it says itself.
 */
import type { Endpoint, Schema } from '../../contract/define.ts';
import { peopleScope, personalMark } from '../../contract/personal-data.ts';
import type { Exchange, Middleware } from './exchange.ts';
import type { Brought } from './project.ts';
import { insufficientScope } from './require-scope.ts';

/** Owners see the people of their business; a key sees them with the scope. */
function seesPeople({ key }: Exchange): boolean {
  return !key || key.scopes.includes(peopleScope);
}

/** What the request told of people, for a caller who may see no more than that. */
export function broughtBy(exchange: Exchange): Brought | undefined {
  return seesPeople(exchange) ? undefined : ((exchange.body ?? {}) as Brought);
}

/** Refuses a body that names a client by id before anything is read: whether there is such a client stays unknown. */
export function requireSight({ body }: Endpoint): Middleware {
  const { shape = {} } = (body?._zod.def ?? {}) as { readonly shape?: Readonly<Record<string, Schema>> };
  const names = Object.keys(shape).filter((name) => shape[name] && personalMark(shape[name]));
  return {
    before: ({ event: { exchange } }) => {
      const sent = broughtBy(exchange);
      if (sent && names.some((name) => sent[name] !== undefined)) throw insufficientScope(peopleScope);
    },
  };
}
