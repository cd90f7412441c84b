/** Puts something between a verb's reads and its commit, where a race would put it by chance. */
import { dynamo } from '../../core/clients.ts';
import type { Write } from '../../core/records/transact.ts';

export interface Interference {
  /** Which commit: the first whose writes this holds for. */
  readonly when: (writes: readonly Write[]) => boolean;
  /** What comes first. Its own commits pass. */
  readonly first: () => Promise<unknown>;
  /** Plants a bug: what is committed in the place of the verb's writes. */
  readonly instead?: (writes: readonly Write[]) => Write[];
}

/** Runs `verb` with one interference. */
export async function interfering<T>({ when, first, instead }: Interference, verb: () => Promise<T>): Promise<T> {
  let waiting = true;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input = args.input as { TransactItems?: Write[] };
        if (commandName !== 'TransactWriteItemsCommand' || !waiting || !when(input.TransactItems ?? []))
          return next(args);
        waiting = false;
        await first();
        return next(
          instead ? { ...args, input: { ...args.input, TransactItems: instead(input.TransactItems ?? []) } } : args,
        );
      },
    { name: 'interfering', step: 'initialize', override: true },
  );
  try {
    return await verb();
  } finally {
    dynamo().middlewareStack.remove('interfering');
  }
}

/** A write without its condition: what check-then-write would commit. */
export function unconditional(write: Write): Write {
  const [kind, request] = Object.entries(write)[0] ?? [];
  const { ConditionExpression: _, ...rest } = request as Record<string, unknown>;
  const values = rest.ExpressionAttributeValues as Record<string, unknown> | undefined;
  const update = String(rest.UpdateExpression ?? '');
  const used = Object.entries(values ?? {}).filter(([name]) => update.includes(name));
  const { ExpressionAttributeValues: __, ...bare } = rest;
  return {
    [String(kind)]: { ...bare, ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) }) },
  } as Write;
}
