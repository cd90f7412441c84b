import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { handler as listSlots } from '../../../functions/api/list-slots.ts';
import { issueKey } from '../../support/api-keys.ts';
import { httpEvent, lambdaContext } from '../../support/http.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const compressed = (body: string, accepted?: string, headers: Record<string, string> = { ETag: '"1"' }) => {
  const handler = serve('GET /long', publicAccess(), async () => ({ statusCode: 200, headers, body }));
  return handler(httpEvent({ headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted } }), lambdaContext);
};
const long = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: 'Jānis' })));

test('A response above 4 KB is compressed for a caller that accepts gzip, and contains the same text', async () => {
  const { body = '', headers, isBase64Encoded } = await compressed(long, 'br, gzip;q=0.8');
  expect(isBase64Encoded).toBe(true);
  expect(headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Origin, Accept-Encoding', ETag: 'W/"1"' });
  const sent = Buffer.from(body, 'base64');
  expect(gunzipSync(sent).toString()).toBe(long);
  expect(sent.length).toBeLessThan(long.length / 5);
  for (const accepted of ['gzip', 'GZIP', 'br,gzip', 'gzip; q=0.1']) {
    expect((await compressed(long, accepted)).isBase64Encoded, accepted).toBe(true);
  }
});

test('A response is not compressed for a caller that does not accept gzip, and its Vary header names Accept-Encoding', async () => {
  for (const accepted of [undefined, '', 'br', 'x-gzip-ish', 'gzip;q=0', 'gzip; q=0.000', 'identity, *;q=0']) {
    const { body, headers, isBase64Encoded } = await compressed(long, accepted);
    expect([body, isBase64Encoded]).toEqual([long, undefined]);
    expect(headers).toMatchObject({ Vary: 'Origin, Accept-Encoding', ETag: '"1"' });
    expect(headers).not.toHaveProperty('Content-Encoding');
  }
});

test('Only a response of more than 4 KB is compressed, with or without an ETag', async () => {
  const { body, headers } = await compressed('x'.repeat(4_096), 'gzip');
  expect(body).toHaveLength(4_096);
  expect(headers).toMatchObject({ Vary: 'Origin' });
  const larger = await compressed('x'.repeat(4_097), 'gzip', {});
  expect(larger.isBase64Encoded).toBe(true);
  expect(larger.headers).not.toHaveProperty('ETag');
});

test('The compressed list of the free slots of eight days has at most a fifth of its uncompressed size', async () => {
  const { serviceId, key } = await fixture.tenant();
  const { value } = await issueKey(dynamo(), { ...key });
  const query = `serviceId=${serviceId}&from=2026-12-01&to=2026-12-08`;
  const headers = { 'x-api-key': value, 'accept-encoding': 'gzip' };
  const { body = '' } = await listSlots(httpEvent({ path: '/v1/integration/slots', query, headers }), lambdaContext);
  const sent = Buffer.from(body, 'base64');
  expect(JSON.parse(gunzipSync(sent).toString()).data.length).toBeGreaterThan(200);
  expect(sent.length).toBeLessThan(gunzipSync(sent).length / 5);
});
