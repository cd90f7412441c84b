/** One request to one operation: mostly valid, and invalid in one or a few fields. */
import * as fc from 'fast-check';
import { type Credential, credentials, idField } from './business.ts';
import type { JsonSchema, Operation } from './published.ts';
import { anyJson, anyText, broken, fitting, type Known } from './values.ts';
import type { WireRequest } from './wire.ts';

export interface Drawn extends WireRequest {
  readonly credential: Credential;
}

export interface Draws {
  readonly known: Known;
  readonly foreign: Known;
}

/** `[weight, arbitrary]` pairs. */
function mostly<T>(...options: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND'] as const;

const oddHeaders = mostly(
  [12, fc.constant<readonly string[]>([])],
  [
    2,
    fc
      .tuple(
        fc.constantFrom(
          ...['If-None-Match', 'Idempotency-Key', 'Origin', 'Accept', 'Accept-Encoding', 'Cookie', 'X-Request-Id'],
          ...['Range', 'X-HTTP-Method-Override', 'X-Forwarded-For', 'X-Amzn-Trace-Id', 'Forwarded'],
          ...['__proto__', 'constructor'],
        ),
        anyText,
      )
      .map(([name, text]) => [`${name}: ${text.replace(/[\0\r\n]/g, '')}`]),
  ],
  [
    1,
    fc.constantFrom<readonly string[]>(
      ['Idempotency-Key: the-same'],
      ['Idempotency-Key: the-same', 'Idempotency-Key: another'],
      ['If-None-Match: *'],
      ['If-None-Match: W/"a", "b", ,'],
      ['Origin: null'],
      ['Origin: https://shop.example'],
      ['Expect: 100-continue'],
      ['Transfer-Encoding: chunked'],
      ['Content-Encoding: gzip'],
      ['X: a\r\nX-Injected: b'],
      [`X-Noise: ${'n'.repeat(11_000)}`],
      [': no name'],
      Array.from({ length: 120 }, (_, i) => `X-${i}: ${i}`),
    ),
  ],
);

const contentTypes = mostly(
  [20, fc.constant<readonly string[]>(['Content-Type: application/json'])],
  [
    3,
    fc.constantFrom<readonly string[]>(
      [],
      ['Content-Type: application/json; charset=utf-8'],
      ['Content-Type: application/json; charset=utf-16'],
      ['Content-Type: text/plain'],
      ['Content-Type: application/x-www-form-urlencoded'],
      ['Content-Type: multipart/form-data; boundary=x'],
      ['Content-Type: application/json', 'Content-Type: application/json'],
      ['Content-Type: application/octet-stream'],
      ['Content-Type: ;'],
    ),
  ],
);

const rawBodies: fc.Arbitrary<Buffer> = fc.oneof(
  anyText.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('[', '{"a":', '[{"a":').chain((open) => fc.nat(8_000).map((n) => Buffer.from(open.repeat(n)))),
  fc.nat(60).map((n) => Buffer.from(`${'{"client":'.repeat(n)}1${'}'.repeat(n)}`)),
  fc.constantFrom(65_535, 65_536, 65_537, 200_000).map((n) => Buffer.from(JSON.stringify('x'.repeat(n - 2)))),
  fc
    .constantFrom('', ' ', 'null', '0', '"text"', '[]', '{}', '{}{}', '\ufeff{}', '{"a":1e999}', '{"a":01}', "{'a':1}")
    .map((text) => Buffer.from(text)),
);

function bodiesOf(schema: JsonSchema | undefined, operation: Operation, known: Known): fc.Arbitrary<Buffer> {
  const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '');
  if (!schema) return mostly([8, fc.constant(Buffer.alloc(0))], [1, rawBodies]);
  const right = fitting(schema, { resolve: operation.resolve, known });
  const wrong = fc.tuple(right, fc.nat(10_000), anyJson).map(([value, place, by]) => broken(value, place, by));
  return mostly(
    [6, right.map(toBytes)],
    [5, wrong.map(toBytes)],
    [1, fc.tuple(right, right).map(([first, second]) => repeatedNames(first, second))],
    [1, anyJson.map(toBytes)],
    [1, rawBodies],
  );
}

/** Each name twice, with two values, which JSON does not define. */
function repeatedNames(first: unknown, second: unknown): Buffer {
  const [a, b] = [first, second].map((value) => JSON.stringify(value) ?? 'null');
  return Buffer.from(
    /^\{.+\}$/s.test(a ?? '') && /^\{.+\}$/s.test(b ?? '') ? `${a?.slice(0, -1)},${b?.slice(1)}` : `${a}`,
  );
}

function queriesOf({ query, resolve }: Operation, known: Known): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom(...query.map((one) => one.name), 'page', '__proto__', 'constructor', ''),
    anyText,
  );
  const odd = fc.oneof(
    fc.array(fc.tuple(name, anyText), { maxLength: 4 }).map(encoded),
    anyText.map((text) => text.replace(/[\0-\x20]/g, '+')),
    fc.webQueryParameters(),
  );
  if (query.length === 0) return mostly([8, fc.constant('')], [1, odd]);
  const right = fc
    .record(Object.fromEntries(query.map((one) => [one.name, fitting(one.schema, { resolve, known }, one.name)])), {
      requiredKeys: query.filter(({ required }) => required).map((one) => one.name),
    })
    .map((values) => Object.entries(values).map(([key, value]): [string, string] => [key, String(value)]));
  const wrong = fc
    .tuple(right, fc.nat(10), anyText)
    .map(([pairs, place, by]) =>
      pairs.map(([key, value], i): [string, string] => [key, i === place % pairs.length ? by : value]),
    );
  const forged = fc
    .tuple(right, fc.nat(), fc.nat(200), anyText)
    .map(([pairs, picked, at, by]): [string, string][] => [
      ...pairs.filter(([key]) => key !== 'cursor'),
      ['cursor', spliced(String(known('cursor', picked) ?? 'AAAA'), at, by)],
    ]);
  return mostly(
    [6, right.map(encoded)],
    [3, wrong.map(encoded)],
    [1, forged.map(encoded)],
    [1, right.map((pairs) => encoded([...pairs, ...pairs]))],
    [1, odd],
  );
}

function spliced(text: string, at: number, by: string): string {
  const index = at % (text.length + 1);
  return text.slice(0, index) + by + text.slice(index + 1);
}

function encoded(pairs: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(pairs as [string, string][]).toString();
}

function pathsOf({ path }: Operation, { known, foreign }: Draws): fc.Arbitrary<string> {
  const segments = path.split('/').map((segment, i, all) => {
    if (!segment.startsWith('{')) return fc.constant(segment);
    const field = segment === '{id}' ? idField(all[i - 1] ?? '') : segment.slice(1, -1);
    const from = (ids: Known) => fc.nat().map((choice) => String(ids(field, choice) ?? 1));
    return mostly(
      [12, from(known)],
      [2, from(foreign)],
      [1, fc.maxSafeInteger().map(String)],
      [2, anyText.map((text) => encodeURIComponent(text.toWellFormed()))],
      [1, anyText.map((text) => text.replace(/[\0-\x20?]/g, '%20'))],
    );
  });
  const right = fc.tuple(...segments).map((parts) => parts.join('/'));
  return mostly(
    [30, right],
    [2, fc.tuple(right, fc.constantFrom(...pathMischief)).map(([text, spoil]) => spoil(text))],
  );
}

const pathMischief: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.replace('/v1', '//v1'),
  (path) => path.replace(/\/([^/]*)$/, '//$1'),
  (path) => path.replace(/\/([^/]*)$/, '/./$1'),
  (path) => path.replace(/\/([^/]*)$/, '/../$1'),
  (path) => path.replace(/\/([^/]*)$/, '%2f$1'),
  (path) => path.replace(/\/([^/]*)$/, ';a=b/$1'),
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `/api${path}`,
  (path) => `/api${path}%0d%0aSet-Cookie:%20a=b`,
  (path) => `http://elsewhere.example${path}`,
  (path) => `${path}/${'a'.repeat(3_000)}`,
  (path) => path.replace('integration', 'account'),
  (path) => path.replace('account', 'integration'),
  () => '*',
  () => '/',
];

/** Requests to the operation, as this business makes them. */
export function requestsTo(operation: Operation, draws: Draws): fc.Arbitrary<Drawn> {
  return fc
    .record({
      method: mostly([24, fc.constant(operation.method)], [1, fc.constantFrom<string>(...methods)]),
      path: pathsOf(operation, draws),
      query: queriesOf(operation, draws.known),
      types: contentTypes,
      odd: oddHeaders,
      body: bodiesOf(operation.body, operation, draws.known),
      credential: mostly([30, fc.constant<Credential>('good')], [4, fc.constantFrom(...credentials)]),
    })
    .map(({ method, path, query, types, odd, body, credential }) => ({
      method,
      target: query === '' ? path : `${path}?${query}`,
      headers: [...(body.length > 0 ? types : []), ...odd],
      body,
      credential,
    }));
}
