/** The OpenAPI 3.1 documents, derived from the tables: paths from the rows, `webhooks` from the events. */
import { bracedPath, toolRoutes } from './integration/api.ts';
import { type Api, accountApi, type DocumentedRoute, integrationApi, type Json } from './openapi/apis.ts';
import { ErrorResponses, namedErrorsOf } from './openapi/errors.ts';
import { headerComponents, headersOf } from './openapi/headers.ts';
import { Parameters } from './openapi/parameters.ts';
import { refTo, Schemas } from './openapi/schemas.ts';
import { messageParameters, messageResponses, webhooks, writeEvents } from './openapi/webhooks.ts';

/** The document of the integration API. The same tables always give the same bytes. */
export const openApiDocument = (): Json => documentOf(integrationApi);

/** The operations that are tools, for readers with a small context: no examples, webhooks or common responses. */
export const smallOpenApiDocument = (): Json => {
  const { tags, ...api } = integrationApi;
  const isUsed = ([segment]: [string, unknown]) => toolRoutes.some(({ path }) => path.split('/')[1] === segment);
  return documentOf({
    ...api,
    description: `${api.description} Every request may also be refused with 401, 403, 429, 500 or 503.`,
    routes: toolRoutes,
    commonErrors: [],
    tags: Object.fromEntries(Object.entries(tags).filter(isUsed)),
    headers: [],
    examples: {},
    errorExamples: undefined,
    pushesEvents: false,
  });
};

export const accountOpenApiDocument = (): Json => documentOf(accountApi);

/** The name of the response 304, which has the same headers at every endpoint. */
const notModified = 'NotModified';

interface Parts {
  readonly schemas: Schemas;
  readonly parameters: Parameters;
  readonly failures: ErrorResponses;
}

function documentOf(api: Api): Json {
  const schemas = new Schemas(api.routes);
  const parts = { schemas, parameters: new Parameters(api, schemas), failures: new ErrorResponses(api, schemas) };
  const paths: Record<string, Json> = {};
  for (const route of api.routes) {
    const path = bracedPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(api, route, parts) };
  }
  if (api.pushesEvents) writeEvents(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: '1.0.0',
      contact: { name: 'API support', email: 'api@booking.example' },
      license: { name: 'Proprietary', url: 'https://booking.example/license' },
      description: api.description,
    },
    servers: [
      { url: api.prefix, description: 'The host that this document comes from.' },
      {
        url: `https://{host}${api.prefix}`,
        description: 'A deployment of this API, at its `host`.',
        // A description is omitted, because the meta-schema of a popular validator (swagger-parser) refuses it.
        variables: { host: { default: 'api.booking.example' } },
      },
    ],
    security: api.security,
    tags: [
      ...Object.values(api.tags).map(({ name, description }) => ({ name, description })),
      ...(api.pushesEvents ? [{ name: 'Events', description: 'What is sent to your webhooks.' }] : []),
    ],
    paths,
    ...(api.pushesEvents && { webhooks: webhooks() }),
    components: {
      securitySchemes: api.securitySchemes,
      parameters: { ...parts.parameters.components, ...(api.pushesEvents && messageParameters) },
      headers: headerComponents(api),
      responses: {
        ...(api.routes.some(({ etag }) => etag) && {
          [notModified]: {
            description: 'Not changed since the version of `If-None-Match`.',
            headers: headersOf(api, ['ETag']),
          },
        }),
        ...parts.failures.responses,
        ...(api.pushesEvents && messageResponses),
      },
      ...(api.errorExamples && { examples: parts.failures.examples }),
      schemas: sorted(schemas.components),
    },
  };
}

function operation(api: Api, route: DocumentedRoute, { schemas, parameters, failures }: Parts): Json {
  const example = api.examples[route.operation];
  const taken = parameters.of(route);
  return {
    operationId: route.operation,
    tags: [api.tags[route.path.split('/')[1] ?? '']?.name],
    summary: route.summary,
    description: descriptionOf(api, route),
    ...(taken.length > 0 && { parameters: taken }),
    ...(route.body && {
      requestBody: {
        required: !route.bodyOptional,
        content: {
          'application/json': {
            schema: schemas.body({ ...route, body: route.body }),
            ...(example?.body !== undefined && { example: example.body }),
          },
        },
      },
    }),
    responses: {
      ...(route.preview && {
        200: {
          description: 'The response to a request with `dryRun`.',
          headers: headersOf(api, []),
          content: {
            'application/json': { schema: schemas.output(route.preview), ...previewExample(example?.answer) },
          },
        },
      }),
      [route.status]: {
        description: route.method === 'GET' ? `${route.summary}.` : 'The request succeeded.',
        headers: headersOf(api, [
          ...(route.location ? ['Location'] : []),
          ...(route.etag ? ['ETag'] : []),
          ...(route.idempotent ? ['Idempotent-Replayed'] : []),
        ]),
        ...(route.output && {
          content: {
            'application/json': {
              schema: schemas.output(route.output),
              ...(example?.answer !== undefined && { example: example.answer }),
            },
          },
        }),
      },
      ...(route.etag && { 304: refTo('responses', notModified) }),
      ...failures.of(route),
      ...otherResponses(api, route, schemas, failures),
    },
  };
}

/** Their statuses may also be those of errors. */
function otherResponses(api: Api, route: DocumentedRoute, schemas: Schemas, failures: ErrorResponses): Json {
  return Object.fromEntries(
    Object.entries(route.otherResponses ?? {}).map(([status, { description, output }]) => {
      const errors = failures.schemasOf(route, Number(status));
      const schema =
        output && (errors.length > 0 ? { oneOf: [...errors, schemas.output(output)] } : schemas.output(output));
      return [
        status,
        { description, headers: headersOf(api), ...(schema && { content: { 'application/json': { schema } } }) },
      ];
    }),
  );
}

/** The preview of a creation looks like the result without an id. */
function previewExample(body: unknown): Json {
  if (body === undefined) return {};
  const { id: _, ...rest } = body as Json;
  return { example: rest };
}

/** The description repeats purpose, permission and errors, for readers such as agents that ignore the summary. */
function descriptionOf(api: Api, route: DocumentedRoute): string {
  const { method, summary, description, scope, role = 'owner', session } = route;
  const codes = namedErrorsOf(api, route).map((code) => `\`${code}\``);
  return [
    `${summary}.${method === 'GET' ? ' Changes nothing.' : ''}`,
    description,
    scope === undefined
      ? `Needs the role \`${role}\`${role === 'owner' ? '' : ' or higher'}.`
      : `Needs ${scope === null ? 'an API key of any scope' : `the scope \`${scope}\``}${session === undefined ? '' : ', or a session'}.`,
    codes.length > 0 && `Specific errors: ${codes.join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function sorted(parts: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => a.localeCompare(b, 'en')));
}
