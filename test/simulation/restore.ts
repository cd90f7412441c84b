/**
 * Tables that are put back to a second of the past, as in docs/runbooks/restore.md: the writers stop, everything comes to
 * rest, and what the tables held then is what they hold now. The stream of a restored table begins empty.
 */
import type { OutboxItem } from '../../core/events/event.ts';
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Change } from '../../packages/memory-dynamo/src/table.ts';
import type { Item } from '../../packages/memory-dynamo/src/value.ts';
import type { Checkers } from './checkers/checkers.ts';
import { tables } from './environment.ts';
import type { World } from './world.ts';

const restored = ['records', 'deliveries'] as const;

/** In milliseconds from the start. */
export interface RestorePlan {
  /** The second that the tables are put back to. */
  readonly toMs: number;
  /** When the writers stop. */
  readonly stopMs: number;
  /** An injected bug: the records are put back to a later second than the deliveries. */
  readonly recordsLaterMs?: number;
}

/** The last attempt of what was under way comes within six hours, and sweepers come after it. */
export const stoppedMs = 12 * 3_600_000;
/** A call of a function that has died may still arrive. */
const lookEveryMs = 60_000;

interface RestoreParts {
  readonly world: World;
  readonly store: MemoryDynamo;
  readonly checkers: Checkers;
  /** Nothing runs, and no message waits. */
  readonly isQuiet: () => boolean;
}

export class Restore {
  readonly #observed: RestoreParts;
  readonly #held = new Map<string, readonly Item[]>();
  /** Until the second that the records are put back to. */
  readonly #raised: OutboxItem[] = [];
  isDone = false;

  constructor({ toMs, stopMs, recordsLaterMs = 0 }: RestorePlan, observed: RestoreParts) {
    this.#observed = observed;
    const { timeline } = observed.world;
    for (const store of restored) {
      timeline.in(toMs + (store === 'records' ? recordsLaterMs : 0), () => {
        this.#held.set(tables[store], [...observed.store.table(tables[store]).all()]);
      });
    }
    timeline.in(stopMs, () => this.#look(observed.world.now + stoppedMs, false));
  }

  committed(changes: readonly Change[]): void {
    if (this.#held.has(tables.records)) return;
    for (const { table, before, after } of changes) {
      if (table !== tables.records || before || !String(after?.pk).startsWith('OUTBOX#')) continue;
      this.#raised.push(after as unknown as OutboxItem);
    }
  }

  #look(until: number, wasQuiet: boolean): void {
    const { world, checkers, isQuiet } = this.#observed;
    const quiet = isQuiet();
    if (quiet && wasQuiet) this.#putBack();
    else if (world.now >= until)
      checkers.findings.report(`nothing comes to rest ${stoppedMs} ms after the writers stopped`);
    else world.timeline.in(lookEveryMs, () => this.#look(until, quiet));
  }

  #putBack(): void {
    const { store, checkers, world } = this.#observed;
    for (const [name, items] of this.#held) {
      const table = store.table(name);
      for (const item of [...table.all()]) table.delete(item);
      for (const item of items) table.put(item);
    }
    this.isDone = true;
    world.trace('restored');
    checkers.restored(this.#raised);
  }
}
