/** The tools of `POST /mcp` as they are listed: the marked rows, with the schemas of their requests and responses. */
import * as z from 'zod/mini';
import type { Schema, Tool } from './define.ts';
import { published, tidy } from './events.ts';
import { documented } from './fields.ts';
import { idempotencyKeySchema } from './headers.ts';
import { type NamedRoute, toolRoutes } from './integration/api.ts';
import type { Json } from './openapi/apis.ts';
import { clientTextField, holdsClientText } from './personal-data.ts';

interface ListedTool {
  readonly operation: string;
  readonly definition: Json & { readonly name: string; readonly description: string };
}

export function listedTools(): readonly ListedTool[] {
  return toolRoutes.flatMap((route) => (route.tool ? [listed(route, route.tool)] : []));
}

function listed(route: NamedRoute, { name, description, destructive, repeatable }: Tool): ListedTool {
  const { operation, method, summary, output } = route;
  const readOnlyHint = method === 'GET';
  return {
    operation,
    definition: {
      name,
      title: summary,
      description,
      inputSchema: inputOf(route),
      ...(output && { outputSchema: jsonSchema(output, 'output') }),
      annotations: readOnlyHint
        ? { readOnlyHint, openWorldHint: false }
        : {
            readOnlyHint,
            destructiveHint: destructive ?? false,
            idempotentHint: repeatable ?? false,
            openWorldHint: false,
          },
    },
  };
}

/** One list of arguments from path, query and body of the endpoint. */
function inputOf({ operation, params, query, body, idempotent, tool }: NamedRoute): Json {
  const parts = [params, query, body].flatMap((schema) => (schema ? [jsonSchema(schema, 'input')] : []));
  const properties: Json[] = parts.map((part) => part.properties as Json);
  const names = properties.flatMap((part) => Object.keys(part));
  if (new Set(names).size < names.length) throw new Error(`${operation}: two parts of a tool's request share a name.`);
  const required = [...parts.flatMap((part) => (part.required ?? []) as string[]), ...(tool?.required ?? [])];
  return {
    type: 'object',
    properties: Object.assign({}, ...properties, idempotent && { idempotencyKey: idempotencyKeySchema }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    additionalProperties: false,
  };
}

function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => finish(zodSchema, jsonSchema as Json, io),
  });
  return json;
}

function finish(schema: Schema, json: Json, io: 'input' | 'output'): void {
  Object.assign(json, documented.get(schema) ?? documented.get(schema._zod.parent ?? schema));
  if (io === 'input') tidy(json);
  else published(json);
  // The range of a format is no information for a model.
  for (const name of ['format', 'pattern', 'minimum', 'exclusiveMinimum'])
    if (json.type === 'integer') delete json[name];
  const description = z.globalRegistry.get(schema)?.description;
  if (description) json.description = description;
  // Field names are enough for a response: a model reads the list in every conversation. None is required, because the
  // response to a dry run has no id.
  if (io === 'output') for (const name of ['description', 'pattern', 'required']) delete json[name];
  if (io === 'output' && holdsClientText(schema)) {
    const text = { ...json };
    for (const name of Object.keys(json)) delete json[name];
    const clientTextSchema = { type: 'object', properties: { [clientTextField]: text }, required: [clientTextField] };
    Object.assign(json, { anyOf: [clientTextSchema, { type: 'null' }] });
  }
}
