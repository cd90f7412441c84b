/** The requests that a distribution of the templates answers, and those that it passes to the APIs on the same port. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { stored } from '../src/buckets.ts';
import { behindDistributions } from '../src/distributions.ts';
import type { HttpApis } from '../src/http-api.ts';
import { buildModel } from '../src/model.ts';
import { readPolicies } from '../src/policies.ts';
import { resourceKinds } from '../src/resource-kinds.ts';
import type { Resource, Template } from '../src/templates.ts';

const code = readFileSync(new URL('./fixture/page-paths.js', import.meta.url), 'utf8');
const att = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });
const cors = {
  AccessControlAllowCredentials: false,
  AccessControlAllowHeaders: { Items: ['*'] },
  AccessControlAllowMethods: { Items: ['GET'] },
  AccessControlAllowOrigins: { Items: ['*'] },
  OriginOverride: true,
};
const row = (Name: string, more: object = {}) => {
  const CustomHeadersConfig = { Items: [{ Header: 'X-Row', Value: Name, Override: true }] };
  return {
    Type: 'AWS::CloudFront::ResponseHeadersPolicy',
    Properties: { ResponseHeadersPolicyConfig: { Name, CustomHeadersConfig, ...more } },
  };
};
const FunctionAssociations = [{ EventType: 'viewer-request', FunctionARN: att('Paths', 'FunctionARN') }];
const behavior = (row: string) => ({
  CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
  ResponseHeadersPolicyId: { Ref: row },
  TargetOriginId: 'files',
});
const api = {
  PathPattern: '/v1/account/*',
  AllowedMethods: ['GET', 'HEAD', 'POST'],
  CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
  TargetOriginId: 'api',
};
const paths = (FunctionCode: string) => ({
  Type: 'AWS::CloudFront::Function',
  Properties: { Name: 'paths', FunctionCode, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } },
});
const mayRead = {
  Effect: 'Allow',
  Action: ['s3:GetObject', 's3:ListBucket'],
  Principal: { Service: 'cloudfront.amazonaws.com' },
  Resource: [att('Pages', 'Arn'), { 'Fn::Join': ['', [att('Pages', 'Arn'), '/*']] }],
  Condition: {
    StringEquals: {
      'AWS:SourceArn': { 'Fn::Sub': `arn:aws:cloudfront::\${AWS::AccountId}:distribution/\${Distribution}` },
    },
  },
};
const origin = { Id: 'files', DomainName: att('Pages', 'RegionalDomainName') };
const config = {
  Enabled: true,
  DefaultRootObject: 'index.html',
  DefaultCacheBehavior: { ...behavior('Console'), FunctionAssociations },
  CacheBehaviors: [
    api,
    { ...behavior('Assets'), PathPattern: 'assets/*', Compress: true },
    { ...behavior('Documents'), FunctionAssociations, PathPattern: '/openapi*.json' },
  ],
  Origins: [
    { ...origin, OriginAccessControlId: att('Access', 'Id') },
    { Id: 'api', DomainName: 'account.execute-api.us-east-1.amazonaws.com' },
  ],
};
const distribution = (DistributionConfig: object): Resource => ({
  Type: 'AWS::CloudFront::Distribution',
  Properties: { DistributionConfig },
});
const resources: Record<string, Resource> = {
  Pages: { Type: 'AWS::S3::Bucket', Properties: {} },
  Mayread: {
    Type: 'AWS::S3::BucketPolicy',
    Properties: { Bucket: { Ref: 'Pages' }, PolicyDocument: { Statement: [mayRead] } },
  },
  Access: {
    Type: 'AWS::CloudFront::OriginAccessControl',
    Properties: {
      OriginAccessControlConfig: {
        ...{ Name: 'pages', OriginAccessControlOriginType: 's3' },
        ...{ SigningBehavior: 'always', SigningProtocol: 'sigv4' },
      },
    },
  },
  Paths: paths(code),
  Console: row('console'),
  Assets: row('assets'),
  Documents: row('documents', { CorsConfig: cors }),
  Distribution: distribution(config),
};

const apis: HttpApis = {
  answer: async ({ target }, _, apiId = 'api') => ({
    ...{ status: 401, headers: {}, cookies: [] },
    body: Buffer.from(`${apiId} ${target}`),
  }),
};
const long = 'a line of text\n'.repeat(1_000);
const files = {
  ...Object.fromEntries(
    ['index.html', 'docs/index.html', 'docs/guide/index.html', 'assets/app.js', 'openapi.json', 'docs/a b.txt'].map(
      (key) => [key, key],
    ),
  ),
  'docs/long.txt': long,
  'assets/long.js': long,
  'assets/long.png': long,
};

function standing(changes: Record<string, Resource> = {}) {
  const all = { ...resources, ...changes };
  const template = { stackName: 'edge', resources: all, outputs: {}, parameters: {}, conditions: {}, mappings: {} };
  const model = buildModel([{ ...template, assets: new Map() } as Template], resourceKinds, {
    awsEndpoint: '',
    baseUrl: '',
  });
  const stock = new Map(Object.entries(files).map(([key, text]) => [key, stored(key, Buffer.from(text))]));
  const fronted = behindDistributions(model, new Map([['edge-Pages', stock]]), readPolicies(model), apis);
  return async (target: string, { method = 'GET', host = '127.0.0.1:8787', more = {} } = {}) => {
    const rawHeaders = Object.entries(more).flat() as string[];
    const request = { requestId: '', method, target, rawHeaders, body: Buffer.alloc(0), sourceIp: '' };
    const answer = await (await fronted).answer({ ...request, protocol: 'HTTP/1.1', time: 0 }, { host, ...more });
    return { ...answer, text: answer.body.toString() };
  };
}

test.each([
  ['/', 200, 'index.html'],
  ['/?from=mail', 200, 'index.html'],
  ['/calendar', 200, 'index.html'],
  ['/test/webhooks/1234/deliveries', 200, 'index.html'],
  ['/assets/app.js', 200, 'assets/app.js'],
  ['/assets/old.js', 404, expect.stringContaining('NoSuchKey')],
  ['/docs/', 200, 'docs/index.html'],
  ['/docs/guide/', 200, 'docs/guide/index.html'],
  ['/docs/a%20b.txt', 200, 'docs/a b.txt'],
  ['/docs/nowhere/', 404, 'No such page.'],
  ['/docs/nothing/', 404, expect.stringContaining('NoSuchKey')],
  ['/docs/../', 404, expect.stringContaining('NoSuchKey')],
  ['/v1/account/services', 401, 'account /v1/account/services'],
  ['/v1/integration/services', 401, 'api /v1/integration/services'],
  ['/api/v1/integration/services', 401, 'api /api/v1/integration/services'],
  ['/favicon.ico', 404, expect.stringContaining('NoSuchKey')],
  ['/%zz.css', 404, expect.stringContaining('NoSuchKey')],
])('A local CloudFront distribution answers GET %s with status %i', async (target, status, text) => {
  expect(await standing()(target)).toMatchObject({ status, text });
});

test('A local CloudFront function may be asynchronous and may log, but cannot read request headers', async () => {
  const running = (line: string) =>
    standing({
      Paths: paths(`async function handler(event) { const request = event.request; ${line}; return request; }`),
    });
  const name = "Buffer.from('ZG9jcy9pbmRleC5odG1s', 'base64')";
  const written = running(`console.log(request.uri); request.uri = '/' + ${name}`);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  expect(await written('/')).toMatchObject({ status: 200, text: 'docs/index.html' });
  expect(log.mock.calls).toEqual([['/index.html']]);
  log.mockRestore();
  await expect(running('request.headers.host')('/')).rejects.toThrow("reading 'host'");
});

test('A local CloudFront distribution redirects a folder path to add its final slash, and never to another host', async () => {
  expect(await standing()('/docs')).toMatchObject({ status: 301, headers: { location: '/docs/' } });
  expect(await standing()('/docs/guide')).toMatchObject({ status: 301, headers: { location: '/docs/guide/' } });
  expect((await standing()('//attacker.example/docs')).headers).not.toHaveProperty('location');
});

test.each([
  ['array destructuring', 'const [a, b] = [1, 2];'],
  ['object destructuring', 'const { a } = {};'],
  ['a for-of loop', 'for (const a of []) a;'],
  ['optional chaining', 'const a = {}?.b;'],
  ['a default parameter', 'const a = (b = 1) => b;'],
  ['spread syntax', 'const a = [...[]];'],
  ['a class', 'class A {}'],
])(
  'The local run refuses a CloudFront function with %s, because the runtime of CloudFront lacks that syntax',
  async (_, line) => {
    const ask = standing({ Paths: paths(line + code) });
    await expect(ask('/')).rejects.toThrow('CloudFront cannot read the code of edge-Paths');
  },
);

test('A local CloudFront distribution sends a file with its content type, an ETag and the headers of its cache behavior', async () => {
  const ask = standing();
  const first = await ask('/assets/app.js');
  expect(first.headers).toEqual({
    'x-row': 'assets',
    'content-type': 'text/javascript',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  });
  expect(await ask('/assets/app.js', { more: { 'if-none-match': first.headers.etag } })).toMatchObject({
    status: 304,
    text: '',
  });
});

test('A local CloudFront distribution compresses text if its cache behavior enables compression and the client accepts it', async () => {
  const ask = standing();
  const asking = (target: string, accepted: string) => ask(target, { more: { 'accept-encoding': accepted } });
  const brotli = await asking('/assets/long.js', 'gzip, deflate, br, zstd');
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(brotliDecompressSync(brotli.body).toString()).toBe(long);
  expect(brotli.body.length).toBeLessThan(100);
  for (const accepted of ['br;q=0.5', 'gzip;q=0, br; q=0.1']) {
    expect((await asking('/assets/long.js', accepted)).headers['content-encoding'], accepted).toBe('br');
  }
  const gzip = await asking('/assets/long.js', 'gzip, br;q=0');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body).toString()).toBe(long);
  const tag = { 'if-none-match': brotli.headers.etag, 'accept-encoding': 'br' };
  expect(await ask('/assets/long.js', { more: tag })).toMatchObject({ status: 304, text: '' });
  for (const [target, accepted] of [
    ['/assets/long.js', ''],
    ['/assets/long.js', 'identity'],
    ['/assets/long.js', 'br; q=0, gzip;q=0.0, x-gzip'],
    ['/assets/long.png', 'br'],
    ['/assets/app.js', 'br'],
    ['/docs/long.txt', 'br'],
  ] as const) {
    const { headers } = await asking(target, accepted);
    expect(headers, target).not.toHaveProperty('content-encoding');
    expect(headers.etag, target).toMatch(/^"/);
  }
});

test('A local CloudFront distribution lets web pages of other origins read a file only if the response headers policy allows it', async () => {
  const more = { origin: 'https://tool.example' };
  expect((await standing()('/openapi.json', { more })).headers['access-control-allow-origin']).toBe('*');
  expect((await standing()('/', { more })).headers).not.toHaveProperty('access-control-allow-origin');
});

test('A local CloudFront distribution answers HEAD for a page, and passes only allowed methods to an API', async () => {
  expect(await standing()('/', { method: 'HEAD' })).toMatchObject({ status: 200 });
  expect(await standing()('/', { method: 'POST' })).toMatchObject({ status: 401 });
  expect(await standing()('/v1/account/services', { method: 'POST' })).toMatchObject({ status: 401 });
  expect(await standing()('/v1/account/services', { method: 'PATCH' })).toMatchObject({ status: 403 });
});

const noPolicy = { Type: 'AWS::CDK::Metadata' };
const withApi = (change: object) => distribution({ ...config, CacheBehaviors: [{ ...api, ...change }] });

test.each<[string, Record<string, Resource>, RegExp]>([
  ['a bucket whose policy does not allow reads', { Mayread: noPolicy }, /may not read/],
  [
    'a bucket without origin access control',
    { Distribution: distribution({ ...config, CacheBehaviors: [], Origins: [origin] }) },
    /may not read/,
  ],
  [
    'an API path without a policy that forwards the query',
    { Distribution: withApi({ OriginRequestPolicyId: undefined }) },
    /does not forward requests to the API unchanged/,
  ],
  [
    'a CloudFront function on the path of an API',
    { Distribution: withApi({ FunctionAssociations }) },
    /does not forward requests to the API unchanged/,
  ],
])('The local run refuses to start with a CloudFront distribution that has %s', async (_, changes, message) => {
  await expect(standing(changes)('/')).rejects.toThrow(message);
});
