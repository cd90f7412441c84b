/**
 * Counts a webhook's log, each record once and in order, however often it is interrupted
 * (`docs/decisions/statistics.md`). Values in, values out.
 */
import { limits } from '../../../contract/limits.ts';
import { pastGap } from '../../webhooks/registry/gaps.ts';
import type { CountCheckpoint, Registration } from '../../webhooks/registry/registration.ts';
import {
  addHours,
  type CountedRecord,
  countRecord,
  type Hours,
  hourMs,
  isPending,
  packHours,
  unpackHours,
} from './hours.ts';

/** With this much a checkpoint stays below 1 KB, which is one write unit. */
const packedMax = 700;
/** Numbers at most that wait for their attempt. Behind so many, counting waits for some of them. */
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

  /** All records up to this number were seen. */
  get through(): number {
    return this.#through;
  }

  /** Numbers up to there whose attempt was not made when they were seen, or that had no record. */
  get waiting(): readonly number[] {
    return [...this.#waiting];
  }

  get isFull(): boolean {
    return this.#waiting.size >= waitingMax;
  }

  /** Whether there is anything that the checkpoint does not contain already. */
  get hasMoved(): boolean {
    const { countedThrough, waiting = [] } = this.#before;
    return this.#through !== countedThrough || this.#waiting.size !== waiting.length;
  }

  /**
   * The next record of the log; one that was seen before is passed over. Numbers below it without a record wait for
   * theirs, unless it is too old for that.
   */
  see(record: Numbered, isOld: boolean): void {
    if (isOld) this.#through = Math.max(this.#through, record.id - 1);
    while (this.#through < record.id && !this.isFull) {
      this.#through = pastGap(this.#through, this.#gaps) + 1;
      if (this.#through < record.id || isPending(record)) this.#wait(this.#through, record);
      else countRecord(this.#counted, record);
    }
  }

  #wait(number: number, { id, trigger }: Numbered): void {
    if (number < id || trigger !== 'ping') this.#waiting.add(number);
  }

  /** What became of a number that waited. One without a record goes on waiting until it is given up. */
  lookAgain(number: number, record: CountedRecord | undefined, isGivenUp = false): void {
    if (record ? isPending(record) : !isGivenUp) return;
    if (this.#waiting.delete(number) && record) countRecord(this.#counted, record);
  }

  /** All that this checkpoint and counter have, and no segment yet. */
  get hours(): Hours {
    const hours = unpackHours(this.#before.hours);
    addHours(hours, this.#counted);
    return hours;
  }

  /** The next checkpoint, and what moves to a segment because the checkpoint has no room for it. */
  next(at: number): { readonly checkpoint: CountCheckpoint; readonly segment?: Uint8Array } {
    const countedAt = Math.max(at, (this.#before.countedAt ?? 0) + 1);
    const counted = { countedThrough: this.#through, waiting: this.waiting, countedAt };
    const { hours: before } = this.#before;
    const all = packHours(kept(this.hours, at));
    if (!before || all.length <= packedMax) return { checkpoint: { ...counted, hours: all } };
    return { checkpoint: { ...counted, hours: packHours(this.#counted) }, segment: before };
  }
}

function kept(hours: Hours, at: number): Hours {
  const oldest = at / hourMs - limits.webhookStatisticsDays * 24 - 1;
  return new Map([...hours].filter(([hour]) => hour > oldest));
}
