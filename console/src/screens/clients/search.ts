/** Search parameters of the route. */
import { oneOf, words } from '../../app/search.ts';

interface ClientsSearch {
  /** How a word of the name, the phone or the email begins. */
  readonly search?: string;
  readonly add?: true;
}

export function clientsSearch({ search, add }: Readonly<Record<string, unknown>>): ClientsSearch {
  return { search: words(search), add: oneOf(add, [true]) };
}

interface ClientSearch {
  /** Every past booking, and not the last year's alone. */
  readonly all?: true;
}

export function clientSearch({ all }: Readonly<Record<string, unknown>>): ClientSearch {
  return { all: oneOf(all, [true]) };
}
