/** What of a document others build on, as facts that can be compared, and what a difference means to them. */

type Json = Record<string, unknown>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json & { readonly schemas: Readonly<Record<string, Schema>> };
}

type Verdict = 'Breaking' | 'New' | 'Changed';
type Difference = 'added' | 'added as required' | 'removed' | 'no longer required' | 'of another type';

/** What each difference means, by what it is about: what is taken may not ask for more, what is sent may not become less. */
const rules: Readonly<Record<string, Readonly<Partial<Record<Difference, Verdict>>>>> = {
  endpoint: { added: 'New' },
  schema: { added: 'New' },
  parameter: { added: 'New', 'no longer required': 'Changed' },
  'field taken': { added: 'New', 'no longer required': 'Changed' },
  'field sent': { added: 'New', 'added as required': 'New' },
  value: { added: 'New' },
  error: { added: 'New', removed: 'Changed' },
};

/** Facts by their name, such as `field taken BookingCreate.client`, each with its type. Sorted. */
export function surfaceOf(document: Document): Map<string, string> {
  const facts = new Map<string, string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters = [], responses }] of Object.entries(methods)) {
      const endpoint = `${method.toUpperCase()} ${path}`;
      facts.set(`endpoint ${endpoint}`, Object.keys(responses).find((status) => status < '300') ?? '');
      for (const { name, required, schema } of parameters.map((one) => resolved<Parameter>(document, one))) {
        facts.set(`parameter ${endpoint} ${name}`, typed(schema, required === true));
      }
      for (const response of Object.values(responses)) {
        const { description = '' } = resolved<{ description?: string }>(document, response);
        for (const [, code] of description.matchAll(/^`([a-z_]+)`:/gm)) facts.set(`error ${endpoint} ${code}`, '');
      }
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) describe(facts, name, schema);
  return new Map([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The fields of a schema, those of objects within it included. What has a name of its own is described under it. */
function describe(facts: Map<string, string>, name: string, schema: Schema): void {
  for (const value of schema.enum ?? []) facts.set(`value ${name} ${String(value)}`, '');
  const direction = schema.additionalProperties === false ? 'taken' : 'sent';
  for (const [field, of] of Object.entries(schema.properties ?? {})) {
    facts.set(`field ${direction} ${name}.${field}`, typed(of, schema.required?.includes(field) === true));
    describe(facts, `${name}.${field}`, of.items ?? of);
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (!part.$ref) describe(facts, name, part);
  }
}

const typed = (schema: Schema, required: boolean) => `${typeOf(schema)}${required ? ', required' : ''}`;

function typeOf({ $ref, type, format, const: only, items, anyOf, oneOf, allOf }: Schema): string {
  if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (items) return `list of ${typeOf(items)}`;
  const parts = anyOf ?? oneOf ?? allOf;
  return parts
    ? parts.map(typeOf).join(' or ')
    : [[type].flat().join(' or '), format].filter(Boolean).join(' ') || 'anything';
}

/** What is different, a sentence each, and what that means to those who built on the earlier one. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const [old, young] = [wholesOf(before), wholesOf(after)];
  // What is there as a whole, or gone as a whole, needs no word of its parts.
  const isPart = (fact: string) => old.has(wholeOf(fact)) && young.has(wholeOf(fact));
  const facts = [...after.keys(), ...before.keys()].map((fact) => (isPart(fact) ? fact : wholeOf(fact)));
  return [...new Set(facts)].flatMap((fact) => {
    const was = before.get(fact) ?? (old.has(fact) ? '' : undefined);
    const is = after.get(fact) ?? (young.has(fact) ? '' : undefined);
    if (was === is) return [];
    const about = Object.keys(rules).find((kind) => fact.startsWith(`${kind} `)) ?? '';
    const difference = differenceOf(was, is);
    const types = [was && `was ${was}`, is && `is ${is}`].filter(Boolean).join(', ');
    return {
      verdict: rules[about]?.[difference] ?? ('Breaking' as const),
      sentence: `${about} \`${fact.slice(about.length + 1)}\` ${difference}${types && ` (${types})`}`,
    };
  });
}

/** The endpoint or the schema that a fact is about. */
function wholeOf(fact: string): string {
  const [, endpoint] = /^(?:endpoint|parameter|error) ([A-Z]+ \S+)/.exec(fact) ?? [];
  if (endpoint) return `endpoint ${endpoint}`;
  const [, schema] = /^(?:field taken|field sent|value) (\w+)/.exec(fact) ?? [];
  return `schema ${schema}`;
}

function wholesOf(surface: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set([...surface.keys()].map(wholeOf));
}

function differenceOf(was: string | undefined, is: string | undefined): Difference {
  if (is === undefined) return 'removed';
  if (was === undefined) return is.endsWith(', required') ? 'added as required' : 'added';
  return was === `${is}, required` ? 'no longer required' : 'of another type';
}

function resolved<T>(document: Document, value: unknown): T {
  const ref = (value as { readonly $ref?: string }).$ref;
  if (ref === undefined) return value as T;
  return resolved(
    document,
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Json)[key], document),
  );
}
