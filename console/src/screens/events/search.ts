/** Search parameters of the route. */
import { words } from '../../app/search.ts';
import type { EventName } from './event-names.ts';

interface EventsSearch {
  readonly search?: string;
  /** The open event. */
  readonly event?: EventName;
}

export function eventsSearch({ search, event }: Readonly<Record<string, unknown>>): EventsSearch {
  return { search: words(search), event: words(event) as EventName | undefined };
}
