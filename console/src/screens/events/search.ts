/** Search parameters of the route. */
import type { EventName } from './event-names.ts';

export interface EventsSearch {
  readonly search?: string;
  /** The one that is open. */
  readonly event?: EventName;
}

export function eventsSearch({ search, event }: Readonly<Record<string, unknown>>): EventsSearch {
  return {
    search: typeof search === 'string' ? search : undefined,
    event: typeof event === 'string' ? (event as EventName) : undefined,
  };
}
