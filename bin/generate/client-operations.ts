/** Writes the tables of operations of client/ and console/: each operation of a document, and what a call needs. */

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The body of a request or response. */
interface Body {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The messages to integrators, by the name of the event. */
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
}

/** Writes for the console each event with its example in the document. */
export function writtenEvents({ webhooks = {} }: Document): string {
  const rows = Object.entries(webhooks).map(([name, { post }]) => {
    const example = post.requestBody?.content?.['application/json']?.example;
    return `  '${name}': ${JSON.stringify(example, null, 2)},\n`;
  });
  return `// Generated from the contract by bin/generate/types.ts.

/** A message of each event. */
export const eventExamples = {
${rows.join('')}} as const;
`;
}

/** Writes for the client a table of the operations, and a method for each. */
export function writtenOperations(document: Document, version: string): string {
  const operations = operationsOf(document);
  const codes = new Set(operations.flatMap((operation) => operation.codes));
  const everywhere = new Set(
    [...codes].filter((code) => operations.every((operation) => operation.codes.includes(code))),
  );

  return `// Generated from the contract by bin/generate/types.ts.

import type { CallOptions, CreateOptions, Given, List, Operation } from '../call.ts';
import type * as types from './types.ts';

/** The version of this package. */
export const version = '${version}';

/** The facts of each operation that a call needs. */
export const operations = {
${table(operations)}} as const satisfies Record<string, Operation>;

/** The bodies of every documented error. */
export type ErrorAnswer =
${operations.map(({ type }) => `  | types.${type}Error`).join('\n')};

${operations.map(({ type, input }) => (input ? `export type ${type}Input = Given<${input}>;\n` : '')).join('')}
/** The operations of the API. Each takes one object with the fields of path, query and body. */
export interface IntegrationClient {
${operations.map((operation) => method(operation, everywhere)).join('\n')}}
`;
}

/** Writes for the console the same table, and the types of each operation's input and response. */
export function writtenTable(document: Document): string {
  const operations = operationsOf(document);
  const input = ({ input, needed }: Read) => (input ? `${input}${needed ? '' : ' | undefined'}` : 'undefined');
  return `// Generated from the contract by bin/generate/types.ts.

import type { Operation } from '../../../../client/src/call.ts';
import type * as types from './types.ts';

/** The facts of each operation that a call needs. */
export const operations = {
${table(operations)}} as const satisfies Record<string, Operation>;

/** The input of each operation, with the fields of path, query and body in one object, and its response. */
export interface Calls {
${operations.map((read) => `  ${read.id}: { input: ${input(read)}; answer: ${answerType(read)} };\n`).join('')}}
`;
}

type Read = ReturnType<typeof read>;

function operationsOf(document: Document): readonly Read[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(document, path, method.toUpperCase(), operation)),
  );
}

function table(operations: readonly Read[]): string {
  return operations.map(({ id, facts }) => `  ${id}: { ${facts.join(', ')} },\n`).join('');
}

function read(document: Document, path: string, verb: string, operation: Operation) {
  const id = operation.operationId;
  const type = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
  const has = (part: string, name?: string) =>
    parameters.some((parameter) => parameter.in === part && (name === undefined || parameter.name === name));
  const body = operation.requestBody && resolved<Body>(document, operation.requestBody);
  const fields = body?.content?.['application/json']?.schema;
  const ambiguous = parameters.filter(
    ({ name, in: part }) =>
      fields && (part === 'query' || (part === 'path' && propertiesOf(document, fields).includes(name))),
  );
  for (const { name } of ambiguous)
    throw new Error(`${id}: the parameter ${name} and the body cannot share one object.`);

  const keyed = has('header', 'Idempotency-Key');
  const pages = has('query', 'cursor') ? 'cursor' : has('query', 'page') ? 'page' : undefined;
  const parts = (['path', 'query'] as const).filter((part) => has(part)).map((part) => `types.${type}Data['${part}']`);
  if (body) parts.push(`types.${type}Data['body']`);
  const needed =
    body?.required === true || parameters.some((parameter) => parameter.in !== 'header' && parameter.required);
  return {
    id,
    type,
    keyed,
    pages,
    needed,
    input: parts.map((part) => `NonNullable<${part}>`).join(' & '),
    previews: operation.responses['200'] !== undefined && operation.responses['201'] !== undefined,
    doc: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
    codes: Object.values(operation.responses).flatMap((response) => codesOf(document, response)),
    facts: [
      `method: '${verb}'`,
      `path: '${path}'`,
      ...(parts.length > 0 ? [] : ['bare: true']),
      ...(body ? ['body: true'] : []),
      ...(keyed ? ['keyed: true'] : []),
      ...(pages ? [`pages: '${pages}'`] : []),
    ],
  };
}

function method(
  { id, type, input, needed, keyed, pages, previews, doc, codes }: Read,
  everywhere: ReadonlySet<string>,
): string {
  const own = codes.filter((code) => !everywhere.has(code)).map((code) => `\`${code}\``);
  const lines = [doc, ...(own.length > 0 ? [`@throws {ApiError} ${own.join(', ')}`] : [])].join('\n\n').split('\n');
  const comment = lines.map((line) => `   * ${line}`.trimEnd().replaceAll('*/', '* /')).join('\n');
  const options = `options?: ${keyed ? 'CreateOptions' : 'CallOptions'}`;
  const parameters = input ? `input${needed ? '' : '?'}: ${type}Input, ${options}` : options;
  const answer = answerType({ type, previews });
  if (previews) {
    const dry = `${id}(input: ${type}Input & { dryRun: true }, ${options}): Promise<types.${type}Responses[200]>;`;
    // The compiler takes the first that fits.
    return `  ${dry}\n  /**\n${comment}\n   */\n  ${id}(${parameters}): Promise<${answer}>;\n`;
  }
  return `  /**\n${comment}\n   */\n  ${id}(${parameters}): ${pages ? `List<${answer}>` : `Promise<${answer}>`};\n`;
}

/** Returns the type of the result, also where a dry run returns another. */
function answerType({ type, previews }: Pick<Read, 'type' | 'previews'>): string {
  return previews ? `types.${type}Responses[201]` : `types.${type}Response`;
}

/** The possible values of `code` in the body of an error. */
function codesOf(document: Document, response: Body): readonly string[] {
  const schema = resolved<Body>(document, response).content?.['application/json']?.schema;
  return schema ? valuesOf(document, schema, 'code') : [];
}

function propertiesOf(document: Document, schema: Schema): readonly string[] {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = resolved<Schema>(document, schema);
  return [
    ...Object.keys(properties),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => propertiesOf(document, part)),
  ];
}

function valuesOf(document: Document, schema: Schema, property: string): readonly string[] {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = resolved<Schema>(document, schema);
  const { const: only, enum: some = [] } = properties[property] ?? {};
  const parts = [...allOf, ...anyOf, ...oneOf].flatMap((part) => valuesOf(document, part, property));
  return [...(only === undefined ? some : [only]).map(String), ...parts];
}

function resolved<T>(document: Document, value: T | { readonly $ref?: string }): T {
  const ref = (value as { readonly $ref?: string }).$ref;
  if (ref === undefined) return value as T;
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  if (target === undefined) throw new Error(`The document has no ${ref}.`);
  return resolved(document, target as T);
}
