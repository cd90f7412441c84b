/** Search parameters of the route. */
import { oneOf, words } from '../../app/search.ts';

interface ClientsSearch {
  /** The start of a word of the name, the phone or the email. */
  readonly search?: string;
  readonly add?: true;
}

export function clientsSearch({ search, add }: Readonly<Record<string, unknown>>): ClientsSearch {
  return { search: words(search), add: oneOf(add, [true]) };
}

interface ClientSearch {
  /** Whether all past bookings are shown, not only those of the last year. */
  readonly all?: true;
}

export function clientSearch({ all }: Readonly<Record<string, unknown>>): ClientSearch {
  return { all: oneOf(all, [true]) };
}
