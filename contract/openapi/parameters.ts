/** Parameters of requests. A parameter that several rows share is named once. */
import { idempotencyKeyForm, idempotencyKeySchema } from '../headers.ts';
import { limits } from '../limits.ts';
import { modeHeader, modes } from '../modes.ts';
import type { Api, DocumentedRoute, Json } from './apis.ts';
import { pascal, refTo, type Schemas } from './schemas.ts';

/** Headers that a flag of a row enables. */
const flagged = {
  idempotent: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `${idempotencyKeyForm}, new for each object to create. Kept for ${limits.idempotencyHours} hours: a repeated request with the same body gets the first response again.`,
    schema: idempotencyKeySchema,
  },
  etag: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response. The response is 304 if nothing has changed since.',
    schema: { type: 'string' },
  },
} as const;

/** The parameter of every request to an API with live and test mode. */
const modeParameter = {
  name: modeHeader,
  in: 'header',
  description: '`test`: the request is for the sandbox of the business. Default: `live`.',
  schema: { type: 'string', enum: modes, default: modes[0] },
} as const;

/** A parameter and its name where several rows share it. */
interface Parameter {
  readonly component: string;
  readonly value: Json;
}

export class Parameters {
  readonly components: Record<string, Json> = {};
  readonly #rows: ReadonlyMap<string, readonly Parameter[]>;
  readonly #uses = new Map<string, number>();

  constructor(api: Api, schemas: Schemas) {
    this.#rows = new Map(api.routes.map((route) => [route.operation, parametersOf(api, route, schemas)]));
    withExamples(api, this.#rows);
    for (const { value } of [...this.#rows.values()].flat()) {
      const text = JSON.stringify(value);
      this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1);
    }
  }

  of({ operation, path }: DocumentedRoute): Json[] {
    const resource = pascal(path.split('/')[1] ?? '');
    return (this.#rows.get(operation) ?? []).map(({ component, value }) => {
      const text = JSON.stringify(value);
      if (this.#uses.get(text) === 1) return value;
      // If the descriptions of resources differ, later ones get a name with the resource.
      const name = [component, `${component}Of${resource}`].find((one) => {
        this.components[one] ??= value;
        return JSON.stringify(this.components[one]) === text;
      });
      if (!name) throw new Error(`Two parameters are named ${component}.`);
      return refTo('parameters', name);
    });
  }
}

function parametersOf({ tags, takesMode }: Api, route: DocumentedRoute, schemas: Schemas): Parameter[] {
  const noun = tags[route.path.split('/')[1] ?? '']?.noun ?? '';
  const inPath = (route.params ? schemas.fields(route.params) : []).map(
    ({ name, schema: { description, ...schema } }) => ({
      component: pascal(name === 'id' ? `id of ${noun}` : name),
      value: {
        name,
        in: 'path',
        required: true,
        // An id in a path is that of the resource in the segment before it.
        description: name === 'id' ? `Id of the ${noun}.` : description,
        schema,
      },
    }),
  );
  const inQuery = (route.query ? schemas.fields(route.query) : []).map(
    ({ name, required, schema: { description, ...schema } }) => ({
      component: pascal(required ? `required ${name}` : name),
      value: { name, in: 'query', required, description, schema },
    }),
  );
  const inHead = (['idempotent', 'etag'] as const)
    .filter((flag) => route[flag])
    .map((flag) => ({ component: pascal(flagged[flag].name), value: { ...flagged[flag] } }));
  const inMode = takesMode ? [{ component: pascal(modeHeader), value: { ...modeParameter } }] : [];
  return [...inPath, ...inQuery, ...inHead, ...inMode];
}

/** Shows the first recorded value of each, so that rows that share a parameter share its example. */
function withExamples({ examples }: Api, rows: ReadonlyMap<string, readonly Parameter[]>): void {
  const shown = new Map<string, unknown>();
  const each = (visit: (parameter: Parameter, recorded: unknown) => void) => {
    for (const [operation, parameters] of rows) {
      const recorded: Record<string, unknown> = { ...examples[operation]?.params, ...examples[operation]?.query };
      for (const parameter of parameters) visit(parameter, recorded[String(parameter.value.name)]);
    }
  };
  each(({ value }, recorded) => {
    const text = JSON.stringify(value);
    if (recorded !== undefined && !shown.has(text)) shown.set(text, recorded);
  });
  each(({ value }) => {
    const text = JSON.stringify(value);
    if (shown.has(text)) value.example = shown.get(text);
  });
}
