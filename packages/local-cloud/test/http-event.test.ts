import { expect, test } from 'vitest';
import { fromAnswer, type GatewayRequest, toEvent } from '../src/http-event.ts';

const request: GatewayRequest = {
  requestId: 'r-1',
  method: 'POST',
  target: '/v1/a%20b?x=1&x=2&y=%C4%81',
  rawHeaders: [
    ...['Host', 'api.example.com', 'X-Api-Key', 'one', 'x-api-key', 'two'],
    ...['Connection', 'close', 'Cookie', 'a=1;  b=2;', 'User-Agent', 'curl'],
  ],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  protocol: 'HTTP/1.1',
  time: Date.UTC(2026, 10, 21, 7, 45, 5),
};
const authorizer = { jwt: { claims: { sub: 'one' } } };
const route = { routeKey: 'POST /v1/{name}', apiId: 'api', pathParameters: { name: 'a b' }, authorizer };

function withBody(body: string, contentType?: string) {
  const rawHeaders = contentType === undefined ? [] : ['Content-Type', contentType];
  const { body: sent, isBase64Encoded } = toEvent({ ...request, rawHeaders, body: Buffer.from(body) }, route);
  return { sent, isBase64Encoded };
}

const event = toEvent(request, route);

test('The local gateway passes to a function the decoded path, the raw query, and one value for each query name and header', () => {
  expect(event).toMatchObject({
    ...{ version: '2.0', routeKey: 'POST /v1/{name}', pathParameters: { name: 'a b' } },
    ...{ rawPath: '/v1/a b', rawQueryString: 'x=1&x=2&y=%C4%81', queryStringParameters: { x: '1,2', y: 'ā' } },
    headers: { host: 'api.example.com', 'x-api-key': 'one,two' },
  });
});

test('The local gateway passes cookies to a function in a list of their own, and passes no connection headers', () => {
  const names = ['Connection', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'];
  const rawHeaders = [...names.flatMap((name) => [name, 'x']), 'X-A', 'x'];
  expect(toEvent({ ...request, rawHeaders }, route).headers).toEqual({ 'x-a': 'x' });
  expect(event.headers).not.toHaveProperty('cookie');
  expect(event.cookies).toEqual(['a=1', 'b=2']);
});

test("The local gateway passes to a function the host, route, method and time of a request, and the authorizer's result", () => {
  expect(event.requestContext).toEqual({
    accountId: '000000000000',
    apiId: 'api',
    authorizer,
    domainName: 'api.example.com',
    domainPrefix: 'api',
    http: { method: 'POST', path: '/v1/a b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl' },
    requestId: 'r-1',
    routeKey: 'POST /v1/{name}',
    stage: '$default',
    time: '21/Nov/2026:07:45:05 +0000',
    timeEpoch: request.time,
  });
});

test('The local gateway passes no cookies, query, path variables or authorizer to a function if a request has none', () => {
  const plain = { ...route, pathParameters: {}, authorizer: undefined };
  const { requestContext, ...bare } = toEvent({ ...request, target: '/', rawHeaders: [] }, plain);
  const { routeKey } = route;
  expect(bare).toEqual({
    version: '2.0',
    routeKey,
    rawPath: '/',
    rawQueryString: '',
    headers: {},
    isBase64Encoded: false,
  });
  expect(requestContext).toMatchObject({ domainName: '', domainPrefix: '', http: { path: '/', userAgent: '' } });
  expect(requestContext).not.toHaveProperty('authorizer');
});

test.each([
  ['of type application/json; charset=utf-8', 'text', 'application/json; charset=utf-8'],
  ['of type text/plain', 'text', 'text/plain'],
  ['of type application/x-www-form-urlencoded', 'base64', 'application/x-www-form-urlencoded'],
  ['of type application/octet-stream', 'base64', 'application/octet-stream'],
  ['of type x-text/plain', 'base64', 'x-text/plain'],
  ['without a type', 'text', undefined],
])('The local gateway, like API Gateway, passes a request body %s to a function as %s', (_, form, contentType) => {
  const isBase64Encoded = form === 'base64';
  expect(withBody('{}', contentType)).toEqual({ sent: isBase64Encoded ? 'e30=' : '{}', isBase64Encoded });
  expect(withBody('', contentType)).toEqual({ isBase64Encoded: false });
});

test('The local gateway sends the status, headers, cookies and body that a function returns to the caller', () => {
  const headers = { 'Content-Type': 'application/json', 'X-A': 1 };
  expect(fromAnswer({ statusCode: 201, headers, cookies: ['a=1'], body: '{}' })).toEqual({
    status: 201,
    headers: { 'content-type': 'application/json', 'x-a': '1' },
    cookies: ['a=1'],
    body: Buffer.from('{}'),
  });
});

test('The local gateway decodes a base64 body that a function returns before it sends the body', () => {
  expect(fromAnswer({ statusCode: 200, body: 'AAE=', isBase64Encoded: true })?.body).toEqual(Buffer.from([0, 1]));
});

test.each([[{ a: 1 }], ['text'], [null], [[{ statusCode: 201 }]]])(
  'If a function returns %j, the local gateway answers 200 with this value as JSON',
  (answer) => {
    expect(fromAnswer(answer)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(JSON.stringify(answer)),
    });
  },
);

test.each([[{ statusCode: 599 }], [{ statusCode: '599', body: null }]])(
  'If a function returns %j, the local gateway answers 599 with an empty text',
  (answer) => {
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    expect(fromAnswer(answer)).toEqual({ status: 599, headers, cookies: [], body: Buffer.alloc(0) });
  },
);

test.each([
  [{ statusCode: 'x' }],
  [{ statusCode: 99 }],
  [{ statusCode: 600 }],
  [{ statusCode: 200.5 }],
  [{ statusCode: 200, body: {} }],
  [{ statusCode: 200, headers: [] }],
])('If a function returns %j, the local gateway refuses the result as an invalid HTTP response', (answer) => {
  expect(fromAnswer(answer)).toBeUndefined();
});
