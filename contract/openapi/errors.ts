/** Error responses: one schema per code with its typed `details`, one named response per set of codes. */
import * as z from 'zod/mini';
import { errorDetails } from '../error-details.ts';
import { type ErrorCode, errors, reasons } from '../errors.ts';
import { type Examples, exampleRequestId } from '../examples.ts';
import { errorBody } from '../integration/resources.ts';
import type { Api, DocumentedRoute, Json } from './apis.ts';
import { headersOf } from './headers.ts';
import { pascal, refTo, type Schemas } from './schemas.ts';

/** Temporary errors besides 429 and 503. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'recovery_in_progress',
  'ping_in_progress',
  'feed_busy',
  'idempotency_in_progress',
]);

/** Errors that in some cases end with the hour or day. */
const sometimesPassing: ReadonlySet<ErrorCode> = new Set(['invalid_state', 'api_key_limit_reached']);

/** Whether the response states when to retry. */
const waits = (code: ErrorCode) => errors[code].status === 429 || errors[code].status === 503 || passing.has(code);

/** The errors worth naming for a row; errors that most rows share are omitted. */
export function namedErrorsOf(api: Api, route: DocumentedRoute): ErrorCode[] {
  const everywhere = new Set<ErrorCode>([
    ...api.commonErrors,
    ...ofEveryRequest,
    'invalid_json',
    'unsupported_media_type',
  ]);
  return errorsOf(api, route).filter((code) => !everywhere.has(code));
}

const ofEveryRequest = ['validation_failed', 'payload_too_large'] as const satisfies readonly ErrorCode[];

/** Every error code that a row can return: its own, those of its parts, and the common ones. */
function errorsOf(api: Api, route: DocumentedRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>([...api.commonErrors, ...ofEveryRequest, ...(route.errors ?? [])]);
  if (route.params) codes.add('not_found');
  if (route.body) codes.add('invalid_json').add('unsupported_media_type');
  if (route.idempotent) codes.add('idempotency_key_reused').add('idempotency_in_progress');
  return (Object.keys(errors) as ErrorCode[]).filter((code) => codes.has(code));
}

/** An error that is not recorded is as in the catalogue. */
function exampleOf(code: ErrorCode, recorded: Examples['errors'][string] | undefined): Json {
  if (recorded) return { summary: `Answered to ${recorded.request}`, value: recorded.answer };
  const { status, message } = errors[code];
  const retryAfter = waits(code) ? 30 : undefined;
  return {
    value: { statusCode: status, error: reasons[status], message, code, retryAfter, requestId: exampleRequestId },
  };
}

/** The error answers of one document. */
export class ErrorResponses {
  readonly responses: Record<string, Json> = {};
  /** The examples by code, which are the same for every caller. */
  readonly examples: Record<string, Json> = {};
  readonly #api: Api;
  readonly #schemas: Schemas;
  /** Statuses for which every row returns the same codes; their response is named after the status. */
  readonly #uniform: ReadonlySet<number>;

  constructor(api: Api, schemas: Schemas) {
    this.#api = api;
    this.#schemas = schemas;
    const sets = api.routes.flatMap((route) =>
      [...this.#byStatus(route)].map(([status, codes]) => ({ status, codes })),
    );
    const distinct = Map.groupBy(sets, ({ status }) => status);
    this.#uniform = new Set(
      [...distinct]
        .filter(([, all]) => new Set(all.map(({ codes }) => codes.join())).size === 1)
        .map(([status]) => status),
    );
    this.#base();
  }

  /** References to the responses, by status. */
  of(route: DocumentedRoute): Json {
    return Object.fromEntries([
      ...Object.entries(this.#api.gatewayErrors).map(([status, words]) => [status, this.#ofGateway(words)]),
      ...[...this.#byStatus(route)].map(([status, codes]) => [String(status), this.#response(status, codes)]),
    ]);
  }

  schemasOf(route: DocumentedRoute, status: number): Json[] {
    const codes = errorsOf(this.#api, route).filter((code) => errors[code].status === status);
    return codes.map((code) => this.#error(code));
  }

  #byStatus(route: DocumentedRoute) {
    return new Map(
      [...Map.groupBy(errorsOf(this.#api, route), (code) => errors[code].status)].sort(([a], [b]) => a - b),
    );
  }

  #response(status: keyof typeof reasons, codes: readonly ErrorCode[]): Json {
    const name = this.#uniform.has(status) ? pascal(reasons[status]) : codes.map(pascal).join('Or');
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
      headers: headersOf(this.#api, [
        ...(codes.some((code) => waits(code) || sometimesPassing.has(code)) ? ['Retry-After'] : []),
        ...(status === 401 ? ['WWW-Authenticate'] : []),
        // A refusal is replayed like any other response; all 404 responses share one description.
        ...(codes.some((code) => code === 'idempotency_in_progress' || code === 'not_found')
          ? ['Idempotent-Replayed']
          : []),
      ]),
      content: { 'application/json': { schema: this.#schemaOf(codes), ...this.#examples(codes) } },
    };
    return refTo('responses', name);
  }

  /** A response of the gateway to a request that reached no function: it has no code, and not our headers. */
  #ofGateway(description: string): Json {
    const name = pascal(reasons[401]);
    this.responses[name] ??= {
      description,
      headers: { 'WWW-Authenticate': refTo('headers', 'WWW-Authenticate') },
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { message: { type: 'string', description: 'What is wrong, for people.' } },
            required: ['message'],
          },
          example: { message: reasons[401] },
        },
      },
    };
    return refTo('responses', name);
  }

  #schemaOf(codes: readonly ErrorCode[]): Json {
    const [first, ...others] = codes.map((code) => this.#error(code));
    return others.length === 0 ? (first ?? {}) : { oneOf: [first, ...others] };
  }

  #error(code: ErrorCode): Json {
    const name = `${pascal(code)}Error`;
    const { status, message } = errors[code];
    const details = (errorDetails as Partial<Record<ErrorCode, z.ZodMiniType>>)[code];
    this.#schemas.components[name] ??= {
      description: message,
      allOf: [
        refTo('schemas', 'ErrorBody'),
        {
          type: 'object',
          properties: {
            statusCode: { type: 'integer', format: 'int32', enum: [status], description: 'HTTP status.' },
            code: { type: 'string', enum: [code], description: 'Error code.' },
            ...(details && { details: this.#schemas.output(details) }),
            // Generators take a required field only from the schema that requires it.
            ...(waits(code) && { retryAfter: this.#schemas.output(errorBody.shape.retryAfter) }),
          },
          required: [
            'statusCode',
            'code',
            ...(details && !z.safeParse(details, undefined).success ? ['details'] : []),
            ...(waits(code) ? ['retryAfter'] : []),
          ],
        },
      ],
    };
    return refTo('schemas', name);
  }

  /** The shape that all errors share. `details` is described where its shape is known. */
  #base(): void {
    const { code, statusCode, ...shared } = errorBody.shape;
    const { details: _, ...rest } = shared;
    // The last two codes are for paths and methods without a route.
    const ofRoutes = this.#api.routes.flatMap((route) => errorsOf(this.#api, route));
    const codes = new Set<ErrorCode>([...ofRoutes, 'route_not_found', 'method_not_allowed']);
    const known = (Object.keys(errors) as ErrorCode[]).filter((one) => codes.has(one));
    this.#schemas.components.ErrorCode = {
      type: 'string',
      enum: known,
      description: 'Error code for programs. New codes may be added.',
      'x-extensible-enum': true,
    };
    const base = this.#schemas.output(z.strictObject({ statusCode, ...rest })) as {
      properties: Json;
      required: string[];
    };
    this.#schemas.components.ErrorBody = {
      ...base,
      description: 'The fields of every error.',
      properties: {
        ...base.properties,
        code: { ...refTo('schemas', 'ErrorCode'), description: z.globalRegistry.get(code)?.description },
      },
      required: [...base.required, 'code'],
    };
  }

  /** The recorded errors, or else the first error of the response. The account API has no examples of errors. */
  #examples(codes: readonly ErrorCode[]): Json {
    const { errorExamples } = this.#api;
    if (!errorExamples) return {};
    const recorded = codes.filter((code) => code in errorExamples);
    const shown = recorded.length > 0 ? recorded : codes.slice(0, 1);
    for (const code of shown) this.examples[code] ??= exampleOf(code, errorExamples[code]);
    return { examples: Object.fromEntries(shown.map((code) => [code, refTo('examples', code)])) };
  }
}
