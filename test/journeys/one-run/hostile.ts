/** Single requests that are refused: odd bytes, paths, headers and bodies. Random ones are in fuzz.test.ts. */
import { describe, expect, test } from 'vitest';
import { violations } from '../../fuzz/judge.ts';
import { publishedOperations } from '../../fuzz/published.ts';
import { send, type WireRequest } from '../../fuzz/wire.ts';
import { type Journeys, newTenant } from '../../support/local.ts';

type Hostile = Omit<WireRequest, 'headers' | 'body'> & Partial<WireRequest>;

const asked = ({ headers = [], body = '', ...request }: Hostile, key: string): WireRequest => ({
  ...request,
  headers: [`X-API-Key: ${key}`, ...headers],
  body,
});

const json = 'Content-Type: application/json';
const prefix = '/v1/integration';

const refused: readonly Hostile[] = [
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

export const hostile: Journeys = (local) =>
  describe('hostile requests', () => {
    test('Hostile requests get an error in the common format with all headers, and never a 5xx', async () => {
      const tenants = await Promise.all([newTenant(local()), newTenant(local())]);
      const operations = publishedOperations();
      for (const [i, request] of refused.entries()) {
        const sent = asked(request, tenants[i % 2]?.key.value ?? '');
        const answer = await send(local().run.baseUrl, sent);
        expect(violations({ ...sent, foreign: new Set() }, answer, operations), JSON.stringify(request)).toEqual([]);
        expect(answer.status, JSON.stringify(request)).toBeGreaterThanOrEqual(400);
      }
    });

    test('Errors that the gateway itself returns have the documented bodies', async () => {
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
        const { status, text } = await send(local().run.baseUrl, asked(request, tenant.key.value));
        expect([status, JSON.parse(text)]).toEqual([expected, { message }]);
      }
    });
  });
