/** The pages that browsers get from the edge, simulated from the templates. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { publishedPaths } from '../../site/pages.ts';
import { type Assembly, inside, type Json, type Resource, synthesised } from '../support/synthesised.ts';
import { otherIssuer } from '../support/variants.ts';

const assembly = await synthesised();

const one = (type: string, of = assembly): Resource => {
  const [found, ...more] = of.ofType(type).filter(({ stack }) => stack === 'Edge');
  if (!found || more.length > 0) throw new Error(`The edge has not one ${type}.`);
  return found;
};
const distribution = (of = assembly) => one('AWS::CloudFront::Distribution', of);
/** The files that are uploaded to the bucket together: scripts and styles, text files, or all other files. */
type Publication = 'assets' | 'texts' | 'pages';
const publicationOf = (what: Publication) => {
  const kindOf = ({ properties: { Include, SystemMetadata } }: Resource): Publication => {
    if (Include === undefined) return 'pages';
    return JSON.stringify(SystemMetadata).includes('content-type') ? 'texts' : 'assets';
  };
  return assembly.ofType('Custom::CDKBucketDeployment').find((one) => kindOf(one) === what);
};
const publication = (what: Publication) => publicationOf(what)?.properties;
const config = <T = Json>(name: string, of = assembly) => inside<T>(distribution(of), 'DistributionConfig', name);

interface Behavior {
  readonly PathPattern: string;
  readonly TargetOriginId: string;
  readonly ViewerProtocolPolicy: string;
  readonly AllowedMethods: readonly string[];
  readonly CachePolicyId: string;
  readonly Compress: boolean;
  readonly OriginRequestPolicyId?: string;
  readonly ResponseHeadersPolicyId?: { readonly Ref: string };
  readonly FunctionAssociations?: readonly unknown[];
}
const behaviors = [
  { ...config<Behavior>('DefaultCacheBehavior'), PathPattern: '*' },
  ...config<readonly Behavior[]>('CacheBehaviors'),
];
/** The behaviours that serve files. */
const files = behaviors.filter(({ PathPattern }) => !PathPattern.startsWith('/v1/'));
const policyOf = ({ ResponseHeadersPolicyId }: Behavior) =>
  assembly.ofType('AWS::CloudFront::ResponseHeadersPolicy').find(({ id }) => id === ResponseHeadersPolicyId?.Ref);
const headersOf = <T = Json>(behavior: Behavior, ...path: readonly string[]) =>
  inside<T>(policyOf(behavior), 'ResponseHeadersPolicyConfig', ...path);
const contentPolicy = (behavior: Behavior) => {
  const { ContentSecurityPolicy } = headersOf<Record<string, Json>>(
    behavior,
    'SecurityHeadersConfig',
    'ContentSecurityPolicy',
  );
  return assembly.text('Edge', ContentSecurityPolicy);
};

test('Only the CloudFront distribution can read the S3 bucket of the published pages', () => {
  expect(inside(one('AWS::S3::Bucket'), 'PublicAccessBlockConfiguration')).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  const allowing = inside<{ Effect: string; Action: string[]; Principal: object; Condition: object }[]>(
    one('AWS::S3::BucketPolicy'),
    'PolicyDocument',
    'Statement',
  ).filter(({ Effect, Action }) => Effect === 'Allow' && Action.some((action) => /^s3:(?:\*|Get\*|GetO)/.test(action)));
  expect(allowing).toEqual([
    expect.objectContaining({
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    }),
  ]);
});

test('The S3 bucket of the published pages is emptied before it is deleted, because CloudFormation deletes no bucket with files', () => {
  const bucket = one('AWS::S3::Bucket');
  expect(assembly.ofType('Custom::S3AutoDeleteObjects')).toEqual([
    expect.objectContaining({ stack: 'Edge', properties: expect.objectContaining({ BucketName: { Ref: bucket.id } }) }),
  ]);
  // Otherwise the function that empties it would leave its own log behind.
  for (const { stack, id, properties } of assembly.ofType('AWS::Lambda::Function')) {
    expect(properties.LoggingConfig, `${stack} ${id}`).toMatchObject({ LogGroup: expect.anything() });
  }
});

test('Guides and examples are published as UTF-8 text, which a browser shows', () => {
  const types = publication('texts');
  expect(types).toMatchObject({ Exclude: ['*'], SystemMetadata: { 'content-type': 'text/plain; charset=utf-8' } });
  const shown = Object.keys(publishedPaths).filter((path) => /\.[a-z]+$/.test(path) && !path.endsWith('.tgz'));
  expect(shown.length).toBeGreaterThan(10);
  for (const path of shown) expect(types?.Include, path).toContain(`*${/\.[a-z]+$/.exec(path)?.[0]}`);
});

test('CloudFront forwards requests to both APIs without changes, and caches no response of an API', () => {
  const hosts = Object.fromEntries(
    config<readonly { Id: string; DomainName: Json }[]>('Origins').map(({ Id, DomainName }) => [Id, DomainName]),
  );
  const apis = { '/v1/account/*': /^AccountApi\./, '/v1/integration/*': /^IntegrationApi\./ };
  for (const [path, host] of Object.entries(apis)) {
    const api = behaviors.find(({ PathPattern }) => PathPattern === path);
    expect(api, path).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
    expect(api, path).not.toHaveProperty('FunctionAssociations');
    expect(assembly.text('Edge', hosts[api?.TargetOriginId ?? '']), path).toMatch(host);
  }
});

test('CloudFront neither caches an error response nor replaces it by a page of its own', () => {
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html, without 410, which cannot
  // be set and for which `no-store` is obeyed.
  const errors = [404, 414, 500, 501, 502, 503, 504];
  expect(config('CustomErrorResponses')).toEqual(errors.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })));
});

test('CloudFront sends every file compressed, over TLS, and with security headers', () => {
  expect(files.length).toBeGreaterThan(3);
  for (const behavior of files) {
    expect(behavior, behavior.PathPattern).toMatchObject({
      Compress: true,
      ViewerProtocolPolicy: 'redirect-to-https',
      AllowedMethods: ['GET', 'HEAD'],
    });
    expect(contentPolicy(behavior), behavior.PathPattern).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; .*connect-src 'self'.*frame-ancestors 'none'$/,
    );
    expect(Object.keys(headersOf<object>(behavior, 'SecurityHeadersConfig')).sort(), behavior.PathPattern).toEqual([
      'ContentSecurityPolicy',
      'ContentTypeOptions',
      'FrameOptions',
      'ReferrerPolicy',
      'StrictTransportSecurity',
    ]);
  }
});

test('The content security policy allows calls to the token issuer only from the console', () => {
  const issuer =
    /^'self' https:\/\/cognito-idp\.<AWS::Region>\.<AWS::URLSuffix> https:\/\/AccountApi\.OwnersPoolDomain\w+\.auth\.<AWS::Region>\.amazoncognito\.com$/;
  const api = /^'self' https:\/\/IntegrationApi\.GatewayApi\w+\.execute-api\.<AWS::Region>\.<AWS::URLSuffix>$/;
  const allowed: Record<string, RegExp> = { '*': issuer, '/docs*': api, '/book/*': api, '/manage/*': api };
  for (const behavior of files) {
    const hosts = /connect-src ([^;]*)/.exec(contentPolicy(behavior))?.[1];
    expect(hosts, behavior.PathPattern).toMatch(allowed[behavior.PathPattern] ?? /^'self'$/);
  }
  expect(files.map(({ PathPattern }) => PathPattern)).toEqual(expect.arrayContaining(Object.keys(allowed)));
});

test('Browsers cache a file for ever if its name contains its hash, and revalidate every other response, even a 404', () => {
  for (const behavior of files) {
    const revalidate = { Header: 'Cache-Control', Value: 'no-cache', Override: false };
    expect(headersOf(behavior, 'CustomHeadersConfig', 'Items'), behavior.PathPattern).toContainEqual(revalidate);
  }
  const assets = behaviors.filter(({ PathPattern }) => PathPattern.endsWith('/assets/*'));
  const patterns = assets.map(({ PathPattern }) => PathPattern.slice(1));
  expect(patterns).toHaveLength(2);
  expect(publication('assets')).toMatchObject({
    Include: patterns,
    SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
  });
  // Files of another publication keep its headers.
  expect(publication('pages')?.Exclude).toEqual([...patterns, ...inside<string[]>(publicationOf('texts'), 'Include')]);
  expect(publication('pages')).not.toHaveProperty('SystemMetadata');
});

test('A deployment publishes scripts and texts before the pages that load them or link to them', () => {
  expect(publicationOf('pages')?.dependsOn).toContain(publicationOf('assets')?.id);
  expect(publicationOf('pages')?.dependsOn).toContain(publicationOf('texts')?.id);
});

type Answer = { uri?: string; statusCode?: number; headers?: object; body?: { encoding: string; data: string } };
const code = inside<string>(one('AWS::CloudFront::Function'), 'FunctionCode');
const responseTo = (uri: string): Answer => runInNewContext(`${code}\nhandler`, {})({ request: { uri } });

test('CloudFront serves every published path of the documentation from the S3 bucket', () => {
  for (const path of Object.keys(publishedPaths)) {
    expect(responseTo(path).uri, path).toBe(path.endsWith('/') ? `${path}index.html` : path);
  }
});

test('The API catalogue of RFC 9727 links to the OpenAPI documents of the integration API and of the account API', () => {
  const { statusCode, headers, body } = responseTo('/.well-known/api-catalog');
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
  expect({ statusCode, headers }).toEqual({ statusCode: 200, headers: { 'content-type': { value: type } } });
  const { linkset } = JSON.parse(body?.data ?? '{}') as { linkset: { anchor: string; 'service-desc': object[] }[] };
  expect(linkset.map(({ anchor, 'service-desc': [document] }) => [anchor, document])).toEqual([
    ['/v1/integration', { href: '/openapi.json', type: 'application/json' }],
    ['/v1/account', { href: '/openapi-account.json', type: 'application/json' }],
  ]);
});

test('A request for an unpublished path of the documentation gets a 404 page with links to similar pages', () => {
  const answer = responseTo('/docs/webhook/');
  expect(answer).toMatchObject({ statusCode: 404, headers: { 'content-type': { value: 'text/html; charset=utf-8' } } });
  expect(answer.body?.data).toContain('<a href="/docs/receiving-webhooks/">Receiving webhooks</a>');
  expect(answer.body?.data).not.toContain('/docs/errors/');
  for (const path of ['/docs/nothing/', '/docs/nothing.md', '/docs/constructor/']) {
    expect(responseTo(path), path).toMatchObject({ statusCode: 404 });
    expect(responseTo(path).body?.data, path).toContain('href="/docs/quickstart/"');
  }
});

test('CloudFront redirects a damaged link to an appointment to the page /manage/', () => {
  for (const path of ['/manage', '/manage/%23bs_live_1', '/manage/x.html']) {
    const moved = { statusCode: 301, headers: { location: { value: '/manage/' } } };
    expect(responseTo(path), path).toMatchObject(moved);
  }
});

test('The 404 page of the documentation does not repeat the requested path, in which an attacker could put a script', () => {
  expect(responseTo('/docs/<script>attack(1)</script>/').body?.data).not.toMatch(/attack|<script/);
});

test('CloudFront serves the page of the console for every console path, and leaves API paths unchanged', () => {
  for (const path of ['/', '/calendar', '/clients/7', '/sign-in', '/signed-in', '/index.html']) {
    expect(responseTo(path).uri, path).toBe('/index.html');
  }
  expect(responseTo('/v1/integration/docs').uri).toBe('/v1/integration/docs');
});

test('A path that belongs to no console screen gets status 404, so that search engines do not index it', () => {
  for (const path of ['/mcp', '/nonsense/foo', '/.well-known/openid-configuration', '/calendars', '/clients-old/7']) {
    expect(responseTo(path), path).toMatchObject({ statusCode: 404 });
  }
});

test('The 404 page of a mistyped console path links to the screen with a similar path, or to the start page if there is none', () => {
  expect(responseTo('/calender').body?.data).toContain('<a href="/calendar">Go to the console</a>');
  expect(responseTo('/rooms').body?.data).toContain('<a href="/">Go to the console</a>');
  expect(responseTo('/docs/calender/').body?.data).not.toContain('Go to the console');
});

test('A deployment does not wait for the CloudFront cache invalidation, which can time out', () => {
  expect(publication('pages')).toMatchObject({ DistributionPaths: ['/*'], WaitForDistributionInvalidation: false });
});

const edgeTemplate = readFileSync(join(assembly.folder, 'Edge.template.json'), 'utf8');
const imported = [...assembly.exports].filter(([name]) => edgeTemplate.includes(JSON.stringify(name)));
/** The names of the imported exports that would be missing or have another value, which CloudFormation refuses. */
const lost = (after: Assembly['exports']) =>
  imported.flatMap(([name, value]) => (isDeepStrictEqual(after.get(name), value) ? [] : [name]));

// Other tests use the same settings, so that the app is synthesised once for all of them.
test.each([
  ['another token issuer', otherIssuer],
  [
    'an API domain',
    { apiDomain: 'api.example.com', certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1' },
  ],
])(
  'A deployed stage can get %s later, because its stacks keep the exports that the CloudFront stack imports',
  async (_, context) => {
    expect(imported.length).toBeGreaterThanOrEqual(4);
    expect(lost((await synthesised('dev', context)).exports)).toEqual([]);
  },
);

test('Negative control: the check of CloudFormation exports reports each missing export that the CloudFront stack imports', () => {
  const without = [...assembly.exports].filter(([name]) => !name.includes('Owners'));
  expect(lost(new Map(without))).toHaveLength(3);
});

test('The stack of alarms is deployed before the CloudFront stack, and does not depend on it', () => {
  const { artifacts } = assembly;
  expect(artifacts.Edge?.dependencies).toContain('Observability');
  expect(artifacts.Observability?.dependencies).not.toContain('Edge');
  expect(readFileSync(join(assembly.folder, 'Observability.template.json'), 'utf8')).not.toContain('booking-dev-edge');
});

test('The pages of a deployment contain the addresses of its own APIs and token issuer', () => {
  const markers = inside<object[]>(publicationOf('pages'), 'SourceMarkers')
    .flatMap(Object.values)
    .map((value) => assembly.text('Edge', value));
  expect(markers).toEqual([
    expect.stringMatching(/^IntegrationApi\.GatewayApi/),
    '<AWS::Region>',
    '<AWS::URLSuffix>',
    expect.stringMatching(/^AccountApi\.OwnersPool\w+\.ProviderURL$/),
    expect.stringMatching(/^AccountApi\.OwnersPoolAccountClient/),
  ]);
});

const given = {
  consoleDomain: 'console.example.com',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
};

test('An operator may give the console its own host name and a web ACL', async () => {
  const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/booking/1';
  const set = await synthesised('dev', { ...given, webAclArn });
  expect(config('Aliases', set)).toEqual([given.consoleDomain]);
  expect(config('ViewerCertificate', set)).toMatchObject({ MinimumProtocolVersion: 'TLSv1.2_2021' });
  expect(config('WebACLId', set)).toBe(webAclArn);
  const [client] = set.ofType('AWS::Cognito::UserPoolClient');
  expect(inside(client, 'CallbackURLs')).toEqual(['https://console.example.com/signed-in']);
});
