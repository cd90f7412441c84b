/** Replicates the tables of a region: each item independently, in the order of its own changes only. */
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Change } from '../../packages/memory-dynamo/src/table.ts';
import type { Item } from '../../packages/memory-dynamo/src/value.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

interface Sent {
  readonly table: string;
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly committedAt: number;
  arrived: boolean;
}

const keyOf = (table: string, item: Item | undefined) => `${table} ${item?.pk} ${item?.sk ?? ''}`;

export class Replication {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #lagMs: number;
  readonly #to: MemoryDynamo;
  /** When the newest change of an item arrives. */
  readonly #arrivals = new Map<string, number>();
  #sent: Sent[] = [];
  /** When items were last written in the receiving region. */
  readonly #written = new Map<string, number>();
  #isCut = false;

  constructor(timeline: Timeline, random: Random, lagMs: number, to: MemoryDynamo) {
    this.#timeline = timeline;
    this.#random = random;
    this.#lagMs = lagMs;
    this.#to = to;
  }

  committed(changes: readonly Change[]): void {
    const { now: committedAt } = this.#timeline;
    for (const { table, before, after } of changes) {
      const key = keyOf(table, after ?? before);
      const one: Sent = { table, key, before, after, committedAt, arrived: false };
      // Most changes take a part of the lag, some all of it.
      const takes = this.#random.chance(0.2) ? this.#lagMs : this.#random.below(this.#lagMs);
      const at = Math.min(committedAt + this.#lagMs, Math.max(this.#arrivals.get(key) ?? 0, committedAt + takes));
      this.#arrivals.set(key, at);
      this.#sent.push(one);
      this.#timeline.in(at - committedAt, () => {
        if (!this.#isCut) this.#apply(one);
      });
    }
    if (this.#sent.length > 10_000) this.#sent = this.#sent.filter(({ arrived }) => !arrived);
  }

  #apply(one: Sent): void {
    one.arrived = true;
    const table = this.#to.table(one.table);
    if (one.after) table.put(one.after);
    else if (one.before) table.delete(one.before);
  }

  /** The sending region is lost: changes on their way stop. */
  cut(): void {
    this.#isCut = true;
    this.#sent = this.#sent.filter(({ arrived }) => !arrived);
  }

  /** The receiving region was written: of two changes of an item the later one wins. */
  overtaken(changes: readonly Change[]): void {
    for (const { table, before, after } of changes)
      this.#written.set(keyOf(table, after ?? before), this.#timeline.now);
  }

  /** The lost region returns, and sends its remaining changes. Returns the items that it changed. */
  resume(): readonly Item[] {
    const late = this.#sent.filter(({ key, committedAt }) => committedAt > (this.#written.get(key) ?? 0));
    for (const one of late) this.#apply(one);
    return late.flatMap(({ before, after }) => (before || !after ? [] : [after]));
  }
}
