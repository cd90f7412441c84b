/** An outbox with events that were not planned in time, a bus that takes them, and what becomes of them then. */
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { events } from '../../contract/events.ts';
import { dynamo, eventBridge } from '../../core/clients.ts';
import { now, setRuntime } from '../../core/clock.ts';
import { type Event, type OutboxItem, outboxPut, raise } from '../../core/events/event.ts';
import { sweep } from '../../core/events/sweep.ts';
import { log } from '../../core/log.ts';
import { records } from '../../core/table-keys.ts';

const start = Date.UTC(2026, 10, 24);
const hour = 3_600_000;

interface Asked {
  readonly ExpressionAttributeValues: Record<':shard' | ':before', string>;
  readonly Limit: number;
  readonly ExclusiveStartKey?: { readonly sk: string };
}

export class Backlog {
  readonly start = start;
  readonly table = mockClient(dynamo());
  readonly bus = mockClient(eventBridge());
  /** By sort key, in the order of their ids. */
  readonly outbox = new Map<string, OutboxItem>();
  at = start;
  /** The time of a run is over then. */
  endsAt = Number.POSITIVE_INFINITY;
  /** Whether an event gets planned once it is published. */
  planning: (id: number) => boolean = () => true;

  begin(): void {
    Object.assign(process.env, { TABLE_RECORDS: 'test-records', EVENT_BUS: 'bus', METRICS_NAMESPACE: 'test' });
    log.setLogLevel('SILENT');
    this.at = start;
    this.endsAt = start + 1_000 * hour;
    this.planning = () => true;
    this.outbox.clear();
    this.#setRuntime();
    this.table.reset();
    this.bus.reset();
    // What is published is planned a little later, and leaves the outbox.
    this.bus.on(PutEventsCommand).callsFake(({ Entries }) => {
      this.at += 200;
      for (const id of idsOf(Entries)) if (this.planning(id)) this.outbox.delete(records.outboxId(id));
      return { FailedEntryCount: 0 };
    });
    this.table.on(QueryCommand).callsFake((asked) => this.query(asked));
    this.table.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const asked: { sk: string }[] = RequestItems['test-records'].Keys;
      return { Responses: { 'test-records': asked.flatMap(({ sk }) => this.outbox.get(sk) ?? []) } };
    });
  }

  restore(): void {
    this.table.restore();
    this.bus.restore();
  }

  #setRuntime(): void {
    setRuntime({
      now: () => this.at,
      sleep: async (ms) => {
        this.at += ms;
      },
    });
  }

  query({ ExpressionAttributeValues: values, Limit, ExclusiveStartKey }: Asked) {
    const after = ExclusiveStartKey?.sk ?? '';
    const all = [...this.outbox.values()].filter(
      ({ pk, sk }) => pk === values[':shard'] && sk < values[':before'] && sk > after,
    );
    const Items = all.slice(0, Limit);
    const last = Items.length < all.length ? Items.at(-1) : undefined;
    return { Items, ...(last && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
  }

  /** A run of the sweeper. */
  sweep(): Promise<void> {
    return sweep(undefined, { getRemainingTimeInMillis: () => this.endsAt - this.at });
  }

  /** Puts an event into the outbox. A millisecond passes. */
  raised(tenantId = 7, changes: Partial<OutboxItem> = {}): Event {
    const event = raise(tenantId, 'client.created', events['client.created'].example, now()) as Event;
    const item = { ...outboxPut(event).Put.Item, ...changes } as unknown as OutboxItem;
    this.outbox.set(item.sk, item);
    this.at += 1;
    return event;
  }

  some(count: number, tenantId = 7): number[] {
    return Array.from({ length: count }, () => this.raised(tenantId).id);
  }

  get entries() {
    return this.bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
  }

  get published(): number[] {
    return idsOf(this.entries);
  }

  /** How many events each request to the bus held. */
  get sizes(): number[] {
    return this.bus.commandCalls(PutEventsCommand).map(({ args }) => idsOf(args[0].input.Entries).length);
  }
}

export const idsOf = (entries: readonly { Detail?: string | undefined }[] | undefined): number[] =>
  (entries ?? []).flatMap(({ Detail }) => JSON.parse(Detail ?? '').events.map(({ id }: { id: number }) => id));

/** An empty one for each test of a file. */
export function useBacklog(): Backlog {
  const backlog = new Backlog();
  beforeEach(() => backlog.begin());
  afterEach(() => setRuntime());
  afterAll(() => backlog.restore());
  return backlog;
}
