/** The body of a message (section 2.4). */
import { apiVersion } from '../../../contract/events.ts';

export interface Message {
  readonly deliveryId: string;
  /** Event name, or `ping`. */
  readonly event: string;
  /** When the event happened, ISO 8601. */
  readonly occurredAt: string;
  readonly data: unknown;
}

/** The exact JSON text. It is made once, when the event is planned, and sent byte for byte in every attempt (decisions §6). */
export function eventBody({ deliveryId, event, occurredAt, data }: Message): string {
  return JSON.stringify({ id: deliveryId, event, timestamp: occurredAt, apiVersion, data });
}
