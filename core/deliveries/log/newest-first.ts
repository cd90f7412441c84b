/**
 * Reads the log of one webhook backwards from its newest record, a few records at a time, for the list across webhooks.
 */
import { now } from '../../clock.ts';
import { queryPage } from '../../store/read.ts';
import { type AttemptItem, recordsBetween } from '../model/delivery-record.ts';
import { disorderMs } from './number-range.ts';

const chunkMax = 100;

export interface LogFilter {
  readonly matches: (record: AttemptItem) => boolean;
  /** The end of the search: no record before this time is needed. Epoch milliseconds. */
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
  /** The number of the next record to read; 0 at the end. */
  #next: number;
  /**
   * How many records the next call reads: few at first, because other logs may fill the page, and more if no record
   * matches.
   */
  #chunk: number;
  #isFirst = true;
  /** Matching records that were not taken yet, newest first. */
  readonly #found: AttemptItem[] = [];
  /** The creation time of the oldest record that was read. */
  #readDownTo = Number.POSITIVE_INFINITY;

  constructor({ webhookId, number }: LogPosition, chunk: number, filter: LogFilter) {
    this.webhookId = webhookId;
    this.#next = number;
    this.#chunk = chunk;
    this.#filter = filter;
  }

  /** The newest matching record that was read and not taken yet. */
  get newest(): AttemptItem | undefined {
    return this.#found[0];
  }

  /** No remaining record of the log is newer than this: epoch milliseconds. */
  get bound(): number {
    if (this.newest) return Date.parse(this.newest.createdAt);
    return this.#next === 0 ? Number.NEGATIVE_INFINITY : this.#readDownTo;
  }

  /** The position from which to continue; undefined at the end. */
  get position(): LogPosition | undefined {
    const number = this.newest?.id ?? this.#next;
    return number === 0 ? undefined : { webhookId: this.webhookId, number };
  }

  take(): AttemptItem | undefined {
    return this.#found.shift();
  }

  /** Reads at most this many further records; returns how many were read, and 1 for a call that found none. */
  async read(most: number): Promise<number> {
    this.#chunk = Math.min(this.#chunk, most);
    const seen = await this.#chunkOf(false);
    // An eventually consistent read costs half and may miss the newest record; then its first number is too low.
    const isWhole = !this.#isFirst || seen.items[0]?.id === this.#next;
    const { items, isLast } = isWhole ? seen : await this.#chunkOf(true);
    this.#isFirst = false;
    this.#next = isLast ? 0 : (items.at(-1)?.id ?? 1) - 1;
    for (const record of items) this.#see(record);
    if (!this.newest) this.#chunk = Math.min(chunkMax, 2 * this.#chunk);
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
