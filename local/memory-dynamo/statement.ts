/** Statements in PartiQL, in the two forms that `core/store/write-each.ts` writes. Each text is parsed once. */
import { invalid } from './refusals.ts';
import type { Item } from './value.ts';

export interface Statement {
  readonly kind: 'insert' | 'update';
  readonly table: string;
  /** Of an insert the whole item, of an update what is set. */
  readonly fields: readonly string[];
  /** Of an update what the item must have, its key among it. */
  readonly expected: readonly string[];
}

const insert = /^INSERT INTO "([^"]+)" VALUE \{(.*)\}$/;
const update = /^UPDATE "([^"]+)" SET (.*) WHERE (.*)$/;
const parsed = new Map<string, Statement>();

export function parseStatement(text: string): Statement {
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

/** The parameters by name, from the given place on. */
export function named(names: readonly string[], parameters: readonly unknown[], from: number): Item {
  return Object.fromEntries(names.map((name, i) => [name, parameters[from + i]]));
}
