/** Goes through all items that may contain data of a client, page after page, from a position on. */
import { pages } from '../store/read.ts';
import type { Person } from './about-person.ts';
import type { ErasurePosition } from './message.ts';
import type { Step, Trace } from './steps.ts';

interface Walk {
  readonly steps: readonly Step[];
  readonly from?: ErasurePosition | undefined;
  /** Items that a page reads at most. */
  readonly pageSize?: number;
  /** Whether to read indexes where a step has one. */
  readonly indexed?: boolean;
  /** Handles the client's data of one page. */
  found(traces: readonly Trace[]): Promise<unknown>;
  /** Called after each page and each part: whether to continue. */
  goesOn(): boolean;
}

/** Returns the position from which to continue, or nothing at the end. An unknown position means the beginning. */
export async function walk(
  person: Person,
  { steps, from, pageSize, indexed, found, goesOn }: Walk,
): Promise<ErasurePosition | undefined> {
  const first = steps.findIndex(({ name }) => name === from?.step);
  for (const step of steps.slice(Math.max(0, first))) {
    const position = step.name === from?.step ? from : undefined;
    for (const { part, query } of (indexed && step.indexed?.(person)) || (await step.parts(person))) {
      if (position && part < position.part) continue;
      const after = part === position?.part ? position.after : undefined;
      for await (const { items, next } of pages<object>(step.store, {
        ...query,
        ...(pageSize !== undefined && { Limit: pageSize }),
        ...(after && { ExclusiveStartKey: after }),
      })) {
        await found(await step.find(person, items));
        if (next && !goesOn()) return { step: step.name, part, after: next as ErasurePosition['after'] };
      }
      if (!goesOn()) return { step: step.name, part: part + 1 };
    }
  }
  return undefined;
}
