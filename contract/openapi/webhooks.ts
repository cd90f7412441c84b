/** The messages to webhooks: one entry per event, and all of them as `WebhookEvent`, distinguished by `event`. */
import { exampleMessage } from '../event-examples.ts';
import { type EventName, eventNames } from '../event-names.ts';
import { eventMessage, events, pingData } from '../events.ts';
import { limits } from '../limits.ts';
import type { Json } from './apis.ts';
import { messageHeaders } from './headers.ts';
import { pascal, refTo, type Schemas } from './schemas.ts';

const componentOf = (name: EventName | 'ping') => `${pascal(name)}Event`;

/** Writes the schemas of the messages: `BookingCreatedEvent` … and their union, which is also an event's example. */
export function writeEvents(schemas: Schemas): void {
  for (const name of eventNames) {
    const { data, description } = events[name];
    schemas.components[componentOf(name)] = {
      ...schemas.output(eventMessage(name, data)),
      description: `${description}.`,
    };
  }
  schemas.components.PingEvent = {
    ...schemas.output(eventMessage('ping', pingData)),
    description: 'What `POST /webhooks/{id}/ping` sends without `event`.',
  };
  const messages = ['ping', ...eventNames] as const;
  schemas.components.WebhookEvent = {
    description: 'Any message to a webhook. `event` is the name of its event.',
    oneOf: messages.map((name) => refTo('schemas', componentOf(name))),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(messages.map((name) => [name, `#/components/schemas/${componentOf(name)}`])),
    },
  };
  const { properties } = schemas.components.EventType as { properties: Record<string, Json> };
  properties.example = { ...refTo('schemas', 'WebhookEvent'), description: properties.example?.description };
}

export const messageParameters: Json = Object.fromEntries(
  Object.entries(messageHeaders).map(([name, description]) => [
    `${pascal(name)}Header`,
    { name, in: 'header', required: name !== 'X-Webhook-Mode', description, schema: { type: 'string' } },
  ]),
);

export const messageResponses: Json = {
  Received: { description: `Any 2xx within ${limits.deliveryTimeoutMs / 1_000} seconds: the message is delivered.` },
  NotReceived: {
    description: `Any other response, even a redirect, is a failed attempt. A delivery has at most ${limits.deliveryAttempts} attempts.`,
  },
};

export const webhooks = (): Json =>
  Object.fromEntries(
    eventNames.map((name) => [
      name,
      {
        post: {
          operationId: `${pascal(name).replace(/^\w/, (letter) => letter.toLowerCase())}`,
          tags: ['Events'],
          summary: name,
          description: `${events[name].description}. Sent to every active webhook that is subscribed to this event. Verify the signature, respond with 2xx, then handle the event.`,
          security: [],
          parameters: Object.keys(messageParameters).map((header) => refTo('parameters', header)),
          requestBody: {
            required: true,
            description: 'The message. The signature covers the exact bytes of the body.',
            content: {
              'application/json': { schema: refTo('schemas', componentOf(name)), example: exampleMessage(name) },
            },
          },
          responses: { '2XX': refTo('responses', 'Received'), '4XX': refTo('responses', 'NotReceived') },
        },
      },
    ]),
  );
