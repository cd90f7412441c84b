/**
 * Tables that are put back to a second of the past, as docs/runbooks/restore.md says: the writers stop, everything comes to
 * rest, and what the tables held then is what they hold now. The stream of a restored table begins empty.
 */
import type { OutboxItem } from '../../core/events/event.ts';
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Change } from '../../packages/memory-dynamo/src/table.ts';
import type { Item } from '../../packages/memory-dynamo/src/value.ts';
import { tables } from './environment.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { World } from './world.ts';

const restored = ['records', 'deliveries'] as const;

/** In milliseconds from the start. */
export interface RestorePlan {
  /** The second that the tables are put back to. */
  readonly toMs: number;
  /** When the writers stop. */
  readonly stopMs: number;
  /** Plants a bug: the records are put back to a later second than the deliveries. */
  readonly recordsLaterMs?: number;
}

/** The last attempt of what was under way comes within six hours, and sweepers come after it. */
export const stoppedMs = 12 * 3_600_000;
/** A call of a function that has died may still arrive. */
const lookEveryMs = 60_000;

interface RestoreScene {
  readonly world: World;
  readonly store: MemoryDynamo;
  readonly ledger: Ledger;
  /** Nothing runs, and no message waits. */
  readonly isQuiet: () => boolean;
}

export class Restore {
  readonly #scene: RestoreScene;
  readonly #held = new Map<string, readonly Item[]>();
  /** Until the second that the records are put back to. */
  readonly #raised: OutboxItem[] = [];
  isDone = false;

  constructor({ toMs, stopMs, recordsLaterMs = 0 }: RestorePlan, scene: RestoreScene) {
    this.#scene = scene;
    const { timeline } = scene.world;
    for (const store of restored) {
      timeline.in(toMs + (store === 'records' ? recordsLaterMs : 0), () => {
        this.#held.set(tables[store], [...scene.store.table(tables[store]).all()]);
      });
    }
    timeline.in(stopMs, () => this.#look(scene.world.now + stoppedMs, false));
  }

  committed(changes: readonly Change[]): void {
    if (this.#held.has(tables.records)) return;
    for (const { table, before, after } of changes) {
      if (table !== tables.records || before || !String(after?.pk).startsWith('OUTBOX#')) continue;
      this.#raised.push(after as unknown as OutboxItem);
    }
  }

  #look(until: number, wasQuiet: boolean): void {
    const { world, ledger, isQuiet } = this.#scene;
    const quiet = isQuiet();
    if (quiet && wasQuiet) this.#putBack();
    else if (world.now >= until) ledger.findings.say(`nothing comes to rest ${stoppedMs} ms after the writers stopped`);
    else world.timeline.in(lookEveryMs, () => this.#look(until, quiet));
  }

  #putBack(): void {
    const { store, ledger, world } = this.#scene;
    for (const [name, items] of this.#held) {
      const table = store.table(name);
      for (const item of [...table.all()]) table.delete(item);
      for (const item of items) table.put(item);
    }
    this.isDone = true;
    world.trace('restored');
    ledger.restored(this.#raised);
  }
}
