/** For negative controls of races. */
import type { Write } from '../../core/store/transact.ts';

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
