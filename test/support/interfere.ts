/** Injects another request at the point where a race would be lost: before the commit of a function. */
import type { Write } from '../../core/store/write.ts';
import { scripted } from './scripted-dynamo.ts';

export interface Interference {
  /** Selects the first commit whose writes match. */
  readonly when: (writes: readonly Write[]) => boolean;
  /** Runs before that commit. Its own commits are not intercepted. */
  readonly first: () => Promise<unknown>;
  /** An injected bug: the writes that are committed instead of those of `verb`. */
  readonly instead?: ((writes: readonly Write[]) => Write[]) | undefined;
}

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

/** A write without its condition, as check-then-write would commit it. */
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

/** Removes the conditions from all writes of a commit. */
export const withoutConditions = (writes: readonly Write[]): Write[] => writes.map(unconditional);

interface Request {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, unknown>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}
