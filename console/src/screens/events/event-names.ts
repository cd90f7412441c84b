/** The events, in the order and groups of the OpenAPI document. */
import { eventExamples } from '../../api/generated/events.ts';
import { strings } from '../../strings/strings.ts';

export type EventName = keyof typeof eventExamples;

export const eventNames = Object.keys(eventExamples) as EventName[];

/** Groups whose events contain personal data. */
const personal: readonly string[] = ['client', 'review', 'payment'];

/** The permission that a key with these permissions lacks to receive the event, if any. */
export function missingScope(scopes: readonly string[], event: EventName) {
  const isPersonal = personal.includes(event.split('.')[0] ?? '');
  const needed = ['webhooks:manage', ...(isPersonal ? (['bookings:read'] as const) : [])] as const;
  return needed.find((scope) => !scopes.includes(scope));
}

type EventGroup = EventName extends `${infer Group}.${string}` ? Group : never;

export const nameOfGroup = (group: EventGroup) => strings.screens[group === 'staff' ? group : (`${group}s` as const)];

export const eventGroups = Object.entries(Object.groupBy(eventNames, (name) => name.split('.')[0] as EventGroup)) as [
  EventGroup,
  EventName[],
][];
