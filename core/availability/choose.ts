/**
 * Which calendars take the parts of a visit (docs/rules.md#visits). Neighbouring parts that one calendar takes are a run:
 * buffers lie around it, not inside it. Pure.
 */
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

/** The busiest come last. */
export function byLoad<C extends Candidate>(candidates: readonly C[], start: number): C[] {
  return candidates
    .map((one) => ({ one, load: one.load(start) }))
    .sort((a, b) => a.load - b.load || a.one.id - b.one.id)
    .map(({ one }) => one);
}

interface Found<C> {
  readonly chosen: readonly (C | undefined)[];
  readonly load: number;
  readonly runs: number;
}

/**
 * Of the combinations that work at a start the one with the least busy candidates, and of these the one with the fewest
 * runs; undefined when none works. A part that `needs` none has none. The candidates are in the order of `byLoad`.
 */
export function choose<C extends Candidate>(
  spans: readonly Span[],
  needs: (part: number) => boolean,
  candidates: readonly C[],
  start: number,
): readonly (C | undefined)[] | undefined {
  let best: Found<C> | undefined;

  // A combination has no more runs than parts: of so many candidates for a run one is in no other run of it.
  const fitting = (first: number, last: number): C[] => {
    const found: C[] = [];
    for (const one of candidates) {
      if (!canAll(one, first, last) || !one.fits(start, first, last)) continue;
      found.push(one);
      if (found.length === spans.length) break;
    }
    return found;
  };
  const known = new Map<number, C[]>();
  const fittingOnce = (first: number, last: number): C[] => {
    const name = first * spans.length + last;
    const found = known.get(name) ?? fitting(first, last);
    known.set(name, found);
    return found;
  };

  // What the parts from one on cost at least: each the load of the least busy one who takes it.
  const leastFrom = [...spans.map(() => 0), 0];
  for (let part = spans.length - 1; part >= 0; part--) {
    const one = needs(part) ? candidates.find((candidate) => candidate.can(part)) : undefined;
    leastFrom[part] = (leastFrom[part + 1] ?? 0) + (one?.load(start) ?? 0);
  }

  const lastInRow = (part: number): number => (part + 1 < spans.length && needs(part + 1) ? lastInRow(part + 1) : part);

  const search = (part: number, chosen: readonly (C | undefined)[], load: number, runs: number): void => {
    const least = load + (leastFrom[part] ?? 0);
    const leastRuns = runs + (part < spans.length && needs(part) ? 1 : 0);
    if (best && (least > best.load || (least === best.load && leastRuns >= best.runs))) return;
    if (part === spans.length) best = { chosen, load, runs };
    else if (!needs(part)) search(part + 1, [...chosen, undefined], load, runs);
    else {
      // Long runs first: what is found early rules out most of the others.
      for (let last = lastInRow(part); last >= part; last--) {
        for (const one of fittingOnce(part, last)) {
          if (!isApart(spans, chosen, one, part)) continue;
          const run = Array.from({ length: last - part + 1 }, () => one);
          search(last + 1, [...chosen, ...run], load + run.length * one.load(start), runs + 1);
        }
      }
    }
  };
  search(0, [], 0, 0);
  return best?.chosen;
}

function canAll(one: Candidate, first: number, last: number): boolean {
  for (let part = first; part <= last; part++) if (!one.can(part)) return false;
  return true;
}

/** Whether a run that begins with `part` keeps clear of the earlier runs of the same candidate, all buffers included. */
function isApart<C>(spans: readonly Span[], chosen: readonly (C | undefined)[], one: C, part: number): boolean {
  if (chosen[part - 1] === one) return false;
  const begin = (spans[part]?.offset ?? 0) - (spans[part]?.bufferBeforeMinutes ?? 0);
  return chosen.every((earlier, i) => {
    const span = spans[i];
    if (earlier !== one || chosen[i + 1] === one || !span) return true;
    return span.offset + span.durationMinutes + span.bufferAfterMinutes <= begin;
  });
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
