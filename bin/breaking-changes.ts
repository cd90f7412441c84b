/** Finds the changes of an OpenAPI document that break programs for an earlier version. */

type Json = Readonly<Record<string, unknown>>;
interface Schema {
  readonly [keyword: string]: unknown;
}
/** `taken` is what integrators send: it may not require more. `sent` is what they receive: it may not become less. */
type Direction = 'taken' | 'sent';

const lowerBounds = ['minimum', 'minLength', 'minItems'];
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Returns a sentence for each breaking change; empty if every client of `before` works with `after`. */
export function breakingChanges(before: Json, after: Json): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const objectAt = (at: unknown, name: string) => ((at as Json | undefined)?.[name] ?? {}) as Json;
  const get = (document: Json, value: unknown): Schema => {
    const ref = (value as { $ref?: string } | undefined)?.$ref;
    if (ref === undefined) return (value ?? {}) as Schema;
    return get(document, ref.slice(2).split('/').reduce<unknown>(objectAt, document));
  };

  const compare = (old: unknown, now: unknown, direction: Direction, path: string): void => {
    const [was, is] = [get(before, old), get(after, now)];
    // Recursive schemas, and schemas that are used often, are compared once.
    const pair = `${direction} ${(old as Schema | undefined)?.$ref} ${(now as Schema | undefined)?.$ref}`;
    if (!pair.includes('undefined') && seen.size === seen.add(pair).size) return;
    for (const keyword of ['type', 'format', 'const']) {
      const [a, b] = [was[keyword], is[keyword]].map((value) => JSON.stringify(value));
      if (a !== b && !(direction === 'taken' && b === undefined))
        found.push(`${path}: ${keyword} was ${a} and is ${b}`);
    }
    if (direction === 'taken' && is.enum) {
      for (const value of (was.enum as unknown[] | undefined) ?? ['any value'])
        if (!(is.enum as unknown[]).includes(value)) found.push(`${path}: ${value} is no longer taken`);
    }
    for (const bound of direction === 'taken' ? [...lowerBounds, ...upperBounds] : []) {
      const [a, b] = [was[bound], is[bound]] as (number | undefined)[];
      const isTighter = b !== undefined && (a === undefined || (upperBounds.includes(bound) ? b < a : b > a));
      if (isTighter) found.push(`${path}: ${bound} was ${a ?? 'not limited'} and is ${b}`);
    }
    const [required, stillRequired] = [was, is].map(({ required = [] }) => required as string[]) as [
      string[],
      string[],
    ];
    for (const [name, field] of Object.entries(objectAt(was, 'properties'))) {
      const present = objectAt(is, 'properties')[name];
      if (!present) found.push(`${path}.${name}: is gone`);
      else compare(field, present, direction, `${path}.${name}`);
      if (direction === 'sent' && present && required.includes(name) && !stillRequired.includes(name))
        found.push(`${path}.${name}: is no longer always sent`);
    }
    if (direction === 'taken')
      for (const name of stillRequired) if (!required.includes(name)) found.push(`${path}.${name}: is required now`);
    if (was.items) compare(was.items, is.items, direction, `${path}[]`);
    for (const keyword of ['additionalProperties', 'propertyNames'])
      if (was[keyword] && is[keyword]) compare(was[keyword], is[keyword], direction, path);
    for (const parts of ['allOf', 'anyOf', 'oneOf'])
      ((was[parts] as unknown[] | undefined) ?? []).forEach((part, i) => {
        compare(part, (is[parts] as unknown[] | undefined)?.[i], direction, path);
      });
  };
  const bodyOf = (document: Json, of: unknown) =>
    objectAt(objectAt(get(document, of), 'content'), 'application/json').schema;

  const operations = [...Object.entries(objectAt(before, 'paths')), ...Object.entries(objectAt(before, 'webhooks'))];
  for (const [path, methods] of operations) {
    const isWebhook = !path.startsWith('/');
    for (const [method, old] of Object.entries(methods as Json)) {
      const name = isWebhook ? path : `${method.toUpperCase()} ${path}`;
      const now = objectAt(objectAt(after, isWebhook ? 'webhooks' : 'paths'), path)[method] as Json | undefined;
      if (!now) {
        found.push(`${name}: is gone`);
        continue;
      }
      const [parameters, present] = [get(before, old).parameters, now.parameters].map((list, i) =>
        ((list as unknown[] | undefined) ?? []).map((one) => get(i === 0 ? before : after, one)),
      ) as [Schema[], Schema[]];
      const same = (one: Schema) => (other: Schema) => one.name === other.name && one.in === other.in;
      for (const one of parameters) {
        const match = present.find(same(one));
        if (!match) found.push(`${name} ${one.name}: is gone`);
        else compare(one.schema, match.schema, isWebhook ? 'sent' : 'taken', `${name} ${one.name}`);
      }
      for (const one of isWebhook ? [] : present)
        if (one.required && !parameters.find(same(one))?.required) found.push(`${name} ${one.name}: is required now`);
      compare(
        bodyOf(before, get(before, old).requestBody),
        bodyOf(after, now.requestBody),
        isWebhook ? 'sent' : 'taken',
        name,
      );
      if (isWebhook) continue;
      for (const [status, response] of Object.entries(objectAt(old, 'responses'))) {
        const newResponse = objectAt(now, 'responses')[status];
        if (newResponse) compare(bodyOf(before, response), bodyOf(after, newResponse), 'sent', `${name} ${status}`);
        else if (status < '300') found.push(`${name}: no longer answers ${status}`);
      }
    }
  }
  return found;
}
