/** The events, in the order and the groups of the document. */
import { eventExamples } from '../../api/events.gen.ts';

export type EventName = keyof typeof eventExamples;

export const eventNames = Object.keys(eventExamples) as EventName[];

export type EventGroup = EventName extends `${infer Group}.${string}` ? Group : never;

export const eventGroups = Object.entries(Object.groupBy(eventNames, (name) => name.split('.')[0] as EventGroup)) as [
  EventGroup,
  EventName[],
][];
