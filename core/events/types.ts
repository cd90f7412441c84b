/**
 * `GET /webhooks/events`: what a webhook can subscribe to, with the JSON Schema of each message
 * (docs/rules.md#event-data).
 */
import * as z from 'zod/mini';
import { requiredScope } from '../../contract/event-names.ts';
import { apiVersion, eventMessage, eventNames, events, published } from '../../contract/events.ts';
import { timestamp } from '../clock.ts';

const exampleInstantMs = Date.UTC(2026, 10, 24, 8, 30);

function describe() {
  return eventNames.map((name) => ({
    name,
    description: events[name].description,
    scope: requiredScope(name) ?? null,
    apiVersion,
    schema: z.toJSONSchema(eventMessage(name, events[name].data), {
      override: ({ jsonSchema }) => published(jsonSchema),
    }),
    example: {
      id: 'dlv_0a1b2c3d4e5f',
      eventId: 373_807_385_888_357,
      event: name,
      timestamp: timestamp(exampleInstantMs),
      apiVersion,
      data: events[name].example,
    },
  }));
}

let described: ReturnType<typeof describe> | undefined;

export function listEventTypes() {
  described ??= describe();
  return { data: described, total: described.length };
}
