/**
 * Restores tables to a second of the past, as in docs/runbooks/restore.md: the writers stop, everything comes to an
 * end, and the tables get their state of that second. The stream of a restored table begins empty.
 */
import type { OutboxItem } from '../../core/events/event.ts';
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Change } from '../../packages/memory-dynamo/src/table.ts';
import type { Item } from '../../packages/memory-dynamo/src/value.ts';
import type { Checkers } from './checkers/checkers.ts';
import { tables } from './environment.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

const restored = ['records', 'deliveries'] as const;

/** All times are in milliseconds from the start. */
export interface RestorePlan {
  /** The second to which the tables are restored. */
  readonly toMs: number;
  readonly stopMs: number;
  /** An injected bug: the records are restored to a later second than the deliveries. */
  readonly recordsLaterMs?: number;
}

/** Open deliveries make their last attempt within six hours, and sweepers run after it. */
export const stoppedMs = 12 * 3_600_000;
/** Calls of a dead function may still arrive. */
const lookEveryMs = 60_000;

interface RestoreParts {
  readonly runtime: SimulatedRuntime;
  readonly store: MemoryDynamo;
  readonly checkers: Checkers;
  readonly isQuiet: () => boolean;
}

export class Restore {
  readonly #observed: RestoreParts;
  readonly #held = new Map<string, readonly Item[]>();
  /** Events until the second to which the records are restored. */
  readonly #raised: OutboxItem[] = [];
  isDone = false;

  constructor({ toMs, stopMs, recordsLaterMs = 0 }: RestorePlan, observed: RestoreParts) {
    this.#observed = observed;
    const { timeline } = observed.runtime;
    for (const store of restored) {
      timeline.in(toMs + (store === 'records' ? recordsLaterMs : 0), () => {
        this.#held.set(tables[store], [...observed.store.table(tables[store]).all()]);
      });
    }
    timeline.in(stopMs, () => this.#look(observed.runtime.now + stoppedMs, false));
  }

  committed(changes: readonly Change[]): void {
    if (this.#held.has(tables.records)) return;
    for (const { table, before, after } of changes) {
      if (table !== tables.records || before || !String(after?.pk).startsWith('OUTBOX#')) continue;
      this.#raised.push(after as unknown as OutboxItem);
    }
  }

  #look(until: number, wasQuiet: boolean): void {
    const { runtime, checkers, isQuiet } = this.#observed;
    const quiet = isQuiet();
    if (quiet && wasQuiet) this.#putBack();
    else if (runtime.now >= until)
      checkers.findings.report(`nothing comes to rest ${stoppedMs} ms after the writers stopped`);
    else runtime.timeline.in(lookEveryMs, () => this.#look(until, quiet));
  }

  #putBack(): void {
    const { store, checkers, runtime } = this.#observed;
    for (const [name, items] of this.#held) {
      const table = store.table(name);
      for (const item of [...table.all()]) table.delete(item);
      for (const item of items) table.put(item);
    }
    this.isDone = true;
    runtime.trace('restored');
    checkers.restored(this.#raised);
  }
}
