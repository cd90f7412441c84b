/** The stream of the records table and its event source mapping. */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { streams } from '../../contract/system/streams.ts';
import type { Item } from '../../packages/memory-dynamo/src/value.ts';
import { streamEvent } from '../support/queue-and-bus.ts';
import type { Random } from './random.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

export interface StreamOptions {
  readonly runtime: SimulatedRuntime;
  readonly random: Random;
  readonly handler: StreamHandler;
  /** The period in which nothing reads the stream, in epoch milliseconds. */
  readonly off: { readonly from: number; readonly to: number } | undefined;
  readonly onRead: (item: Item) => void;
}

/** A stream keeps its records for a day, and the mapping drops none earlier. */
const retentionMs = 24 * 3_600_000;
const longestPauseMs = 60_000;
const row = streams.relayEvents;

interface StreamRecord {
  readonly item: Item;
  readonly at: number;
  readonly sequence: number;
}

interface Shard {
  records: StreamRecord[];
  reading: boolean;
  /** The tries of the first batch, and its maximum size after a crash. */
  tries: number;
  most: number;
}

/** The partitions are in shards; a blocked shard does not delay the others. */
const shardCount = 2;

export class MemoryStream {
  readonly #options: StreamOptions;
  readonly #shards: Shard[] = Array.from({ length: shardCount }, () => ({
    records: [],
    reading: false,
    tries: 0,
    most: row.batchSize,
  }));
  #sequence = 0;
  lost = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#shards.reduce((sum, { records }) => sum + records.length, 0);
  }

  /** The mapping's filter passes only inserts of one kind of item to the function. */
  inserted(item: Item): void {
    const { pk } = item;
    if (typeof pk !== 'string' || !pk.startsWith(row.partitionKeyPrefix)) return;
    const shard = this.#shards[pk.charCodeAt(pk.length - 1) % shardCount];
    if (!shard) return;
    this.#sequence += 1;
    shard.records.push({ item, at: this.#options.runtime.now, sequence: this.#sequence });
    this.#plan(shard, this.#options.random.between(50, 300));
  }

  #plan(shard: Shard, ms: number): void {
    if (shard.reading || shard.records.length === 0) return;
    shard.reading = true;
    this.#options.runtime.timeline.in(ms, () => this.#read(shard));
  }

  #read(shard: Shard): void {
    const { runtime, off, handler } = this.#options;
    if (off && off.from <= runtime.now && runtime.now < off.to) {
      runtime.timeline.in(off.to - runtime.now, () => this.#read(shard));
      return;
    }
    const fresh = shard.records.filter(({ at }) => runtime.now - at <= retentionMs);
    this.lost += shard.records.length - fresh.length;
    shard.records = fresh;
    const batch = fresh.slice(0, shard.most);
    if (batch.length === 0) {
      shard.reading = false;
      return;
    }
    const event = streamEvent(
      batch.map(({ item }) => item),
      batch.map(({ sequence }) => sequence),
    );
    runtime.invoke(
      'relay-events',
      row.timeoutSeconds * 1_000,
      () => handler(event),
      (answer) => {
        const failed = answer?.batchItemFailures[0]?.itemIdentifier;
        const done = !answer ? 0 : failed === undefined ? batch.length : this.#indexOf(batch, failed);
        for (const { item } of batch.slice(0, done)) this.#options.onRead(item);
        shard.records = shard.records.slice(done);
        this.#next(shard, batch.length, done === batch.length, answer !== undefined);
      },
    );
  }

  #next(shard: Shard, size: number, done: boolean, acknowledged: boolean): void {
    shard.tries = done ? 0 : shard.tries + 1;
    // After a crash the batch is split, so that one record cannot hold up the rest.
    shard.most = done || acknowledged ? row.batchSize : Math.max(1, Math.ceil(size / 2));
    shard.reading = false;
    this.#plan(
      shard,
      done ? this.#options.random.between(20, 200) : Math.min(1_000 * 2 ** shard.tries, longestPauseMs),
    );
  }

  #indexOf(batch: readonly StreamRecord[], sequence: string): number {
    const at = batch.findIndex((record) => String(record.sequence) === sequence);
    if (at < 0) throw new Error(`The stream has no record ${sequence} in this batch`);
    return at;
  }
}
