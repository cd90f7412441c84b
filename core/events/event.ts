/** What happened, as it travels from the change that caused it to the receivers (docs/rules.md#events, #event-data). */
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
import { putNew } from '../store/write.ts';
import { outboxShards, records } from '../table-keys.ts';

interface EventOf<N extends EventName> extends Caused {
  readonly id: number;
  /** Its partition of the outbox, drawn with the id and carried by every reference to the event. */
  readonly shard: number;
  readonly tenantId: number;
  readonly name: N;
  /** ISO 8601: when it happened; the `timestamp` of every message about it. */
  readonly occurredAt: string;
  readonly data: EventData<N>;
}

/** One of the events with the data of its row in `contract/events.ts`. */
export type Event = { [N in EventName]: EventOf<N> }[EventName];

/** An operational event (docs/rules.md#operational-events). It lies in the outbox like any event, and no webhook gets it. */
export interface OperationalEvent extends Omit<Event, 'name' | 'data'> {
  readonly name: OperationalEventName;
  readonly data: OperationalEventData;
}

/** An event without its data: what travels from the outbox to planning. Only operational events travel whole. */
export interface EventRef extends Pick<Event, 'id' | 'shard' | 'tenantId' | 'occurredAt' | 'requestId'> {
  readonly name: EventName | OperationalEventName;
  readonly data?: OperationalEventData;
}

export function eventRefOf({
  id,
  shard,
  tenantId,
  name,
  occurredAt,
  requestId,
  data,
}: Event | OperationalEvent): EventRef {
  const whole = isOperational(name) && { data: data as OperationalEventData };
  return { id, shard, tenantId, name, occurredAt, ...causedBy(requestId), ...whole };
}

/** An event is normally planned within a second. What is older the sweeper publishes again. */
export const overdueMs = 120_000;

/** Whether the event was overdue when the sweeper last ran: from then on it is the sweeper's, and not the stream's. */
export function isLeftToSweeper({ id }: Pick<Event, 'id'>, at: number): boolean {
  return id < firstIdAt(at - overdueMs - schedules.sweep.everyMinutes * 60_000);
}

/**
 * An event with a new id. It exists for others only once `outboxPut` of it was committed with the change it tells of.
 *
 * @example
 * const created = raise(key.tenantId, 'client.created', { clientId, name, phone, email, createdAt }, now());
 * TransactItems: [{ Put: clientItem }, outboxPut(created)]
 */
export function raise<N extends EventName>(tenantId: number, name: N, data: EventData<N>, at: number): EventOf<N> {
  return { ...placed(tenantId, at), name, data };
}

export function raiseOperational(
  tenantId: number,
  name: OperationalEventName,
  data: OperationalEventData,
  at: number,
): OperationalEvent {
  return { ...placed(tenantId, at), name, data };
}

function placed(tenantId: number, at: number) {
  const id = newId();
  return { id, shard: id % outboxShards, tenantId, occurredAt: timestamp(at), ...causedByRequest() };
}

/**
 * The element of the change's own `TransactWriteItems` that makes the event and the change one (docs/rules.md#events).
 * The insert is also the signal: the table's stream hands it to `relay-events`. The data is stored as text, because a
 * stored map would come back with its fields in another order than `contract/events.ts` lists them.
 */
export function outboxPut({ shard, ...event }: EventOf<EventName> | OperationalEvent) {
  const place = records.outbox({ id: event.id, shard });
  return putNew('records', { ...place, ...event, data: JSON.stringify(event.data) });
}

/**
 * An event in the outbox. It stays there, unchanged, until its deliveries are planned and their messages are sent. Which
 * numbers it got is noted in the webhooks (`claims`), so that planning it again finds what was planned.
 */
export type OutboxItem = Omit<Event, 'data' | 'shard'> & {
  /** JSON. */
  readonly data: string;
  readonly pk: string;
  readonly sk: string;
};

/** The event alone; its shard is read off its key. Throws for an item whose data is no JSON. */
export function eventOf({ pk, id, tenantId, name, occurredAt, data, requestId }: OutboxItem): Event {
  const shard = records.shardOfOutbox(pk);
  return { id, shard, tenantId, name, occurredAt, data: JSON.parse(data), ...causedBy(requestId) } as Event;
}

/** The same, but an item that cannot be read is left to the log: it must not hold up the others. */
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
