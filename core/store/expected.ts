/** What an item must be like for a write to take place. */

/** A test of one field: takes the field's name and a way to pass a value, and returns the condition. */
type Test = (field: string, pass: (value: unknown) => string) => string;

/**
 * By field, what was read of it: a value for the same value, `undefined` for a field that was not there. Where equality
 * is not the question, one of the tests below.
 */
export type Expected = Readonly<Record<string, unknown>>;

const equal =
  (value: unknown): Test =>
  (field, pass) =>
    `${field} = ${pass(value)}`;
const absent: Test = (field) => `attribute_not_exists(${field})`;
const present: Test = (field) => `attribute_exists(${field})`;
export const below =
  (value: number): Test =>
  (field, pass) =>
    `${field} < ${pass(value)}`;
export const atMost =
  (value: number): Test =>
  (field, pass) =>
    `${field} <= ${pass(value)}`;
/** Holds for an item without the field, and so where there is no item, too. */
export const absentOr =
  (expected: unknown): Test =>
  (field, pass) =>
    `(${absent(field, pass)} OR ${testOf(expected)(field, pass)})`;

/** No item at that key. */
export const isNew: Expected = { pk: undefined };
/** Some item at that key. */
export const isThere: Expected = { pk: present };

function testOf(expected: unknown): Test {
  if (typeof expected === 'function') return expected as Test;
  return expected === undefined ? absent : equal(expected);
}

/** The placeholders of one request. Every field but the key has one, since many names are reserved words of DynamoDB. */
export class Placeholders {
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};

  field(name: string): string {
    if (name === 'pk') return name;
    const placeholder = `#${name.replace(/\W/g, '_')}`;
    this.#names[placeholder] = name;
    return placeholder;
  }

  /** `use` tells apart a field's new value and the expected one. */
  value(name: string, value: unknown, use = ''): string {
    const placeholder = `:${name.replace(/\W/g, '_')}${use}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  condition(expected: Expected): { ConditionExpression?: string } {
    const conditions = Object.entries(expected).map(([name, one]) =>
      testOf(one)(this.field(name), (value) => this.value(name, value, 'Before')),
    );
    return conditions.length > 0 ? { ConditionExpression: conditions.join(' AND ') } : {};
  }

  /** DynamoDB refuses empty ones. */
  used() {
    return {
      ...(Object.keys(this.#names).length > 0 && { ExpressionAttributeNames: this.#names }),
      ...(Object.keys(this.#values).length > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }
}
