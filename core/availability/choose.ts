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
  /** Whether it is free for the parts from `first` to `last`, in one run, when the whole begins at `start`. */
  fits(start: number, first: number, last: number): boolean;
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

interface Loaded<C> {
  readonly one: C;
  readonly load: number;
}

interface Found<C> {
  readonly chosen: readonly (C | undefined)[];
  readonly load: number;
  readonly runs: number;
}

/**
 * Of the combinations that work at a start the one with the least busy candidates, and of these the one with the fewest
 * runs; undefined when none works. A part that `needs` none has none. Who asks about many starts asks in their order.
 */
export function chooser<C extends Candidate>(
  spans: readonly Span[],
  needs: (part: number) => boolean,
  candidates: readonly C[],
): (start: number) => readonly (C | undefined)[] | undefined {
  const needed = spans.map((_, part) => needs(part));
  /** How busy they are depends on the day alone: the busiest come last. */
  let day = Number.NaN;
  let order: readonly Loaded<C>[] = [];
  /** What the parts from one on cost at least: each the load of the least busy one who takes it. */
  let leastFrom: number[] = [];
  const beginDay = (start: number) => {
    day = Math.floor(start / minutesPerDay);
    order = candidates
      .map((one) => ({ one, load: one.load(start) }))
      .sort((a, b) => a.load - b.load || a.one.id - b.one.id);
    leastFrom = [...needed.map(() => 0), 0];
    for (let part = spans.length - 1; part >= 0; part--) {
      const least = needed[part] ? order.find(({ one }) => one.can(part))?.load : 0;
      leastFrom[part] = (leastFrom[part + 1] ?? 0) + (least ?? 0);
    }
  };

  return (start) => {
    if (Math.floor(start / minutesPerDay) !== day) beginDay(start);
    let best: Found<C> | undefined;
    const chosen: (C | undefined)[] = spans.map(() => undefined);

    const known: (readonly Loaded<C>[] | undefined)[] = [];
    const fitting = (first: number, last: number): readonly Loaded<C>[] => {
      const name = first * spans.length + last;
      const found = known[name] ?? fittingOf(order, start, first, last, spans.length);
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
  };
}

/** A combination has no more runs than parts: of so many candidates for a run one is in no other run of it. */
function fittingOf<C extends Candidate>(
  order: readonly Loaded<C>[],
  start: number,
  first: number,
  last: number,
  enough: number,
): Loaded<C>[] {
  const found: Loaded<C>[] = [];
  for (const loaded of order) {
    if (!canAll(loaded.one, first, last) || !loaded.one.fits(start, first, last)) continue;
    found.push(loaded);
    if (found.length === enough) break;
  }
  return found;
}

function canAll(one: Candidate, first: number, last: number): boolean {
  for (let part = first; part <= last; part++) if (!one.can(part)) return false;
  return true;
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
