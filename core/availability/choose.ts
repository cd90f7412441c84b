/**
 * Which calendars take the parts of a visit (docs/rules.md#visits). Neighbouring parts that one calendar takes are a run:
 * buffers lie around it, not inside it. Pure.
 */
import { minutesPerDay } from './calendar.ts';
import type { ServiceTimes } from './free-starts.ts';

/** A part, in minutes from the start of the whole. */
export interface Span extends ServiceTimes {
  readonly offset: number;
}

/** A staff member or a resource that may take some of the parts. */
export interface Candidate {
  readonly id: number;
  /** Whether it takes a part at all. */
  can(part: number): boolean;
  /** At which of some ascending starts of the whole it is free for the parts from `first` to `last`, in one run: 1 where. */
  fits(starts: readonly number[], first: number, last: number): Uint8Array;
  /** How busy it is on the day of a start. */
  load(start: number): number;
}

/** Parts from `first` to `last` as one appointment: the buffers are those at its ends. */
export function runOf(spans: readonly Span[], first: number, last: number): Span {
  const [from, to] = [spans[first], spans[last]];
  if (!from || !to) throw new RangeError(`There are no parts ${first} to ${last}`);
  return {
    offset: from.offset,
    durationMinutes: to.offset + to.durationMinutes - from.offset,
    bufferBeforeMinutes: from.bufferBeforeMinutes,
    bufferAfterMinutes: to.bufferAfterMinutes,
  };
}

interface Contender<C> {
  readonly one: C;
  /** On the day that is looked at. */
  load: number;
  /** By `first` and `last`: at which starts it is free for these parts; nothing where it does not take all of them. */
  readonly fits: readonly (readonly (Uint8Array | undefined)[])[];
}

interface Found<C> {
  readonly chosen: readonly (C | undefined)[];
  readonly load: number;
  readonly runs: number;
}

/**
 * By start, for those at which a combination works: of these the one with the least busy candidates, and then with the
 * fewest runs. A part that `needs` none has none. The starts are ascending.
 */
export function choose<C extends Candidate>(
  spans: readonly Span[],
  needs: (part: number) => boolean,
  candidates: readonly C[],
  starts: readonly number[],
): Map<number, readonly (C | undefined)[]> {
  const needed = spans.map((_, part) => needs(part));
  const order = candidates.map((one) => contender(one, spans.length, starts));
  /** What the parts from one on cost at least: each the load of the least busy one who takes it. */
  const leastFrom = [...needed.map(() => 0), 0];
  let day = Number.NaN;
  const found = new Map<number, readonly (C | undefined)[]>();
  for (const [at, start] of starts.entries()) {
    if (Math.floor(start / minutesPerDay) !== day) {
      day = Math.floor(start / minutesPerDay);
      // How busy they are depends on the day alone.
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
    for (let last = first; last < parts && one.can(last); last++) runs[last] = one.fits(starts, first, last);
    return runs;
  });
  return { one, load: 0, fits };
}

/** The best combination at one of the starts. The busiest contenders come last. */
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
      // Long runs first: what is found early rules out most of the others.
      for (; last >= part; last--) {
        for (const { one, load: its } of fitting(part, last)) {
          if (!isApart(spans, chosen, one, part)) continue;
          const after = load + (last - part + 1) * its;
          if (isWorse(last + 1, after, runs + 1)) continue;
          chosen.fill(one, part, last + 1);
          search(last + 1, after, runs + 1);
        }
      }
      chosen.fill(undefined, part);
    }
  };
  search(0, 0, 0);
  return best?.chosen;
}

/** A combination has no more runs than parts: of so many candidates for a run one is in no other run of it. */
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

/** Whether a run that begins with `part` keeps clear of the earlier runs of the same candidate, all buffers included. */
function isApart<C>(spans: readonly Span[], chosen: readonly (C | undefined)[], one: C, part: number): boolean {
  if (part > 0 && chosen[part - 1] === one) return false;
  const begin = (spans[part]?.offset ?? 0) - (spans[part]?.bufferBeforeMinutes ?? 0);
  for (let i = 0; i < part; i++) {
    const span = spans[i];
    if (chosen[i] !== one || chosen[i + 1] === one || !span) continue;
    if (span.offset + span.durationMinutes + span.bufferAfterMinutes > begin) return false;
  }
  return true;
}

/** The runs of a combination: who takes which parts in one go. */
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
