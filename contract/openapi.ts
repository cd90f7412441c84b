/** The OpenAPI 3.1 documents, derived from the tables: paths from the rows, `webhooks` from the events. */
import * as z from 'zod/mini';
import { accountPrefix, accountRoutes } from './account-api.ts';
import * as accountResources from './account-resources.ts';
import { allRoutes, bracedPath, integrationPrefix } from './api.ts';
import type { Endpoint, Schema } from './define.ts';
import { commonAccountErrors, commonErrors, type ErrorCode, errors } from './errors.ts';
import { apiVersion, eventMessage, events, leaveOpen } from './events.ts';
import { type Example, examples } from './examples.ts';
import { documented } from './fields.ts';
import { exposedHeaders, rateLimitHeaders, requestIdHeader, webhookHeaders } from './headers.ts';
import { limits } from './limits.ts';
import * as resources from './resources.ts';

type Json = Record<string, unknown>;

/** A row of either API with its operation's name, and its scope where there are scopes. */
type DocumentedRoute = Endpoint & { readonly operation: string; readonly scope?: string };

/** One API as its document describes it. */
interface Api {
  readonly title: string;
  readonly description: string;
  readonly prefix: string;
  readonly routes: readonly DocumentedRoute[];
  readonly commonErrors: readonly ErrorCode[];
  /** On every answer. */
  readonly headers: readonly string[];
  readonly security: readonly Json[];
  readonly securitySchemes: Json;
  /** Of requests and answers, by operation. */
  readonly examples: Readonly<Record<string, Example>>;
  /** Whether events are pushed to webhooks of this API. */
  readonly pushesEvents: boolean;
}

/** Resources get names of their own in the document; everything else stands where it is used. */
const names = z.registry<{ id: string }>();
for (const [name, value] of Object.entries({ ...resources, ...accountResources })) {
  if (value instanceof z.core.$ZodObject) names.add(value, { id: name[0]?.toUpperCase() + name.slice(1) });
}

/** Named schemas of the document that is being written. */
let components: Record<string, Json> = {};

/** JSON Schema of a zod schema, with resources moved to `#/components/schemas`. */
function schemaOf(schema: Schema, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    metadata: names,
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, documented.get(zodSchema));
      if (io === 'output') leaveOpen(jsonSchema);
      // A pattern that stands beside a format says the same again, at length.
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = referring(definition as Json);
  return referring(root);
}

function referring(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value)).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  );
}

const headerDescriptions: Record<string, string> = {
  'X-RateLimit-Limit': 'The per-minute limit.',
  'X-RateLimit-Remaining': 'Requests remaining in this minute.',
  'X-RateLimit-Reset': 'Unix timestamp at which the minute counter resets.',
  'X-RateLimit-Limit-Day': 'The per-day limit.',
  'X-RateLimit-Remaining-Day': 'Requests remaining today (UTC).',
  'X-RateLimit-Reset-Day': 'Unix timestamp at which the day counter resets.',
  'X-Request-Id': 'Names this request in our log.',
  ETag: 'Version of the answer, for If-None-Match.',
  Location: 'Path of what was created.',
  'Retry-After': 'Seconds to wait before the next request.',
  'Idempotent-Replayed': '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
};

function headersOf(api: Api, extra: readonly string[] = []): Json {
  return Object.fromEntries([...api.headers, ...extra].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parametersOf(route: DocumentedRoute, example?: Example): Json[] {
  const parameters: Json[] = [];
  const shown: Readonly<Record<string, unknown>> = { ...example?.params, ...example?.query };
  for (const [place, schema] of [
    ['path', route.params],
    ['query', route.query],
  ] as const) {
    if (!schema) continue;
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      parameters.push({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        schema: property,
        ...(name in shown && { example: shown[name] }),
      });
    }
  }
  if (route.idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  if (route.etag) parameters.push({ $ref: '#/components/parameters/IfNoneMatch' });
  return parameters;
}

/** Every error code that a row can answer: its own, those of its parts, and those common to all. */
function errorsOf(api: Api, route: DocumentedRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...api.commonErrors,
    'validation_failed',
    'payload_too_large',
    ...(route.errors ?? []),
  ]);
  if (route.params) codes.add('not_found');
  if (route.body) codes.add('invalid_json').add('unsupported_media_type');
  if (route.idempotent) codes.add('idempotency_key_reused').add('idempotency_in_progress');
  return [...codes];
}

function errorResponses(api: Api, route: DocumentedRoute): Json {
  const byStatus = Map.groupBy(errorsOf(api, route), (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
          headers: headersOf(api, status === 429 || status === 503 ? ['Retry-After'] : []),
          content: {
            'application/json': { schema: schemaOf(resources.errorBody, 'output'), ...errorExamples(api, codes) },
          },
        },
      ]),
  );
}

/** The errors are the same whoever asks, so each was recorded once. Those of the account API are not recorded. */
function errorExamples(api: Api, codes: readonly ErrorCode[]): Json {
  const recorded = api === integrationApi ? codes.filter((code) => code in examples.errors) : [];
  if (recorded.length === 0) return {};
  return { examples: Object.fromEntries(recorded.map((code) => [code, { $ref: `#/components/examples/${code}` }])) };
}

function operation(api: Api, route: DocumentedRoute): Json {
  const extra = [
    ...(route.location ? ['Location'] : []),
    ...(route.etag ? ['ETag'] : []),
    ...(route.idempotent ? ['Idempotent-Replayed'] : []),
  ];
  const tag = route.path.split('/')[1] ?? '';
  const example = api.examples[route.operation];
  return {
    operationId: route.operation,
    tags: [tag],
    summary: route.summary,
    description:
      [route.description, route.scope && `Needs the scope \`${route.scope}\`.`].filter(Boolean).join('\n\n') ||
      undefined,
    parameters: parametersOf(route, example),
    ...(route.body && {
      requestBody: {
        required: !route.bodyOptional,
        content: {
          'application/json': {
            schema: schemaOf(route.body, 'input'),
            ...(example?.body !== undefined && { example: example.body }),
          },
        },
      },
    }),
    responses: {
      [route.status]: {
        description: route.summary,
        headers: headersOf(api, extra),
        ...(route.output && {
          content: {
            'application/json': {
              schema: schemaOf(route.output, 'output'),
              ...(example?.answer !== undefined && { example: example.answer }),
            },
          },
        }),
      },
      ...(route.etag && {
        304: { description: 'Not changed since the version of If-None-Match.', headers: headersOf(api, ['ETag']) },
      }),
      ...errorResponses(api, route),
    },
  };
}

function webhookOperation([name, row]: [string, (typeof events)[keyof typeof events]]): [string, Json] {
  return [
    name,
    {
      post: {
        operationId: name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
        summary: row.description,
        description:
          'Sent to every active webhook that subscribed. Any 2xx within 10 seconds is success; anything else is tried again, six attempts in all.',
        security: [],
        parameters: webhookHeaders.map((header) => ({
          name: header,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaOf(eventMessage(name, row.data), 'output'),
              example: {
                id: 'dlv_0a1b2c3d4e5f',
                event: name,
                timestamp: '2026-11-24T08:30:00.000Z',
                apiVersion,
                data: row.example,
              },
            },
          },
        },
        responses: { '2XX': { description: 'Received.' }, '4XX': { description: 'Counts as a failed attempt.' } },
      },
    },
  ];
}

const integrationApi: Api = {
  title: 'Booking integration API',
  description:
    'Read a business, its services, staff, free slots, bookings and reviews; create and cancel bookings; and have events pushed to your webhooks.',
  prefix: integrationPrefix,
  routes: allRoutes,
  commonErrors,
  headers: [...rateLimitHeaders, requestIdHeader],
  security: [{ apiKey: [] }, { bearer: [] }],
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Recommended.' },
    bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
  },
  examples: examples.operations,
  pushesEvents: true,
};

const accountApi: Api = {
  title: 'Booking account API',
  description:
    'What the owner of a business does: services, staff and schedules, clients, bookings, reviews, payments, API keys and webhooks. The business is the one that the token names. A token that is missing, expired or of somebody else is answered by the gateway with 401 and `{ "message": "Unauthorized" }`.',
  prefix: accountPrefix,
  routes: accountRoutes,
  commonErrors: commonAccountErrors,
  headers: [requestIdHeader],
  security: [{ ownerToken: [] }],
  securitySchemes: {
    ownerToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The ID token of a signed-in owner, with the claim `custom:businessId`.',
    },
  },
  examples: {},
  pushesEvents: false,
};

/** The document of the integration API. The same tables always give the same bytes. */
export const openApiDocument = (): Json => documentOf(integrationApi);

/** The document of the account API. */
export const accountOpenApiDocument = (): Json => documentOf(accountApi);

function documentOf(api: Api): Json {
  components = {};
  const paths: Record<string, Json> = {};
  for (const route of api.routes) {
    const path = bracedPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(api, route) };
  }
  const webhooks = api.pushesEvents && Object.fromEntries(Object.entries(events).map(webhookOperation));
  const idempotent = api.routes.some((route) => route.idempotent);
  const revalidated = api.routes.some((route) => route.etag);
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: '1.0.0',
      license: { name: 'Proprietary', url: 'https://example.com/license' },
      description: api.description,
    },
    servers: [{ url: `https://api.example.com${api.prefix}` }],
    security: api.security,
    tags: [...new Set(api.routes.map((route) => route.path.split('/')[1]))].map((name) => ({ name })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: api.securitySchemes,
      parameters: {
        ...(idempotent && {
          IdempotencyKey: {
            name: 'Idempotency-Key',
            in: 'header',
            description: `Kept ${limits.idempotencyHours} hours: the same key with the same body answers the first result again.`,
            schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength },
          },
        }),
        ...(revalidated && {
          IfNoneMatch: {
            name: 'If-None-Match',
            in: 'header',
            description: 'An ETag of an earlier answer; 304 when nothing changed.',
            schema: { type: 'string' },
          },
        }),
      },
      headers: Object.fromEntries(
        exposedHeaders
          .filter((name) => api.headers.includes(name) || sentBy(api, name))
          .map((name) => [
            name,
            {
              description: headerDescriptions[name],
              schema: { type: /RateLimit|Retry/.test(name) ? 'integer' : 'string' },
            },
          ]),
      ),
      ...(api === integrationApi && {
        examples: Object.fromEntries(
          Object.entries(examples.errors).map(([code, { request, answer }]) => [
            code,
            { summary: `Answered to ${request}`, value: answer },
          ]),
        ),
      }),
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => a.localeCompare(b, 'en'))),
    },
  };
}

/** Whether an answer of a row may carry this header. */
function sentBy({ routes }: Api, name: string): boolean {
  switch (name) {
    case 'ETag':
      return routes.some((route) => route.etag);
    case 'Location':
      return routes.some((route) => route.location);
    case 'Idempotent-Replayed':
      return routes.some((route) => route.idempotent);
    default:
      return name === 'Retry-After';
  }
}
