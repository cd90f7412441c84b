/** The headers of an error by its code, and those that a browser may read. */
import { expect, test } from 'vitest';
import { type ErrorCode, errors } from '../../../contract/errors.ts';
import { exposedHeaders } from '../../../contract/headers.ts';
import { fail } from '../../../core/errors.ts';
import { acceptsOrigin } from '../../../core/http/access/origin.ts';
import type { Middleware } from '../../../core/http/context.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { call } from '../../support/http.ts';

const codes = Object.keys(errors) as ErrorCode[];
const from = (origins: readonly string[]): Middleware => ({
  before: ({ event }) => {
    acceptsOrigin(event.state, origins);
  },
});
const failing = (code: ErrorCode, retryAfter?: number, replayed?: true) =>
  serve('GET /', publicAccess(), async () => {
    throw fail(code, { ...(retryAfter !== undefined && { retryAfter }), ...(replayed && { replayed }) });
  });

test.each(codes)('A response with error %s has the headers that its status and `retryAfter` require', async (code) => {
  const { status } = errors[code];
  const plain = await call(failing(code), {});
  expect(plain.status).toBe(status);
  expect(plain.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect(plain.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  expect(plain.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
  expect(plain.headers['idempotent-replayed']).toBe(undefined);
  const waiting = await call(failing(code, 7, true), {});
  expect([waiting.headers['retry-after'], waiting.json.retryAfter]).toEqual(['7', 7]);
  expect(waiting.headers['idempotent-replayed']).toBe('true');
});

test('A web page of an allowed origin may read every documented response header', async () => {
  const handler = serve('GET /', { ...publicAccess(), checks: [from(['example.com'])] }, async () => {
    throw fail('not_found');
  });
  const { headers } = await call(handler, { headers: { origin: 'https://example.com' } });
  const exposed = headers['access-control-expose-headers'] ?? '';
  expect(exposed.split(/\s*,\s*/)).toEqual([...exposedHeaders]);
  for (const name of exposed.split(/\s*,\s*/)) expect(name).toMatch(/^[A-Za-z-]+$/);
  expect((await call(handler, { headers: { origin: 'https://example.org' } })).headers).not.toHaveProperty(
    'access-control-expose-headers',
  );
});
