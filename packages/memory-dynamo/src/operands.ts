/** Operations on the attributes of an item in expressions: read, compare and replace. */
import { inapplicable, invalid } from './refusals.ts';
import { equal, type Item, isRounded, order } from './value.ts';

/** The names and values that a request gives for the placeholders of an expression. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

/** The placeholders that an expression needs. */
export interface Uses {
  /** All placeholders in the text: DynamoDB rejects a request that gives more. */
  readonly uses: ReadonlySet<string>;
  /** The names or placeholders of all top-level attributes in the text. */
  readonly attributes: ReadonlySet<string>;
  /** The paths that an update changes. */
  readonly targets: readonly Path[];
  /** Placeholders of the two ends of a range: DynamoDB rejects one that ends before it begins. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** The path to an attribute, through maps. */
export type Path = readonly string[];

export function nameOf(name: string, { ExpressionAttributeNames }: Placeholders): string {
  if (!name.startsWith('#')) return name;
  const real = ExpressionAttributeNames?.[name];
  if (real === undefined) throw invalid(`An expression attribute name is not defined: ${name}`);
  return real;
}

export function read(item: Item, path: Path, given: Placeholders): unknown {
  let value: unknown = item;
  for (const name of path) {
    if (!isMap(value)) return undefined;
    value = value[nameOf(name, given)];
  }
  return value;
}

/** Copies the values along the path, so that other references to the old value do not change. */
export function write(item: Item, path: Path, given: Placeholders, value: unknown): void {
  let target = item;
  for (const outer of path.slice(0, -1)) {
    const inner = target[nameOf(outer, given)];
    if (!isMap(inner)) throw inapplicable('The document path is invalid for update');
    const copy = { ...inner };
    target[nameOf(outer, given)] = copy;
    target = copy;
  }
  const name = nameOf(path.at(-1) ?? '', given);
  if (value === undefined) delete target[name];
  else target[name] = value;
}

function isMap(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function existing(value: unknown): unknown {
  if (value === undefined) throw inapplicable('The expression refers to an attribute that does not exist in the item');
  return value;
}

export function sum(one: unknown, other: unknown): number {
  if (typeof one !== 'number' || typeof other !== 'number') throw inapplicable('An operand is no number');
  const total = one + other;
  if (isRounded(total)) throw inapplicable(`${total} is too large a number here`);
  return total;
}

export function begins(whole: unknown, part: unknown): boolean {
  return typeof whole === 'string' && typeof part === 'string' && whole.startsWith(part);
}

export function contains(whole: unknown, part: unknown): boolean {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  return Array.isArray(whole) && whole.some((one) => equal(one, part));
}

/** `type` is the type letter of DynamoDB. Binaries are not supported. */
export function isOfType(value: unknown, type: unknown): boolean {
  const letter = letters.find(([, is]) => is(value))?.[0];
  return letter !== undefined && letter === type;
}

const letters: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['S', (value) => typeof value === 'string'],
  ['N', (value) => typeof value === 'number'],
  ['BOOL', (value) => typeof value === 'boolean'],
  ['NULL', (value) => value === null],
  ['L', Array.isArray],
  ['M', (value) => value?.constructor === Object],
];

/** DynamoDB rejects an update that changes an attribute of the key, or one attribute twice. */
export function checkTargets(targets: readonly Path[], key: readonly string[], given: Placeholders): void {
  const paths = targets.map((path) => path.map((name) => nameOf(name, given)));
  for (const [at, path] of paths.entries()) {
    if (key.includes(path[0] ?? '')) throw invalid(`The attribute ${path[0]} is part of the key`);
    const overlaps = (other: Path) => other.every((name, i) => i >= path.length || name === path[i]);
    if (paths.slice(0, at).some(overlaps))
      throw invalid(`Two document paths overlap with each other: ${path.join('.')}`);
  }
}

/** DynamoDB rejects a request with a placeholder that no expression uses. */
export function checkGiven(
  { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Placeholders,
  ...texts: (Partial<Uses> | undefined)[]
): void {
  for (const given of [names, values]) {
    for (const name in given) {
      if (given[name] !== undefined && !texts.some((text) => text?.uses?.has(name))) {
        throw invalid(`${name} is unused in expressions`);
      }
    }
  }
  for (const [from, to] of texts.flatMap((text) => text?.ranges ?? [])) {
    if ((order(values[from], values[to]) ?? 0) > 0) throw invalid('The BETWEEN operator: upper bound first');
  }
}
