/** The events that a webhook can subscribe to, as integrators see them (docs/rules.md#event-data). */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiVersion, eventMessage, eventNames, events } from '../../../contract/events.ts';
import * as routes from '../../../contract/integration/routes.ts';
import { listEventTypes } from '../../../core/events/types.ts';

const { data, total } = listEventTypes({});

test('The list of event types contains every event once, in the order of the file contract/event-names.ts', () => {
  expect(data.map(({ name }) => name)).toEqual(eventNames);
  expect(total).toBe(eventNames.length);
});

test('The list of event types can be read in pages', () => {
  const query = z.parse(routes.listEventTypes.query, { page: '2', limit: '10' });
  expect(listEventTypes(query)).toEqual({ data: data.slice(10), total });
});

test('Each event type has a description and the scope that an API key needs to receive the event', () => {
  for (const { name, description, scope, apiVersion: version } of data) {
    expect([description, version]).toEqual([events[name].description, apiVersion]);
    expect(scope, name).toBe(/^(client|payment|review)\./.test(name) ? 'bookings:read' : null);
  }
});

test('The example of every event type is a valid message with a fixed time', () => {
  for (const { name, example } of data) {
    expect(z.parse(eventMessage(name, events[name].data), example), name).toEqual(example);
    expect(example.timestamp).toBe('2026-11-24T08:30:00.000Z');
  }
});
