/** PartiQL statements in the two forms that `core/store/write-each.ts` writes. Each text is parsed once. */
import { invalid } from './refusals.ts';
import type { Change, Table } from './table.ts';
import { equal, type Item, stored } from './value.ts';

interface Statement {
  readonly kind: 'insert' | 'update';
  readonly table: string;
  /** The whole item of an insert, or the fields that an update sets. */
  readonly fields: readonly string[];
  /** The attributes, including the key, that the item of an update must have. */
  readonly expected: readonly string[];
}

export interface PlannedStatement {
  readonly table: string;
  readonly key: Item;
  readonly change: Change;
  /** The reason why the statement changes nothing. */
  readonly refusal?: 'DuplicateItem' | 'ConditionalCheckFailed' | undefined;
}

const insert = /^INSERT INTO "([^"]+)" VALUE \{(.*)\}$/;
const update = /^UPDATE "([^"]+)" SET (.*) WHERE (.*)$/;
const parsed = new Map<string, Statement>();

function parseStatement(text: string): Statement {
  const known = parsed.get(text);
  if (known) return known;
  const statement = parse(text);
  parsed.set(text, statement);
  return statement;
}

function parse(text: string): Statement {
  const [, insertTable, insertFields] = insert.exec(text) ?? [];
  if (insertTable !== undefined && insertFields !== undefined) {
    const fields = namesIn(insertFields, /, /, /^'([^']+)': \?$/);
    return { kind: 'insert', table: insertTable, fields, expected: [] };
  }
  const [, table, set, where] = update.exec(text) ?? [];
  if (table === undefined || set === undefined || where === undefined) throw invalid(`Not simulated: ${text}`);
  const [fields, expected] = [namesIn(set, /, /, /^"([^"]+)" = \?$/), namesIn(where, / AND /, /^"([^"]+)" = \?$/)];
  return { kind: 'update', table, fields, expected };
}

function namesIn(text: string, between: RegExp, one: RegExp): string[] {
  return text.split(between).map((part) => {
    const name = one.exec(part)?.[1];
    if (name === undefined) throw invalid(`Not simulated: ${part}`);
    return name;
  });
}

/** Returns the effect that the statement would have now. Throws if the number of parameters is wrong. */
export function planStatement(
  text: string,
  parameters: readonly unknown[],
  tableOf: (name: string) => Table,
): PlannedStatement {
  const { kind, table: name, fields, expected } = parseStatement(text);
  if (parameters.length !== fields.length + expected.length || parameters.includes(undefined)) {
    throw invalid('The number of parameters does not fit the statement');
  }
  const table = tableOf(name);
  const values = stored(named(fields, parameters, 0));
  const where = kind === 'insert' ? values : named(expected, parameters, fields.length);
  const key = Object.fromEntries(table.shape.key.map((part) => [part, where[part]]));
  const before = table.get(key);
  if (kind === 'insert') {
    return { table: name, key, change: { table: name, before, after: values }, refusal: before && 'DuplicateItem' };
  }
  const asExpected = before && Object.entries(where).every(([field, value]) => equal(before[field], value));
  const change = { table: name, before, after: { ...before, ...values } };
  return { table: name, key, change, refusal: asExpected ? undefined : 'ConditionalCheckFailed' };
}

/** The parameters by name, from the given position on. */
function named(names: readonly string[], parameters: readonly unknown[], from: number): Item {
  return Object.fromEntries(names.map((name, i) => [name, parameters[from + i]]));
}
