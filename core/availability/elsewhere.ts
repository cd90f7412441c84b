/**
 * Busy times of a staff member from other calendars (docs/rules.md#busy-elsewhere), compressed as the item of the staff
 * member stores them.
 */
import type { StaffItem } from '../catalog/items.ts';
import type { Interval } from './intervals.ts';

/**
 * The first byte of the stored form. Numbers of seven bits a byte follow, lowest bits first; each number is the minutes
 * since the previous one.
 */
const gapsFormat = 1;

/** `blocks` is in epoch minutes, ascending, with gaps in between. */
export function packBlocks(blocks: readonly Interval[]): Uint8Array {
  const bytes = [gapsFormat];
  let before = 0;
  for (const minute of blocks.flatMap(({ start, end }) => [start, end])) {
    let rest = minute - before;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
    before = minute;
  }
  return Uint8Array.from(bytes);
}

/** Throws for an unknown format, because busy time must never be read as free. */
export function unpackBlocks(packed: Uint8Array): Interval[] {
  if (packed[0] !== gapsFormat) throw new Error(`Blocks are stored in an unknown format: ${packed[0]}`);
  const minutes: number[] = [];
  let [gap, shift] = [0, 0];
  for (const byte of packed.subarray(1)) {
    gap |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte > 0x7f) continue;
    minutes.push((minutes.at(-1) ?? 0) + gap);
    [gap, shift] = [0, 0];
  }
  return minutes.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: minutes[i + 1] ?? start }] : []));
}

/** Busy times of all sources, in no order. */
export function elsewhereOf({ elsewhere = {} }: Pick<StaffItem, 'elsewhere'>): Interval[] {
  return Object.values(elsewhere).flatMap(({ blocks }) => unpackBlocks(blocks));
}
