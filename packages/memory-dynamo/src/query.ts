/** Executes queries and scans, page by page. */
import type { QueryCommandInput, QueryCommandOutput, ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { storedSize } from './capacity.ts';
import { comparisons, type KeyCondition, parseCondition, parseKeyCondition } from './expression.ts';
import { begins, checkGiven, nameOf, type Placeholders } from './operands.ts';
import { projectionOf } from './projection.ts';
import { invalid } from './refusals.ts';
import type { Table } from './table.ts';
import { type Item, order, shown } from './value.ts';

export interface Page {
  /** The items that were read, returned or not: they are charged. */
  readonly seen: readonly Item[];
  readonly answer: Partial<QueryCommandOutput>;
}

/** `pageItems` ends the page before the limit of the request. */
export function query(
  table: Table,
  input: QueryCommandInput,
  { pageItems }: { readonly pageItems?: number | undefined },
): Page {
  const { KeyConditionExpression = '', FilterExpression, Limit, ExclusiveStartKey, IndexName, Select } = input;
  if (IndexName !== undefined && input.ConsistentRead) throw invalid('An index has no consistent reads');
  if (Limit !== undefined && Limit < 1) throw invalid('The limit must be at least 1');
  const condition = parseKeyCondition(KeyConditionExpression);
  const filter = FilterExpression === undefined ? undefined : parseCondition(FilterExpression);
  const projection = projectionOf(input);
  checkGiven(input, condition, filter, projection);
  const names = IndexName === undefined ? table.shape.key : table.shape.indexes?.[IndexName];
  for (const given of filter?.attributes ?? []) {
    const name = nameOf(given, input);
    if (names?.includes(name)) throw invalid(`A filter may not contain the key ${name}`);
  }
  const { partition, inRange, from, to } = rangeOf(condition.run, names ?? [], input);

  const most = Math.min(Limit ?? Number.POSITIVE_INFINITY, pageItems ?? Number.POSITIVE_INFINITY);
  const items: Item[] = [];
  const seen: Item[] = [];
  let bytes = 0;
  const walk = { backwards: input.ScanIndexForward === false, after: ExclusiveStartKey, from, to };
  for (const item of table.walk(IndexName, partition, walk)) {
    if (!inRange(item)) continue;
    seen.push(item);
    if (!filter || filter.run(item, input)) items.push(projection.of(item));
    bytes += storedSize(item);
    if (seen.length === most || bytes >= pageBytes) break;
  }
  const isFull = seen.length === most || bytes >= pageBytes;
  const last = seen.at(-1);
  const keyNames = [...new Set([...table.shape.key, ...(names ?? [])])];
  const answer = {
    Count: items.length,
    ScannedCount: seen.length,
    ...(Select !== 'COUNT' && { Items: items }),
    ...(isFull && last && { LastEvaluatedKey: Object.fromEntries(keyNames.map((name) => [name, last[name]])) }),
  };
  return { seen, answer };
}

/** Returns the whole table as one page. */
export function scan(table: Table, input: ScanCommandInput): Page {
  const { FilterExpression, Limit, IndexName, ProjectionExpression, ExclusiveStartKey, Select } = input;
  if ((Limit ?? IndexName ?? ProjectionExpression ?? ExclusiveStartKey ?? Select) !== undefined)
    throw new Error('Only a scan of a whole table is simulated');
  const filter = FilterExpression === undefined ? undefined : parseCondition(FilterExpression);
  checkGiven(input, filter);
  // The first segment contains all items.
  const seen = input.Segment ? [] : [...table.all()];
  const Items = seen.filter((item) => !filter || filter.run(item, input)).map(shown);
  return { seen, answer: { Items, Count: Items.length } };
}

/** The maximum size of a page. */
const pageBytes = 1_048_576;

function rangeOf({ partition, sort }: KeyCondition, names: readonly string[], given: Placeholders) {
  const [partitionName, sortName] = names;
  if (partition.name({}, given) !== partitionName) throw invalid('Query condition missed key schema element');
  const value = partition.value({}, given);
  if (typeof value !== 'string' || value === '') throw invalid('A partition key must be text that is not empty');
  if (!sort) return { partition: value, inRange: () => true };
  if (sort.name({}, given) !== sortName) throw invalid('Query key condition not supported');
  const operands = sort.operands.map((operand) => operand({}, given));
  const [first, second] = operands;
  const test = tests[sort.test];
  if (!test) throw invalid(`Query key condition not supported: ${sort.test}`);
  const from = typeof first === 'string' && !sort.test.startsWith('<') ? first : undefined;
  return { partition: value, inRange: (item: Item) => test(item[sortName ?? ''], first, second), from, to: lastOf() };

  /** Returns a text after which no matching key follows. */
  function lastOf(): string | undefined {
    if (typeof first !== 'string' || sort?.test.startsWith('>')) return undefined;
    return `${sort?.test === 'BETWEEN' ? second : first}${behindAll}`;
  }
}

/** Sorts after every text with the same prefix, in the order of UTF-16, which sort keys have here. */
const behindAll = '\uffff';

const { '<>': _, ...ofKeys } = comparisons;
const tests: Readonly<Record<string, (sort: unknown, first: unknown, second: unknown) => boolean>> = {
  ...ofKeys,
  BETWEEN: (sort, first, second) => (order(sort, first) ?? -1) >= 0 && (order(sort, second) ?? 1) <= 0,
  begins_with: begins,
};
