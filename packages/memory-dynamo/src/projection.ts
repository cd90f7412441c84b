/** The projection of items in a response. */
import { parseProjection } from './expression.ts';
import type { Placeholders } from './operands.ts';
import { type Item, shown } from './value.ts';

export interface Projection {
  /** The placeholders in the expression. */
  readonly uses?: ReadonlySet<string>;
  of(item: Item): Item;
}

/** Without an expression the projection returns whole items. */
export function projectionOf(input: Placeholders & { readonly ProjectionExpression?: string | undefined }): Projection {
  if (input.ProjectionExpression === undefined) return { of: shown };
  const { run, uses } = parseProjection(input.ProjectionExpression);
  const names = run.map((name) => name({}, input));
  return {
    uses,
    of: (item) => Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  };
}
