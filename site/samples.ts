/** Creates code samples of each operation from its examples: curl, the project's client, Python and PHP. */
import { placeholders } from './addresses.ts';
import { type Document, type Operation, type Parameter, parameterOf, type Value } from './openapi.ts';

export interface Sample {
  /** The language for the highlighting of the reference. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The parts of a sample request. */
interface Call {
  readonly operationId: string;
  readonly method: string;
  /** The path with the values of its parameters. */
  readonly path: string;
  readonly query: Readonly<Record<string, Value>>;
  /** The fields of path, query and body together. */
  readonly fields: Readonly<Record<string, Value>>;
  readonly body: Value | undefined;
  readonly isIdempotent: boolean;
  readonly hasAnswer: boolean;
}

/** The API that a document describes. */
interface Side {
  readonly base: string;
  /** The header values by name, with placeholders for secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the project has a client for the API. */
  readonly hasClient: boolean;
}

const sides: Readonly<Record<string, Side>> = {
  'openapi.json': { base: placeholders.integration, headers: { 'X-API-Key': placeholders.testKey }, hasClient: true },
  'openapi-account.json': {
    base: placeholders.account,
    headers: { Authorization: `Bearer ${placeholders.ownerToken}`, 'Booking-Mode': 'test' },
    hasClient: false,
  },
};

/** Returns the document with samples, for the page that renders it. */
export function withSamples(name: string, json: string): string {
  const document = inTheSandbox(JSON.parse(json) as Document);
  const side = sides[name];
  if (!side) throw new Error(`There are no samples for ${name}.`);
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => {
      const parameters = operation.parameters?.map((parameter) => withoutFilter(parameter));
      const shown = { ...operation, ...(parameters && { parameters }) };
      return [method, { ...shown, 'x-codeSamples': samplesOf(callOf(document, method, path, shown), side) }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
}

/** Requests from the page use the sandbox unless the reader chooses otherwise. */
function inTheSandbox(document: Document): Document {
  const { parameters = {} } = document.components;
  const shown = Object.entries(parameters).map(([component, parameter]) => {
    return [
      component,
      parameter.name === 'Booking-Mode' ? { ...parameter, example: 'test' } : withoutFilter(parameter, component),
    ];
  });
  return { ...document, components: { ...document.components, parameters: Object.fromEntries(shown) } };
}

/**
 * Optional filters with an example would be sent: several together match nothing. The service of slots is optional only
 * because `serviceIds` may replace it.
 */
function withoutFilter(parameter: Parameter, component?: string): Parameter {
  if (parameter.in !== 'query' || parameter.required || component === 'ServiceIdOfSlots') return parameter;
  const { example: _, ...left } = parameter;
  return left;
}

function callOf(document: Document, method: string, path: string, operation: Operation): Call {
  const parameters = (operation.parameters ?? []).map((parameter) => parameterOf(document, parameter));
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && (parameter.required || parameter.example !== undefined))
        .map(({ name, example }) => [name, example ?? name]),
    );
  const [inPath, query] = [valuesIn('path'), valuesIn('query')];
  const body = operation.requestBody && (operation.requestBody.content['application/json'].example ?? {});
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name]))),
    query,
    fields: { ...inPath, ...query, ...(body as object | undefined) },
    body,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    hasAnswer: !('204' in operation.responses),
  };
}

function samplesOf(call: Call, side: Side): readonly Sample[] {
  return [
    { lang: 'shell', label: 'curl', source: inCurl(call, side) },
    ...(side.hasClient ? [{ lang: 'typescript', label: 'TypeScript client', source: inTypeScript(call, side) }] : []),
    { lang: 'python', label: 'Python', source: inPython(call, side) },
    { lang: 'php', label: 'PHP', source: inPhp(call, side) },
  ];
}

function urlOf({ path, query }: Call, { base }: Side): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `${base}${path}${search.size > 0 ? `?${search}` : ''}`;
}

function inCurl(call: Call, side: Side): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} ${quoted(urlOf(call, side))}`,
    ...Object.entries(side.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(call.isIdempotent ? ['-H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)"'] : []),
    ...(call.body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(call.body, null, 2))}`]),
  ].join(' \\\n  ');
}

function inTypeScript({ operationId, fields, hasAnswer }: Call, { base }: Side): string {
  const input = Object.keys(fields).length > 0 ? literal(fields, typeScript) : '';
  const call = `await api.${operationId}(${input});`;
  return `import { createClient } from 'booking-integration-client';

const api = createClient({
  baseUrl: '${base}',
  apiKey: '${placeholders.testKey}',
});

${hasAnswer ? `const answer = ${call}\nconsole.log(answer);` : call}
`;
}

function inPython(call: Call, side: Side): string {
  const { method, body, isIdempotent, hasAnswer } = call;
  const imports = [
    ...(body !== undefined || hasAnswer ? ['import json'] : []),
    ...(isIdempotent ? ['import uuid'] : []),
    'from urllib.request import Request, urlopen',
  ];
  const headers = [
    ...Object.entries(side.headers).map(([name, value]) => `"${name}": "${value}",`),
    ...(isIdempotent ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json",']),
  ];
  return `${imports.join('\n')}

${body === undefined ? '' : `body = ${literal(body, python)}\n`}request = Request(
    "${urlOf(call, side)}",${body === undefined ? '' : '\n    json.dumps(body).encode(),'}
    headers={${headers.map((line) => `\n        ${line}`).join('')}
    },
    method="${method}",
)
with urlopen(request, timeout=20) as response:
    print(${hasAnswer ? 'json.load(response)' : 'response.status'})
`;
}

function inPhp(call: Call, side: Side): string {
  const { method, body, isIdempotent, hasAnswer } = call;
  const headers = [
    ...Object.entries(side.headers).map(([name, value]) => `'${name}: ${value}',`),
    ...(isIdempotent ? ["'Idempotency-Key: ' . bin2hex(random_bytes(16)),"] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json',"]),
  ];
  return `<?php
${body === undefined ? '' : `$body = ${literal(body, php)};\n`}$request = curl_init('${urlOf(call, side)}');
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 20,${body === undefined ? '' : '\n    CURLOPT_POSTFIELDS => json_encode($body),'}
    CURLOPT_HTTPHEADER => [${headers.map((line) => `\n        ${line}`).join('')}
    ],
]);
$answer = curl_exec($request);
${hasAnswer ? 'var_dump(json_decode($answer, true));' : 'echo curl_getinfo($request, CURLINFO_RESPONSE_CODE);'}
`;
}

/** The syntax of a language for JSON values. */
interface Notation {
  readonly indent: string;
  readonly list: readonly [open: string, close: string];
  readonly record: readonly [open: string, close: string];
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  name(name: string): string;
  text(text: string): string;
}

const inSingleQuotes = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

const typeScript: Notation = {
  indent: '  ',
  list: ['[', ']'],
  record: ['{', '}'],
  words: { true: 'true', false: 'false', null: 'null' },
  name: (name) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : inSingleQuotes(name)}: `,
  text: inSingleQuotes,
};
const python: Notation = {
  indent: '    ',
  list: ['[', ']'],
  record: ['{', '}'],
  words: { true: 'True', false: 'False', null: 'None' },
  name: (name) => `${JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
};
const php: Notation = {
  indent: '    ',
  list: ['[', ']'],
  record: ['[', ']'],
  words: { true: 'true', false: 'false', null: 'null' },
  name: (name) => `${inSingleQuotes(name)} => `,
  text: inSingleQuotes,
};

function literal(value: Value, notation: Notation, depth = 0): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return notation.words[`${value}`];
  const written = (name: string, inner: Value) => `${name}${literal(inner, notation, depth + 1)}`;
  const [lines, [open, close]] = Array.isArray(value)
    ? [value.map((inner: Value) => written('', inner)), notation.list]
    : [Object.entries(value).map(([name, inner]) => written(notation.name(name), inner)), notation.record];
  if (lines.length === 0) return notation === php && !Array.isArray(value) ? 'new stdClass()' : `${open}${close}`;
  const start = `\n${notation.indent.repeat(depth + 1)}`;
  return `${open}${lines.map((line) => `${start}${line},`).join('')}\n${notation.indent.repeat(depth)}${close}`;
}
