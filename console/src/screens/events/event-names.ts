/** The events, in the order and groups of the OpenAPI document. */
import { eventExamples } from '../../api/generated/events.ts';

export type EventName = keyof typeof eventExamples;

export const eventNames = Object.keys(eventExamples) as EventName[];

/** Groups whose events contain personal data. */
const personal: readonly string[] = ['client', 'review', 'payment'];
const personalScope = 'bookings:read';

/** Whether a webhook of a key with these permissions can receive the event. */
export function canReceive(scopes: readonly string[], event: EventName): boolean {
  return scopes.includes(personalScope) || !personal.includes(event.split('.')[0] ?? '');
}

type EventGroup = EventName extends `${infer Group}.${string}` ? Group : never;

export const eventGroups = Object.entries(Object.groupBy(eventNames, (name) => name.split('.')[0] as EventGroup)) as [
  EventGroup,
  EventName[],
][];
