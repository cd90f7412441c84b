/** Puts another request where a race would put it by chance: before the commit of a function. */
import type { Write } from '../../core/store/write.ts';
import { scripted } from './scripted-dynamo.ts';

export interface Interference {
  /** Which commit: the first whose writes this holds for. */
  readonly when: (writes: readonly Write[]) => boolean;
  /** What comes first. Its own commits pass. */
  readonly first: () => Promise<unknown>;
  /** An injected bug: what is committed in the place of the verb's writes. */
  readonly instead?: ((writes: readonly Write[]) => Write[]) | undefined;
}

/** Runs `verb` with one interference. */
export const interfering = <T>({ when, first, instead }: Interference, verb: () => Promise<T>): Promise<T> =>
  scripted(
    [
      {
        when: ({ operation, input }) => operation === 'TransactWriteItems' && when(input.TransactItems ?? []),
        nth: 1,
        before: first,
        answer: ({ input }, send) =>
          send(instead ? { ...input, TransactItems: instead(input.TransactItems ?? []) } : input),
      },
    ],
    verb,
  );

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

/** The same of all writes of a commit. */
export const bare = (writes: readonly Write[]): Write[] => writes.map(unconditional);

interface Request {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, unknown>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}
