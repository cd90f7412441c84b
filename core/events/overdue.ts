/** Reads the overdue events in the outbox, the oldest of all shards first, only as far as they are requested. */
import { forEachConcurrently } from '../chunks.ts';
import { firstIdAt } from '../clock.ts';
import { log } from '../log.ts';
import { pages } from '../store/read.ts';
import { outboxShards, records } from '../table-keys.ts';
import { type EventRef, eventRefOf, type OutboxItem, overdueMs, readableEvent } from './event.ts';

const pageSize = 100;
const everything = Number.POSITIVE_INFINITY;

interface Shard {
  readonly number: number;
  readonly pages: ReturnType<typeof pages<OutboxItem>>;
  /** Events that were read and not returned yet. */
  events: EventRef[];
  /** Every event of the shard up to this id was read. */
  readThrough: number;
}

export class Overdue {
  readonly #shards: readonly Shard[];
  /** The lowest id that was read, even of an event that cannot be parsed. */
  oldestId: number | undefined;
  /**
   * Shards that DynamoDB refused to read to their end. The next run reads them; the other shards are not affected. Of
   * hundreds of shards, at least one fails nearly always when DynamoDB refuses some calls.
   */
  readonly unread: number[] = [];

  /** Whether all events were returned. */
  get isAtEnd(): boolean {
    return this.#shards.every(({ readThrough }) => readThrough === everything);
  }

  constructor(at: number) {
    this.#shards = Array.from({ length: outboxShards }, (_, number) => ({
      number,
      pages: pages<OutboxItem>('records', {
        KeyConditionExpression: 'pk = :shard AND sk < :before',
        ExpressionAttributeValues: {
          ':shard': records.outboxShard(number),
          ':before': records.outboxId(firstIdAt(at - overdueMs)),
        },
        Limit: pageSize,
      }),
      events: [],
      readThrough: 0,
    }));
  }

  /**
   * The next events, some thousands if there are so many. No event of a later call is older. Empty only at the end.
   * Events that cannot be read are skipped.
   */
  async next(): Promise<readonly EventRef[]> {
    for (;;) {
      const short = this.#shards.filter(({ events }) => events.length < pageSize / 2);
      await forEachConcurrently(short, (shard) => this.#readOn(shard));
      const through = Math.min(...this.#shards.map(({ readThrough }) => readThrough));
      const events = this.#shards.flatMap((shard) => take(shard, through)).sort((a, b) => a.id - b.id);
      if (events.length > 0 || through === everything) return events;
    }
  }

  async #readOn(shard: Shard): Promise<void> {
    try {
      // A shard that was read to its end is not queried again.
      const { value: page } = await shard.pages.next();
      const items = page?.items ?? [];
      const [first] = items;
      if (first) this.oldestId = Math.min(first.id, this.oldestId ?? first.id);
      for (const item of items) {
        const event = readableEvent(item);
        if (event) shard.events.push(eventRefOf(event));
      }
      shard.readThrough = !page || page.isLast ? everything : (items.at(-1)?.id ?? shard.readThrough);
    } catch (error) {
      log.warn('A shard of the outbox cannot be read', { shard: shard.number, error });
      this.unread.push(shard.number);
      shard.readThrough = everything;
    }
  }
}

/** Removes and returns the read events of a shard up to an id. */
function take(shard: Shard, through: number): readonly EventRef[] {
  const removed = shard.events.filter(({ id }) => id <= through);
  shard.events = shard.events.slice(removed.length);
  return removed;
}
