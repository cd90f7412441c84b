/** The event names (docs/rules.md#events), separate from their schemas, so that a check of a name bundles no schema. */
import * as z from 'zod/mini';
import { field } from './fields.ts';
import type { Scope } from './scopes.ts';

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

export const eventName = field(
  'Name of an event that a webhook can subscribe to.',
  z.enum(eventNames, { error: `must be one of: ${eventNames.join(', ')}` }),
);

type Subject = EventName extends `${infer Of}.${string}` ? Of : never;

/** Events with personal data need the scope that permits it. The others contain only ids of people. */
const scopes: Readonly<Partial<Record<Subject, Scope>>> = {
  client: 'bookings:read',
  review: 'bookings:read',
  payment: 'bookings:read',
};

/** The fields that an event contains only for keys with the scope that permits personal data. */
export const personalEventFields = ['metadata'] as const;

/** The scope that an API key needs to receive an event, if any (docs/rules.md#scopes). */
export function requiredScope(event: EventName): Scope | undefined {
  return scopes[event.split('.')[0] as Subject];
}
