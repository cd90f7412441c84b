/** One webhook's log from its newest record backwards, read bit by bit: a part of the list across webhooks. */
import { now } from '../../clock.ts';
import { queryPage } from '../../store/read.ts';
import { type AttemptItem, recordsBetween } from '../model/delivery-record.ts';
import { disorderMs } from './number-range.ts';

const chunkMax = 100;

export interface LogFilter {
  readonly matches: (record: AttemptItem) => boolean;
  /** Nothing older is asked for: epoch milliseconds. */
  readonly fromMs: number;
}

export interface LogPosition {
  readonly webhookId: number;
  /** The number of the first record to read. */
  readonly number: number;
}

export class NewestFirst {
  readonly webhookId: number;
  readonly #filter: LogFilter;
  /** The number of the next record to read; 0 when there is none. */
  #next: number;
  /** How many records the next call reads: few at first, since others may fill the page, more where nothing matches. */
  #chunk: number;
  #isFirst = true;
  /** Records that match and were not taken yet, newest first. */
  readonly #found: AttemptItem[] = [];
  /** When the oldest record that was read was made. */
  #readDownTo = Number.POSITIVE_INFINITY;

  constructor({ webhookId, number }: LogPosition, chunk: number, filter: LogFilter) {
    this.webhookId = webhookId;
    this.#next = number;
    this.#chunk = chunk;
    this.#filter = filter;
  }

  get head(): AttemptItem | undefined {
    return this.#found[0];
  }

  /** No record that is still to be taken is newer than this: epoch milliseconds. */
  get bound(): number {
    if (this.head) return Date.parse(this.head.createdAt);
    return this.#next === 0 ? Number.NEGATIVE_INFINITY : this.#readDownTo;
  }

  /** Where to go on later; undefined at the end. */
  get position(): LogPosition | undefined {
    const number = this.head?.id ?? this.#next;
    return number === 0 ? undefined : { webhookId: this.webhookId, number };
  }

  take(): AttemptItem | undefined {
    return this.#found.shift();
  }

  /** Reads on, so many at most; returns how many records were read, and 1 for a call that found none. */
  async read(most: number): Promise<number> {
    this.#chunk = Math.min(this.#chunk, most);
    const seen = await this.#chunkOf(false);
    // A read that costs half may not see the newest record yet: then it does not begin with the number it should.
    const isWhole = !this.#isFirst || seen.items[0]?.id === this.#next;
    const { items, isLast } = isWhole ? seen : await this.#chunkOf(true);
    this.#isFirst = false;
    this.#next = isLast ? 0 : (items.at(-1)?.id ?? 1) - 1;
    for (const record of items) this.#see(record);
    if (!this.head) this.#chunk = Math.min(chunkMax, 2 * this.#chunk);
    return Math.max(1, items.length);
  }

  #see(record: AttemptItem): void {
    const madeAt = Date.parse(record.createdAt);
    this.#readDownTo = Math.min(this.#readDownTo, madeAt);
    const isBehind = record.expiresAtSeconds <= now() / 1_000 || madeAt < this.#filter.fromMs - disorderMs;
    if (isBehind) this.#next = 0;
    else if (this.#filter.matches(record)) this.#found.push(record);
  }

  #chunkOf(isConsistent: boolean) {
    return queryPage<AttemptItem>('deliveries', {
      ...recordsBetween(this.webhookId, 1, this.#next),
      ScanIndexForward: false,
      Limit: this.#chunk,
      ConsistentRead: isConsistent,
    });
  }
}
