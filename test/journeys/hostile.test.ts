/** What the handlers' own tests send past the gateway goes through it here: odd bytes, paths, headers and bodies. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { allRoutes } from '../../contract/api.ts';
import { errors } from '../../contract/errors.ts';
import { newTenant, type TestTenant, withLocal } from '../support/local.ts';

const local = withLocal();

/** Sends bytes as they are and returns the answer's head and body. */
function raw(request: string): Promise<{ status: number; head: string; body: string }> {
  const { port } = new URL(local().run.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body });
    });
    socket.write(request);
  });
}

interface Hostile {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

function bytes({ method, target, headers = [], body = '' }: Hostile, key: string): string {
  return [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `X-API-Key: ${key}`,
    'Connection: close',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

const json = 'Content-Type: application/json';
const prefix = '/v1/integration';

const hostile: readonly Hostile[] = [
  { method: 'GET', target: `${prefix}/../../etc/passwd` },
  { method: 'GET', target: `${prefix}/%2e%2e/%00` },
  { method: 'GET', target: `${prefix}//services` },
  { method: 'GET', target: `${prefix}/services/` },
  { method: 'GET', target: `${prefix}/services/9999999999999999` },
  { method: 'GET', target: `${prefix}/services/-1` },
  { method: 'GET', target: `${prefix}/services?page=0` },
  { method: 'GET', target: `${prefix}/services?page=1&page=2` },
  { method: 'GET', target: `${prefix}/services?__proto__=1` },
  { method: 'GET', target: `${prefix}/services?limit=1e1` },
  { method: 'GET', target: `${prefix}/bookings?cursor=AAAA` },
  { method: 'GET', target: `${prefix}/${'a'.repeat(4_000)}` },
  { method: 'PUT', target: `${prefix}/services` },
  { method: 'TRACE', target: `${prefix}/services` },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json], body: '[' },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json], body: '['.repeat(10_000) },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json], body: '{"__proto__":{"admin":true}}' },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json], body: '{"serviceId":1e999}' },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json], body: `{"comment":"${'x'.repeat(70_000)}"}` },
  { method: 'POST', target: `${prefix}/bookings`, headers: ['Content-Type: text/plain'], body: '{}' },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json, json], body: '{}' },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json], body: '\u0000' },
  { method: 'POST', target: `${prefix}/bookings`, headers: [json, `Idempotency-Key: ${'k'.repeat(300)}`], body: '{}' },
  { method: 'POST', target: `${prefix}/webhooks`, headers: [json], body: '{"targetUrl":"http://169.254.169.254/"}' },
  { method: 'GET', target: `${prefix}/services`, headers: ['X-API-Key: another', 'Origin: null'] },
];

async function expectRefused(tenant: TestTenant, request: Hostile): Promise<void> {
  const { status, head, body } = await raw(bytes(request, tenant.key.value));
  expect({ request, status }).toMatchObject({ status: expect.any(Number) });
  if (status < 300) throw new Error(`${request.method} ${request.target} was accepted with ${status}`);
  expect({ request, status, server: status >= 500 }).toMatchObject({ server: false });
  const parsed = JSON.parse(body) as { statusCode: number; code: keyof typeof errors; requestId: string };
  expect(parsed).toMatchObject({ statusCode: status, requestId: expect.any(String) });
  expect(errors[parsed.code]?.status).toBe(status);
  expect(head).toContain('x-ratelimit-limit: 60');
  expect(head).toContain('x-ratelimit-reset-day: ');
  expect(head).toContain('x-request-id: ');
}

test('hostile requests get an error in the common shape with every header, and never a 5xx', async () => {
  const tenants = await Promise.all([newTenant(local()), newTenant(local())]);
  for (const [i, request] of hostile.entries()) {
    const tenant = tenants[i % tenants.length];
    if (tenant) await expectRefused(tenant, request);
  }
}, 120_000);

test('what the gateway refuses itself has the documented bodies', async () => {
  const tenant = await newTenant(local());
  const own: readonly (readonly [Hostile, number, string])[] = [
    [
      { method: 'GET', target: `${prefix}/services`, headers: [`X-Noise: ${'n'.repeat(11_000)}`] },
      431,
      'Request Header Fields Too Large',
    ],
    [{ method: 'GET', target: `${prefix}/services/%E0%A4%A` }, 400, 'Bad Request'],
  ];
  for (const [request, expected, message] of own) {
    const { status, body } = await raw(bytes(request, tenant.key.value));
    expect([status, JSON.parse(body)]).toEqual([expected, { message }]);
  }
});

test('every endpoint without a key answers 401 in the common shape', async () => {
  for (const { method, path } of allRoutes) {
    const response = await fetch(`${local().run.baseUrl}${prefix}${path.replace(/:\w+/g, '1')}`, { method });
    expect({ path, status: response.status }).toEqual({ path, status: 401 });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(await response.json()).toMatchObject({ statusCode: 401, code: 'api_key_missing' });
  }
}, 120_000);
