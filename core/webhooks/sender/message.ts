/** The body of a message (docs/rules.md#messages). */
import { apiVersion } from '../../../contract/events.ts';

interface Message {
  readonly deliveryId: string;
  /** All messages about one event have the same value, whatever their webhook. */
  readonly eventId: number;
  /** Event name, or `ping`. */
  readonly event: string;
  /** When the event happened, ISO 8601. */
  readonly occurredAt: string;
  readonly data: unknown;
  /** Whether the event is only an example. */
  readonly test?: true;
}

/**
 * The exact JSON text. It is made once, when the event is planned, and is the same in every attempt
 * (docs/rules.md#messages).
 */
export function eventBody({ deliveryId, eventId, event, occurredAt, data, test }: Message): string {
  return JSON.stringify({ id: deliveryId, eventId, event, timestamp: occurredAt, apiVersion, test, data });
}
