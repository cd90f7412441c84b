/**
 * Chooses the calendars for the segments of a visit (docs/rules.md#visits). Consecutive segments in one calendar are a
 * run, with buffers before and after it but not inside it. Pure.
 */
import { minutesPerDay } from './calendar.ts';
import type { ServiceTimes } from './free-starts.ts';

/** A segment, in minutes from the start of the visit. */
export interface Span extends ServiceTimes {
  readonly offset: number;
}

/** A staff member or a resource that may take some of the segments. */
export interface Candidate {
  readonly id: number;
  /** Whether the candidate may take a segment at all. */
  can(part: number): boolean;
  /**
   * For each of the ascending starts of the visit: 1 if the candidate is free for the segments from `first` to `last`
   * as one run.
   */
  fits(starts: readonly number[], first: number, last: number): Uint8Array;
  /** How busy the candidate is on the day of a start. */
  load(start: number): number;
}

/** The segments from `first` to `last` as one appointment: its buffers are those of the first and the last. */
export function runOf(spans: readonly Span[], first: number, last: number): Span {
  const [from, to] = [spans[first], spans[last]];
  if (!from || !to) throw new Error(`There are no parts ${first} to ${last}`);
  return {
    offset: from.offset,
    durationMinutes: to.offset + to.durationMinutes - from.offset,
    bufferBeforeMinutes: from.bufferBeforeMinutes,
    bufferAfterMinutes: to.bufferAfterMinutes,
  };
}

interface Contender<C> {
  readonly one: C;
  /** The load on the day of the start. */
  load: number;
  /**
   * The starts at which the candidate is free for the segments from `first` to `last`; absent if it cannot take all of
   * them.
   */
  readonly fits: readonly (readonly (Uint8Array | undefined)[])[];
}

interface Found<C> {
  readonly chosen: readonly (C | undefined)[];
  readonly load: number;
  readonly runs: number;
}

/**
 * For each start at which a combination is possible, the combination with the least busy candidates, and among those
 * with the fewest runs. The starts are ascending. A segment that `needs` none gets none.
 */
export function choose<C extends Candidate>(
  spans: readonly Span[],
  needs: (part: number) => boolean,
  candidates: readonly C[],
  starts: readonly number[],
): Map<number, readonly (C | undefined)[]> {
  const needed = spans.map((_, part) => needs(part));
  const order = candidates.map((one) => contender(one, spans.length, starts));
  /** The least cost of the segments from one on: for each, the load of the least busy candidate. */
  const leastFrom: number[] = [];
  let day = Number.NaN;
  const found = new Map<number, readonly (C | undefined)[]>();
  for (const [at, start] of starts.entries()) {
    if (Math.floor(start / minutesPerDay) !== day) {
      day = Math.floor(start / minutesPerDay);
      // The load depends only on the day.
      for (const contender of order) contender.load = contender.one.load(start);
      order.sort((a, b) => a.load - b.load || a.one.id - b.one.id);
      for (let part = spans.length - 1; part >= 0; part--) {
        const least = needed[part] ? order.find(({ one }) => one.can(part))?.load : 0;
        leastFrom[part] = (leastFrom[part + 1] ?? 0) + (least ?? 0);
      }
    }
    const best = chooseAt(spans, needed, order, at, leastFrom);
    if (best) found.set(start, best);
  }
  return found;
}

function contender<C extends Candidate>(one: C, parts: number, starts: readonly number[]): Contender<C> {
  const fits = Array.from({ length: parts }, (_, first) => {
    const runs: (Uint8Array | undefined)[] = [];
    for (let last = first; one.can(last); last++) runs[last] = one.fits(starts, first, last);
    return runs;
  });
  return { one, load: 0, fits };
}

/** The best combination at one start. The busiest candidates are tried last. */
function chooseAt<C>(
  spans: readonly Span[],
  needed: readonly boolean[],
  order: readonly Contender<C>[],
  at: number,
  leastFrom: readonly number[],
): readonly (C | undefined)[] | undefined {
  let best: Found<C> | undefined;
  const chosen: (C | undefined)[] = spans.map(() => undefined);

  const known: (readonly Contender<C>[] | undefined)[] = [];
  const fitting = (first: number, last: number): readonly Contender<C>[] => {
    const name = first * spans.length + last;
    const found = known[name] ?? fittingAt(order, at, first, last, spans.length);
    known[name] = found;
    return found;
  };

  const isWorse = (part: number, load: number, runs: number): boolean => {
    if (!best) return false;
    const least = load + (leastFrom[part] ?? 0);
    return least > best.load || (least === best.load && runs + (needed[part] ? 1 : 0) >= best.runs);
  };
  const search = (part: number, load: number, runs: number): void => {
    if (part === spans.length) best = { chosen: [...chosen], load, runs };
    else if (!needed[part]) search(part + 1, load, runs);
    else {
      let last = part;
      while (needed[last + 1]) last++;
      const { offset, bufferBeforeMinutes } = runOf(spans, part, last);
      const begin = offset - bufferBeforeMinutes;
      // Long runs first: a good early result excludes most other combinations.
      for (; last >= part; last--) {
        for (const { one, load: its } of fitting(part, last)) {
          const after = load + (last - part + 1) * its;
          if (isWorse(last + 1, after, runs + 1) || !isApart(spans, chosen, one, begin)) continue;
          chosen.fill(one, part, last + 1);
          search(last + 1, after, runs + 1);
          chosen.fill(undefined, part);
        }
      }
    }
  };
  search(0, 0, 0);
  return best?.chosen;
}

/**
 * A combination has at most as many runs as segments. So among that many candidates for a run, at least one has no
 * other run in the combination.
 */
function fittingAt<C>(
  order: readonly Contender<C>[],
  at: number,
  first: number,
  last: number,
  enough: number,
): Contender<C>[] {
  const found: Contender<C>[] = [];
  for (const contender of order) {
    if (contender.fits[first]?.[last]?.[at] !== 1) continue;
    found.push(contender);
    if (found.length === enough) break;
  }
  return found;
}

/** Whether a run, with the buffer before it, begins only after the earlier runs of the same candidate. */
function isApart<C>(spans: readonly Span[], chosen: readonly (C | undefined)[], one: C, begin: number): boolean {
  return spans.every(
    ({ offset, durationMinutes, bufferAfterMinutes }, i) =>
      chosen[i] !== one || chosen[i + 1] === one || offset + durationMinutes + bufferAfterMinutes <= begin,
  );
}

/** The runs of a combination: which candidate takes which consecutive segments. */
export function runsOf<C extends object>(
  chosen: readonly (C | undefined)[],
): { readonly one: C; readonly first: number; readonly last: number }[] {
  const runs: { one: C; first: number; last: number }[] = [];
  for (const [part, one] of chosen.entries()) {
    const before = runs.at(-1);
    if (!one) continue;
    if (before?.one === one && before.last === part - 1) before.last = part;
    else runs.push({ one, first: part, last: part });
  }
  return runs;
}
