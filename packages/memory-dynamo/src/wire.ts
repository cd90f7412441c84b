/** Translates between the attribute values of DynamoDB's HTTP API (`{ "S": "x" }`) and the values of an item. */
import { invalid } from './refusals.ts';
import { type Item, isRounded } from './value.ts';

/** An attribute value as JSON: one type letter with its value. */
export type WireValue = Readonly<Record<string, unknown>>;
export type WireItem = Readonly<Record<string, WireValue>>;

type Json = Readonly<Record<string, unknown>>;

/** DynamoDB accepts this many levels, the innermost value included. */
const levelsMax = 32;

const ofLetter: Readonly<Record<string, (value: unknown, levels: number) => unknown>> = {
  S: textOf,
  N: (value) => numberOf(textOf(value)),
  B: (value) => new Uint8Array(Buffer.from(textOf(value), 'base64')),
  BOOL: (value) => value === true,
  NULL: () => null,
  L: (value, levels) => (value as WireValue[]).map((one) => fromWireValue(one, levels - 1)),
  M: (value, levels) => fromWireItem(value as WireItem, levels - 1),
};

function fromWireValue(value: WireValue, levels = levelsMax): unknown {
  if (levels < 1) throw invalid(`A value has more than ${levelsMax} levels`);
  const [[letter = '', inner] = []] = Object.entries(value);
  const read = ofLetter[letter];
  if (!read) throw invalid(`Values of the type ${letter} are not supported in memory`);
  return read(inner, levels);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw invalid(`${JSON.stringify(value)} is not a string`);
  return value;
}

/** Throws for integers that JavaScript would round. Decimals are rounded. */
function numberOf(text: string): number {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw invalid(`${text} is not a number`);
  const number = Number(text);
  if (!Number.isFinite(number) || isRounded(number)) throw invalid(`${text} is too large a number here`);
  return number;
}

/** Throws for values with more levels of lists and maps. */
export function fromWireItem(item: WireItem, levels = levelsMax): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, fromWireValue(value, levels)]));
}

function toWireValue(value: unknown): WireValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  return Array.isArray(value) ? { L: value.map(toWireValue) } : { M: toWireItem(value as Item) };
}

export function toWireItem(item: Item): WireItem {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toWireValue(value)]));
}

const each = (translate: (one: never) => unknown) => (all: unknown) => (all as never[]).map((one) => translate(one));

/** The fields of requests that contain attribute values. */
const fieldsOfInput: Readonly<Record<string, (value: never) => unknown>> = {
  Item: fromWireItem,
  Key: fromWireItem,
  ExclusiveStartKey: fromWireItem,
  ExpressionAttributeValues: fromWireItem,
  Keys: each(fromWireItem),
  Parameters: each(fromWireValue),
  // The names inside are those of tables.
  RequestItems: (tables: Json) => valuesOf(tables, (one) => translated(one, fieldsOfInput)),
};

/** The fields of responses that contain items. */
const fieldsOfOutput: typeof fieldsOfInput = {
  Item: toWireItem,
  Attributes: toWireItem,
  LastEvaluatedKey: toWireItem,
  Items: each(toWireItem),
  Responses: (found: readonly Json[] | Readonly<Record<string, Item[]>>) =>
    Array.isArray(found)
      ? found.map((one) => translated(one, fieldsOfOutput))
      : valuesOf(found as Json, each(toWireItem)),
};

/** The input of a command of the document client, from the body of an HTTP request. */
export function fromWire(body: object): object {
  return translated(body, fieldsOfInput) as object;
}

/** The body of an HTTP response, from the output of a command. */
export function toWire(output: object): object {
  return translated(output, fieldsOfOutput) as object;
}

function translated(value: unknown, fields: typeof fieldsOfInput): unknown {
  if (Array.isArray(value)) return value.map((one) => translated(one, fields));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const translate = fields[name] as ((value: unknown) => unknown) | undefined;
    return [name, one !== undefined && translate ? translate(one) : translated(one, fields)];
  });
  return Object.fromEntries(entries);
}

function valuesOf(table: Json, translate: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, translate(value)]));
}
