/** Events, from the change that causes them to the messages to receivers (docs/rules.md#events, #event-data). */
import type { EventData, EventName } from '../../contract/events.ts';
import {
  isOperational,
  type OperationalEventData,
  type OperationalEventName,
} from '../../contract/system/operational-events.ts';
import { schedules } from '../../contract/system/schedules.ts';
import { type Caused, causedBy, causedByRequest } from '../cause.ts';
import { firstIdAt, newId, timestamp } from '../clock.ts';
import { log } from '../log.ts';
import { putNew, type Write } from '../store/write.ts';
import { outboxShards, records } from '../table-keys.ts';

interface EventOf<N extends EventName> extends Caused {
  readonly id: number;
  /** The shard of the outbox, chosen at random with the id; every reference to the event contains it. */
  readonly shard: number;
  readonly tenantId: number;
  readonly name: N;
  /** ISO 8601: when it happened; the `timestamp` of every message about it. */
  readonly occurredAt: string;
  readonly data: EventData<N>;
}

/** One of the events with the data of its row in `contract/events.ts`. */
export type Event = { [N in EventName]: EventOf<N> }[EventName];

/**
 * An operational event (docs/rules.md#operational-events). It is in the outbox like any other event, but no webhook
 * gets it.
 */
export interface OperationalEvent extends Omit<Event, 'name' | 'data'> {
  readonly name: OperationalEventName;
  readonly data: OperationalEventData;
}

/**
 * A reference to an event, without its data, in messages from the outbox to the function `plan-deliveries`. Only
 * operational events are sent with their data.
 */
export interface EventRef extends Pick<Event, 'id' | 'shard' | 'tenantId' | 'occurredAt' | 'requestId'> {
  readonly name: EventName | OperationalEventName;
  readonly data?: OperationalEventData;
}

export function eventRefOf(event: Event | OperationalEvent): EventRef {
  const { id, shard, tenantId, name, occurredAt, requestId, data } = event;
  const whole = isOperational(name) && { data: data as OperationalEventData };
  return { id, shard, tenantId, name, occurredAt, ...causedBy(requestId), ...whole };
}

/** An event is normally planned within a second. The scheduled function `sweep` publishes older events again. */
export const overdueMs = 120_000;

/**
 * Whether the event was overdue when the function `sweep` last ran: then `sweep` publishes it, and not `relay-events`.
 */
export function isLeftToSweeper({ id }: Pick<Event, 'id'>, at: number): boolean {
  return id < firstIdAt(at - overdueMs - schedules.sweep.everyMinutes * 60_000);
}

/** An event with a new id. It is sent only if its `outboxPut` is committed, in the transaction of its change. */
export function raise<N extends EventName>(tenantId: number, name: N, data: EventData<N>, at: number): EventOf<N> {
  return { ...outboxFields(tenantId, at), name, data };
}

export function raiseOperational(
  tenantId: number,
  name: OperationalEventName,
  data: OperationalEventData,
  at: number,
): OperationalEvent {
  return { ...outboxFields(tenantId, at), name, data };
}

function outboxFields(tenantId: number, at: number) {
  const id = newId();
  return { id, shard: id % outboxShards, tenantId, occurredAt: timestamp(at), ...causedByRequest() };
}

/**
 * The write of an event, for the transaction of the change that causes it: the event and the change are stored together
 * or not at all (docs/rules.md#events). The stream of the table passes the new item to `relay-events`. The data is
 * stored as text, because DynamoDB would return a stored map with its fields in another order than in
 * `contract/events.ts`.
 */
export function outboxPut({ shard, ...event }: EventOf<EventName> | OperationalEvent) {
  const key = records.outbox({ id: event.id, shard });
  return putNew('records', { ...key, ...event, data: JSON.stringify(event.data) });
}

/**
 * The write of a new event.
 *
 * @example
 * writes: [clientPut, eventPut(tenantId, 'client.created', { clientId, name, phone, email, createdAt }, now())]
 */
export function eventPut<N extends EventName>(tenantId: number, name: N, data: EventData<N>, at: number): Write {
  return outboxPut(raise<EventName>(tenantId, name, data, at));
}

/**
 * An event in the outbox. It stays there, unchanged, until its deliveries are planned and their messages are sent. The
 * webhooks store which numbers were taken for it (`claims`), so that a repeated planning finds them.
 */
export type OutboxItem = Omit<Event, 'data' | 'shard'> & {
  /** JSON. */
  readonly data: string;
  readonly pk: string;
  readonly sk: string;
};

/** The event; its shard is part of its table key. Throws if the data is not valid JSON. */
export function eventOf({ pk, id, tenantId, name, occurredAt, data, requestId }: OutboxItem): Event {
  const shard = records.shardOfOutbox(pk);
  return { id, shard, tenantId, name, occurredAt, data: JSON.parse(data), ...causedBy(requestId) } as Event;
}

/** The event; undefined for an item that cannot be read: it is only logged, and delays no other events. */
export function readableEvent(item: OutboxItem): Event | undefined {
  return readable(item.id, () => eventOf(item));
}

/** The event that `read` returns, unless it throws. */
export function readable(eventId: unknown, read: () => Event): Event | undefined {
  try {
    return read();
  } catch (error) {
    log.error('An event in the outbox cannot be read', { error, eventId });
    return undefined;
  }
}
