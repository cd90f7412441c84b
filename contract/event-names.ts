/** The names of docs/rules.md#events, apart from their schemas: who checks a name bundles no schema of a message. */
import * as z from 'zod/mini';
import { shape } from './fields.ts';

export const eventNames = [
  'booking.created',
  'booking.confirmed',
  'booking.cancelled',
  'booking.completed',
  'booking.no_show',
  'booking.rescheduled',
  'client.created',
  'client.updated',
  'review.created',
  'payment.received',
  'payment.refunded',
  'staff.schedule_updated',
  'service.updated',
  'service.deleted',
] as const;
export type EventName = (typeof eventNames)[number];

export const eventName = shape(() =>
  z
    .enum(eventNames, { error: `must be one of: ${eventNames.join(', ')}` })
    .check(z.describe('Name of an event that a webhook can subscribe to.')),
);
