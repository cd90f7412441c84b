/** When other calendars say that a staff member is busy (docs/rules.md#busy-elsewhere), packed as the staff item holds it. */
import type { StaffItem } from '../catalog/items.ts';
import type { Interval } from './intervals.ts';

/** The first byte: numbers of seven bits a byte follow, lowest first, each the minutes since the one before. */
const gapsFormat = 1;

/** Epoch minutes, ascending, with a gap between any two. */
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

/** Throws for a format that this version does not know: what is taken must not be read as free. */
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

/** Of all sources, in no order. */
export function elsewhereOf({ elsewhere = {} }: Pick<StaffItem, 'elsewhere'>): Interval[] {
  return Object.values(elsewhere).flatMap(({ blocks }) => unpackBlocks(blocks));
}
