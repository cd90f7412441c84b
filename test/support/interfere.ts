/** Puts something between a verb's reads and its commit, where a race would put it by chance. */
import { dynamo } from '../../core/clients.ts';
import type { Write } from '../../core/store/transact.ts';

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
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues, ...bare } = request as Request;
  const used = (names: Readonly<Record<string, unknown>> = {}) => {
    const left = Object.entries(names).filter(([name]) => bare.UpdateExpression?.includes(name));
    return left.length > 0 ? Object.fromEntries(left) : undefined;
  };
  const [names, values] = [used(ExpressionAttributeNames), used(ExpressionAttributeValues)];
  return {
    [String(kind)]: {
      ...bare,
      ...(names && { ExpressionAttributeNames: names }),
      ...(values && { ExpressionAttributeValues: values }),
    },
  } as Write;
}

interface Request {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, unknown>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}
