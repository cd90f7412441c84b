/**
 * Counts the records of a webhook's log, each once and in order, even if it is interrupted
 * (`docs/decisions/statistics.md`). Pure.
 */
import { limits } from '../../../contract/limits.ts';
import { hourMs } from '../../clock.ts';
import { pastGap } from '../../webhooks/registry/gaps.ts';
import type { CountCheckpoint, Registration } from '../../webhooks/registry/registration.ts';
import { addHours, type CountedRecord, countRecord, type Hours, isPending, packHours, unpackHours } from './hours.ts';

/** A checkpoint with at most this many bytes of counts stays below 1 KB, which is one write unit. */
const packedMax = 700;
/** The maximum of numbers whose attempt is not made yet. When there are so many, counting waits for some of them. */
const waitingMax = 300;

type Numbered = CountedRecord & { readonly id: number };

export class Counter {
  readonly #gaps: Registration['gaps'];
  readonly #before: CountCheckpoint;
  readonly #counted: Hours = new Map();
  readonly #waiting: Set<number>;
  #through: number;

  constructor(checkpoint: CountCheckpoint & Pick<Registration, 'sweptThrough' | 'gaps'>) {
    this.#gaps = checkpoint.gaps;
    this.#before = checkpoint;
    this.#through = checkpoint.countedThrough ?? checkpoint.sweptThrough;
    this.#waiting = new Set(checkpoint.waiting);
  }

  /** All records up to this number were read. */
  get through(): number {
    return this.#through;
  }

  /** Lower numbers whose attempt was not made yet when they were read, or that had no record. */
  get waiting(): readonly number[] {
    return [...this.#waiting];
  }

  get isFull(): boolean {
    return this.#waiting.size >= waitingMax;
  }

  /** Whether there is anything that the checkpoint does not contain yet. */
  get hasMoved(): boolean {
    const { countedThrough, waiting = [] } = this.#before;
    return this.#through !== countedThrough || this.#waiting.size !== waiting.length;
  }

  /**
   * Counts the next record of the log, unless it was read before. Lower numbers without a record are remembered, unless
   * they are too old.
   */
  see(record: Numbered, isOld: boolean): void {
    if (isOld) this.#through = Math.max(this.#through, record.id - 1);
    while (this.#through < record.id && !this.isFull) {
      this.#through = pastGap(this.#through, this.#gaps) + 1;
      const isAwaited = isPending(record) && record.trigger !== 'ping';
      if (this.#through < record.id || isAwaited) this.#waiting.add(this.#through);
      else countRecord(this.#counted, record);
    }
  }

  /** The result of a remembered number. A number without a record is remembered until it is too old. */
  lookAgain(number: number, record: CountedRecord | undefined, isGivenUp = false): void {
    if (record ? isPending(record) : !isGivenUp) return;
    if (this.#waiting.delete(number) && record) countRecord(this.#counted, record);
  }

  /** All counts of this checkpoint and counter that are in no segment yet. */
  get hours(): Hours {
    const hours = unpackHours(this.#before.hours);
    addHours(hours, this.#counted);
    return hours;
  }

  /** The next checkpoint, and the counts that move to a segment because the checkpoint is full. */
  next(at: number): { readonly checkpoint: CountCheckpoint; readonly segment?: Uint8Array } {
    const countedAt = Math.max(at, (this.#before.countedAt ?? 0) + 1);
    const counted = { countedThrough: this.#through, waiting: this.waiting, countedAt };
    const { hours: before } = this.#before;
    const all = packHours(withinRetention(this.hours, at));
    if (!before || all.length <= packedMax) return { checkpoint: { ...counted, hours: all } };
    return { checkpoint: { ...counted, hours: packHours(this.#counted) }, segment: before };
  }
}

function withinRetention(hours: Hours, at: number): Hours {
  const oldest = at / hourMs - limits.webhookStatisticsDays * 24 - 1;
  return new Map([...hours].filter(([hour]) => hour > oldest));
}
