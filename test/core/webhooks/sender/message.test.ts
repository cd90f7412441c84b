import { expect, test } from 'vitest';
import { eventBody } from '../../../../core/webhooks/sender/message.ts';

const occurredAt = '2026-11-24T08:30:00.000Z';

test('A webhook message has the documented fields in their order', () => {
  expect(
    eventBody({ deliveryId: 'dlv_1', eventId: 7, event: 'booking.created', occurredAt, data: { b: 1, a: 'ü' } }),
  ).toBe(
    `{"id":"dlv_1","eventId":7,"event":"booking.created","timestamp":"${occurredAt}","apiVersion":"1.0","data":{"b":1,"a":"ü"}}`,
  );
});
