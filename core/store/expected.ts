/** Conditions of a write on the item. */

/** A condition on one field: takes the field's name and a function that adds a value, and returns the expression. */
type Test = (field: string, pass: (value: unknown) => string) => string;

/**
 * For each field the value that was read: the field must still have this value, or still be absent if it is
 * `undefined`. For other conditions, use one of the tests below.
 */
export type Expected = Readonly<Record<string, unknown>>;

const compared = (operator: string, value: unknown): Test => {
  return (field, pass) => `${field} ${operator} ${pass(value)}`;
};
const absent: Test = (field) => `attribute_not_exists(${field})`;
const present: Test = (field) => `attribute_exists(${field})`;
export const below = (value: number) => compared('<', value);
export const atMost = (value: number) => compared('<=', value);
/** True if the item has no such field, or if there is no item. */
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
  return expected === undefined ? absent : compared('=', expected);
}

/**
 * The placeholders of one request. Every field except the key gets one, because many names are reserved in DynamoDB.
 */
export class Placeholders {
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};

  field(name: string): string {
    if (name === 'pk') return name;
    const placeholder = `#${name.replace(/\W/g, '_')}`;
    this.#names[placeholder] = name;
    return placeholder;
  }

  /** `use` distinguishes a field's new value from its expected one. */
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

  /** DynamoDB refuses empty maps. */
  used() {
    return {
      ...(Object.keys(this.#names).length > 0 && { ExpressionAttributeNames: this.#names }),
      ...(Object.keys(this.#values).length > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }
}
