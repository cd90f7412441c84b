/**
 * `GET /webhooks/events`: what a webhook can subscribe to, with the JSON Schema of each message
 * (docs/rules.md#event-data).
 */
import * as z from 'zod/mini';
import { exampleMessage } from '../../contract/event-examples.ts';
import { requiredScope } from '../../contract/event-names.ts';
import { apiVersion, eventMessage, eventNames, events, published } from '../../contract/events.ts';
import { cutPage, type PageQuery } from '../page.ts';

function describe() {
  return eventNames.map((name) => ({
    name,
    description: events[name].description,
    scope: requiredScope(name) ?? null,
    apiVersion,
    schema: z.toJSONSchema(eventMessage(name, events[name].data), {
      override: ({ jsonSchema }) => published(jsonSchema),
    }),
    example: exampleMessage(name),
  }));
}

let described: ReturnType<typeof describe> | undefined;

export function listEventTypes(query: PageQuery) {
  described ??= describe();
  return cutPage(described, query);
}
