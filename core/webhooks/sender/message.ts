/** The body of a message (docs/rules.md#targets). */
import { apiVersion } from '../../../contract/events.ts';

interface Message {
  readonly deliveryId: string;
  /** The same for all webhooks of one event. */
  readonly eventId: number;
  /** Event name, or `ping`. */
  readonly event: string;
  /** When the event happened, ISO 8601. */
  readonly occurredAt: string;
  readonly data: unknown;
  /** The event is an example: nothing has happened. */
  readonly test?: true;
}

/**
 * The exact JSON text. It is made once, when the event is planned, and sent byte for byte in every attempt
 * (docs/rules.md#targets).
 */
export function eventBody({ deliveryId, eventId, event, occurredAt, data, test }: Message): string {
  return JSON.stringify({ id: deliveryId, eventId, event, timestamp: occurredAt, apiVersion, test, data });
}
