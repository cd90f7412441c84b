/** The two published documents for the fuzzer: the possible requests, and the schema of each response. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export type ApiName = 'integration' | 'account';

export interface Operation {
  readonly api: ApiName;
  readonly operationId: string;
  readonly method: string;
  /** The path with its prefix: `/v1/integration/bookings/{id}`. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** Follows a `$ref` of the operation's document; any other schema is returned as it is. */
  readonly resolve: (schema: JsonSchema) => JsonSchema;
  /** The first violation of the document by a response of that status, or undefined. */
  readonly fault: (status: number, headers: ReadonlyMap<string, string>, body: unknown) => string | undefined;
}

type Json = Readonly<Record<string, unknown>>;
const files: Readonly<Record<ApiName, string>> = { integration: 'openapi.json', account: 'openapi-account.json' };

let published: readonly Operation[] | undefined;

export function publishedOperations(): readonly Operation[] {
  published ??= (Object.keys(files) as ApiName[]).flatMap((api) => operationsOf(api));
  return published;
}

function operationsOf(api: ApiName): Operation[] {
  const document = JSON.parse(readFileSync(new URL(`../../${files[api]}`, import.meta.url), 'utf8')) as Json & {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, file(api));
  const validators = new Map<string, ValidateFunction>();
  const compiled = (pointer: string): ValidateFunction => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: pointer });
    validators.set(pointer, validate);
    return validate;
  };
  const follow = <T extends { readonly $ref?: string }>(value: T): T =>
    value.$ref === undefined ? value : (at(document, value.$ref.slice(2).split('/')) as T);
  /** The response that the document describes at this position. */
  const answerOf = (response: Json & { readonly $ref?: string }, position: readonly string[]): Answer => {
    const { headers = {}, content } = follow(response);
    const where = response.$ref ? response.$ref.slice(2).split('/') : position;
    const schema = [...where, 'content', 'application/json', 'schema'];
    const pointer = `${file(api)}#/${schema.map(escaped).join('/')}`;
    const names = Object.keys(headers as Json).map((name) => name.toLowerCase());
    return { headers: new Set(names), validate: content ? () => compiled(pointer) : undefined };
  };

  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const parameters = ((operation.parameters as Parameter[]) ?? []).map(follow);
      const answers = new Map(
        Object.entries(operation.responses as Record<string, Json>).map(([status, response]) => {
          return [Number(status), answerOf(response, ['paths', path, method, 'responses', status])] as const;
        }),
      );
      return {
        api,
        operationId: String(operation.operationId),
        method: method.toUpperCase(),
        path: `/v1/${api}${path}`,
        query: parameters.filter((one) => one.in === 'query'),
        body: at(operation, ['requestBody', 'content', 'application/json', 'schema']) as JsonSchema | undefined,
        resolve: follow,
        fault: (status, headers, body) => {
          const answer = answers.get(status);
          if (!answer) return `${status} is not documented for ${operation.operationId}`;
          if (!answer.validate) return body === undefined ? undefined : `${status} has a body`;
          const unsaid = [...headers.keys()].filter((name) => owed.has(name) && !answer.headers.has(name));
          if (unsaid.length > 0) return `${unsaid.join(', ')} is not documented for ${status}`;
          const validate = answer.validate();
          return validate(body) ? undefined : `the body is not as documented: ${ajv.errorsText(validate.errors)}`;
        },
      };
    }),
  );
}

/** Headers that a response may only have if its document names them. */
const owed = new Set(['etag', 'location', 'retry-after', 'idempotent-replayed']);

interface Answer {
  readonly headers: ReadonlySet<string>;
  /** Compiled when first needed, because most responses of most operations never occur. */
  readonly validate: (() => ValidateFunction) | undefined;
}

const file = (api: ApiName) => `/${files[api]}`;

/** A name in a JSON pointer that is part of a URI. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);
}
