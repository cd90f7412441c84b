/**
 * JSON Schemas of zod schemas, with all named ones moved to `#/components/schemas`. Their names are those of the
 * contract's exports; bodies and lists are named after their operation: `BookingCreate`, `BookingList`.
 */
import * as z from 'zod/mini';
import * as accountInputs from '../account/inputs.ts';
import * as accountResources from '../account/resources.ts';
import type { Schema } from '../define.ts';
import { eventName } from '../event-names.ts';
import { bookingEventData, clientEventData, published, tidy } from '../events.ts';
import { documented, money } from '../fields.ts';
import * as inputs from '../integration/inputs.ts';
import * as resources from '../integration/resources.ts';
import * as statistics from '../statistics.ts';
import type { DocumentedRoute, Json } from './apis.ts';

type Io = 'input' | 'output';
type Properties = Record<string, Json>;

export const pascal = (name: string) => name.replace(/(?:^|[-._ ])(\w)/g, (_, letter: string) => letter.toUpperCase());

export const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const exported = {
  ...resources,
  ...accountResources,
  ...statistics,
  money,
  eventName,
  bookingEventData,
  clientEventData,
};

/** Converts `createBooking` to `BookingCreate`, `replyToReview` to `ReviewReply`. */
const bodyName = (operation: string) =>
  operation.replace(/^([a-z]+)(?:To)?([A-Z]\w*)$/, (_, verb: string, noun: string) => noun + pascal(verb));

export class Schemas {
  readonly components: Record<string, Json> = {};
  readonly #names = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
  /** Objects that others extend. */
  readonly #bases: z.ZodMiniObject[] = [];

  constructor(routes: readonly DocumentedRoute[]) {
    const { input, output } = this.#names;
    for (const [name, schema] of Object.entries(exported)) {
      if (!(schema instanceof z.core.$ZodType)) continue;
      output.add(schema, { id: pascal(name) });
      // Requests refuse unknown fields, and responses may gain some. Schemas without fields are the same in both.
      input.add(schema, { id: schema instanceof z.core.$ZodObject ? `${pascal(name)}Input` : pascal(name) });
      if (schema instanceof z.ZodMiniObject) this.#bases.push(schema);
    }
    for (const [name, schema] of Object.entries({ ...inputs, ...accountInputs })) {
      if (schema instanceof z.core.$ZodType) input.add(schema, { id: pascal(name) });
    }
    for (const { operation, body, output: schema } of routes) {
      if (body && !input.get(body)) input.add(body, { id: bodyName(operation) });
      const entry = schema && !output.get(schema) && entryOf(schema);
      const of = entry && output.get(entry)?.id;
      if (of) output.add(schema, { id: `${of}List` });
    }
  }

  /** The schema of a response, which is open, because additions are not announced. */
  output(schema: Schema): Json {
    return this.#written(schema, 'output');
  }

  /** The body of a row, with the row's summary if the body has no description. */
  body({ summary, body }: DocumentedRoute & { readonly body: Schema }): Json {
    const reference = this.input(body);
    const component = this.components[this.#names.input.get(body)?.id ?? ''];
    if (component) component.description ??= `${summary}: the request body.`;
    return reference;
  }

  input(schema: Schema): Json {
    return this.#written(schema, 'input');
  }

  /** The parameters that the query's or path's object describes. */
  fields(schema: Schema): { readonly name: string; readonly required: boolean; readonly schema: Json }[] {
    const { properties = {}, required = [] } = this.input(schema) as { properties?: Properties; required?: string[] };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      required: required.includes(name),
      schema: property,
    }));
  }

  #written(schema: Schema, io: Io): Json {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, {
      metadata: this.#names[io],
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => this.#finish(zodSchema, jsonSchema as Json, io),
    });
    for (const [name, definition] of Object.entries($defs ?? {})) this.components[name] = referring(definition as Json);
    const name = this.#names[io].get(schema)?.id;
    if (!name) return referring(root);
    if (!root.$ref) this.components[name] = referring(root);
    return refTo('schemas', name);
  }

  #finish(schema: Schema, json: Json, io: Io): void {
    Object.assign(json, documented.get(schema) ?? documented.get(schema._zod.parent ?? schema));
    const words = z.globalRegistry.get(schema)?.description;
    if (words) json.description = words;
    if (io === 'input') tidy(json);
    else published(json);
    if (json.exclusiveMinimum === 0 && json.type === 'integer') {
      delete json.exclusiveMinimum;
      json.minimum = 1;
    }
    // Enums of responses may gain values (docs/rules.md#versioning).
    if (io === 'output' && Array.isArray(json.enum) && json.enum.length > 1) json['x-extensible-enum'] = true;
    if (io === 'output') this.#extend(schema, json);
  }

  /** An object with every field of a named schema refers to this schema, and lists only its additions. */
  #extend(schema: Schema, json: Json): void {
    if (!(schema instanceof z.ZodMiniObject) || !json.properties) return;
    const { shape } = schema;
    const size = Object.keys(shape).length;
    const base = this.#bases.find((one) => {
      const fields = Object.entries(one.shape);
      return fields.length < size && fields.every(([name, field]) => shape[name] === field);
    });
    const name = base && this.#names.output.get(base)?.id;
    if (!base || !name) return;
    this.output(base);
    const { properties, required } = json as { properties: Properties; required?: string[] };
    const own = (field: string) => !(field in base.shape);
    delete json.type;
    delete json.properties;
    delete json.required;
    json.allOf = [
      refTo('schemas', name),
      {
        type: 'object',
        properties: Object.fromEntries(Object.entries(properties).filter(([field]) => own(field))),
        required: (required ?? []).filter(own),
      },
    ];
  }
}

/** The schema of a list's entries. */
function entryOf(schema: Schema): Schema | undefined {
  const data = schema instanceof z.ZodMiniObject ? schema.shape.data : undefined;
  return data instanceof z.ZodMiniArray ? data.def.element : undefined;
}

function referring(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value)).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  );
}
