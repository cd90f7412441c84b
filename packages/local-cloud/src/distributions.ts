/**
 * Distributions: they select the behavior of a path, run its viewer function, and answer from a file or an API with the
 * headers of the policy. In the account a distribution has a host of its own; here it shares the port with the APIs,
 * which answer all requests for which it has no file.
 */
import { runInNewContext } from 'node:vm';
import * as z from 'zod/mini';
import { localAccount } from './arn.ts';
import { type Buckets, cloudFrontArn, type Files } from './buckets.ts';
import { encoded } from './compression.ts';
import { assertRuntimeSyntax } from './edge-language.ts';
import { type ErrorCache, errorCache, errorResponses } from './error-cache.ts';
import type { HttpApis } from './http-api.ts';
import type { GatewayAnswer, GatewayRequest } from './http-event.ts';
import { glob } from './iam.ts';
import { flag, ignored, type Kind, number, type TemplateResource } from './kind.ts';
import type { Model } from './model.ts';
import type { Policies } from './policies.ts';
import { headersPolicy, headersPolicyOf, type WithHeaders } from './response-headers.ts';

const accessControl = {
  type: 'AWS::CloudFront::OriginAccessControl',
  attribute: (attribute, name) => ({ Id: name })[attribute],
  properties: z.strictObject({
    OriginAccessControlConfig: z.strictObject({
      Name: z.string(),
      Description: ignored,
      OriginAccessControlOriginType: z.literal('s3'),
      SigningBehavior: z.literal('always'),
      SigningProtocol: z.literal('sigv4'),
    }),
  }),
} satisfies Kind;

const edgeFunction = {
  type: 'AWS::CloudFront::Function',
  attribute: (attribute, name) => ({ FunctionARN: name })[attribute],
  properties: z.strictObject({
    AutoPublish: ignored,
    FunctionCode: z.string(),
    FunctionConfig: z.strictObject({ Comment: ignored, Runtime: z.literal('cloudfront-js-2.0') }),
    Name: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

/** The managed policies of AWS, by their fixed ids. Nothing is cached here. */
const managed = {
  cachingOptimized: '658327ea-f89d-4fab-a63d-7e88639e58f6',
  cachingDisabled: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  allViewerExceptHostHeader: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
} as const;

const behaviorShape = {
  AllowedMethods: z._default(z.array(z.string()), ['GET', 'HEAD']),
  CachePolicyId: z.enum([managed.cachingOptimized, managed.cachingDisabled]),
  OriginRequestPolicyId: z.optional(z.literal(managed.allViewerExceptHostHeader)),
  ResponseHeadersPolicyId: z.optional(z.string()),
  FunctionAssociations: z._default(
    z.array(z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() })),
    [],
  ),
  TargetOriginId: z.string(),
  Compress: z._default(flag, false),
  // The local run uses only http.
  ViewerProtocolPolicy: ignored,
};

const distribution = {
  type: 'AWS::CloudFront::Distribution',
  attribute: (attribute, name) => ({ DomainName: `${name.toLowerCase()}.cloudfront.net`, Id: name })[attribute],
  properties: z.strictObject({
    DistributionConfig: z.strictObject({
      CacheBehaviors: z._default(z.array(z.strictObject({ ...behaviorShape, PathPattern: z.string() })), []),
      DefaultCacheBehavior: z.strictObject(behaviorShape),
      CustomErrorResponses: errorResponses,
      DefaultRootObject: z.optional(z.string()),
      Enabled: flag,
      Origins: z.array(
        z.strictObject({
          Id: z.string(),
          DomainName: z.string(),
          OriginAccessControlId: z.optional(z.string()),
          S3OriginConfig: ignored,
          CustomOriginConfig: z.optional(
            z.strictObject({ OriginProtocolPolicy: z.literal('https-only'), OriginSSLProtocols: ignored }),
          ),
        }),
      ),
      Comment: ignored,
      HttpVersion: ignored,
      IPV6Enabled: ignored,
      PriceClass: ignored,
    }),
    Tags: ignored,
  }),
} satisfies Kind;

export const distributionKinds: readonly Kind[] = [accessControl, distribution, edgeFunction, headersPolicy];

type Config = z.infer<typeof distribution.properties>['DistributionConfig'];

interface Behavior {
  readonly pattern: string;
  readonly methods: readonly string[];
  /** Undefined if the origin is an API. */
  readonly files: Files | undefined;
  readonly apiId: string | undefined;
  readonly rewrite: ((path: string, request: GatewayRequest) => Promise<Rewritten>) | undefined;
  readonly withHeaders: WithHeaders;
  readonly compresses: boolean;
}

type Rewritten = { readonly path: string } | { readonly answer: GatewayAnswer };

/** Returns the APIs with the distributions of the templates in front of them. */
export async function behindDistributions(
  model: Model,
  buckets: Buckets,
  policies: Policies,
  apis: HttpApis,
): Promise<HttpApis> {
  await Promise.all(
    model.all(edgeFunction).map(({ name, properties }) => assertRuntimeSyntax(name, properties.FunctionCode)),
  );
  const all = model.all(distribution).map((one) => readBehaviors(one, model, buckets, policies));
  return {
    async answer(request, headers) {
      for (const one of all) {
        const answer = await answerOf(one, request, headers, apis);
        if (answer) return answer;
      }
      return apis.answer(request, headers);
    },
  };
}

/** Returns undefined if the APIs must answer. */
async function answerOf(
  { behaviors, root, errors }: Behaviors,
  request: GatewayRequest,
  headers: Parameters<HttpApis['answer']>[1],
  apis: HttpApis,
): Promise<GatewayAnswer | undefined> {
  const [path = '/'] = request.target.split('?');
  const behavior = behaviors.find(({ pattern }) => glob(pattern, path));
  if (!behavior) return undefined;
  const { files } = behavior;
  // The APIs share the address with the files, and may have a route for this method.
  if (!behavior.methods.includes(request.method)) return files ? undefined : methodNotAllowed;
  if (!files) return errors(request, () => apis.answer(request, headers, behavior.apiId));
  const requestedPath = path === '/' && root !== undefined ? `/${root}` : path;
  const rewritten = (await behavior.rewrite?.(requestedPath, request)) ?? { path: requestedPath };
  const sent = (answer: GatewayAnswer) => ({
    ...answer,
    headers: behavior.withHeaders(answer.headers, request.rawHeaders.some(isOrigin)),
  });
  if ('answer' in rewritten) return sent(rewritten.answer);
  const key = decoded(rewritten.path.slice(1));
  const file = key === undefined ? undefined : files.get(key);
  if (file) {
    const { body, headers: ofBody } = await encoded(
      file,
      behavior.compresses ? String(headers['accept-encoding'] ?? '') : '',
    );
    const isKnown = headers['if-none-match'] === ofBody.etag;
    return sent({
      status: isKnown ? 304 : 200,
      headers: {
        ...ofBody,
        'content-type': file.type,
        ...(file.cacheControl && { 'cache-control': file.cacheControl }),
      },
      cookies: [],
      body: isKnown ? Buffer.alloc(0) : body,
    });
  }
  return isBesideFiles(files, path) ? sent(noSuchKey) : undefined;
}

const methodNotAllowed: GatewayAnswer = {
  status: 403,
  headers: { 'content-type': 'text/html' },
  cookies: [],
  body: Buffer.from('<p>The cache behavior of this path does not allow the method of the request.'),
};

const noSuchKey: GatewayAnswer = {
  status: 404,
  headers: { 'content-type': 'application/xml' },
  cookies: [],
  body: Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code></Error>'),
};

const isOrigin = (text: string, i: number) => i % 2 === 0 && text.toLowerCase() === 'origin';

/** Returns whether no API can have the path: it names a file in the top folder, or is in a folder that has files. */
function isBesideFiles(files: Files, path: string): boolean {
  const [, top = '', below] = path.split('/');
  return (below === undefined && top.includes('.')) || [...files.keys()].some((key) => key.startsWith(`${top}/`));
}

interface Behaviors {
  /** The behaviors, in the order in which they are tried. */
  readonly behaviors: readonly Behavior[];
  readonly root: string | undefined;
  readonly errors: ErrorCache;
}

function readBehaviors(
  { name, logicalId, properties }: TemplateResource<z.infer<typeof distribution.properties>>,
  model: Model,
  buckets: Buckets,
  policies: Policies,
): Behaviors {
  const { CacheBehaviors, CustomErrorResponses, DefaultCacheBehavior, DefaultRootObject, Origins, Enabled } =
    properties.DistributionConfig;
  const errors = errorCache(CustomErrorResponses);
  if (!Enabled) return { behaviors: [], root: undefined, errors };
  const origins = new Map(
    Origins.map((origin) => [origin.Id, filesOf(origin, name, model, buckets, policies)] as const),
  );
  const read = (pattern: string, given: Config['DefaultCacheBehavior']): Behavior => {
    const files = origins.get(given.TargetOriginId);
    if (!origins.has(given.TargetOriginId))
      throw new Error(`The behavior ${pattern} of ${logicalId} has no origin ${given.TargetOriginId}.`);
    const isWhole =
      given.CachePolicyId === managed.cachingDisabled &&
      given.OriginRequestPolicyId === managed.allViewerExceptHostHeader &&
      given.FunctionAssociations.length === 0 &&
      given.ResponseHeadersPolicyId === undefined;
    if (!files && !isWhole) {
      throw new Error(`The behavior ${pattern} of ${logicalId} does not forward requests to the API unchanged.`);
    }
    return {
      pattern: pattern.replace(/^(?![/*])/, '/'),
      methods: given.AllowedMethods,
      files,
      apiId: apiIdOf(Origins.find(({ Id }) => Id === given.TargetOriginId)?.DomainName),
      rewrite: rewriter(given.FunctionAssociations[0]?.FunctionARN, model),
      withHeaders: headersPolicyOf(given.ResponseHeadersPolicyId, model),
      compresses: given.Compress,
    };
  };
  return {
    behaviors: [
      ...CacheBehaviors.map((behavior) => read(behavior.PathPattern, behavior)),
      read('*', DefaultCacheBehavior),
    ],
    root: DefaultRootObject,
    errors,
  };
}

/**
 * Returns undefined for an API. The bucket must allow the distribution to read, and to list, so that a missing file is a
 * 404 and not a 403.
 */
function filesOf(
  { DomainName, OriginAccessControlId }: Config['Origins'][number],
  name: string,
  model: Model,
  buckets: Buckets,
  policies: Policies,
): Files | undefined {
  if (apiIdOf(DomainName) !== undefined) return undefined;
  const bucketName = /^(.+)\.s3\./.exec(DomainName)?.[1] ?? '';
  const files = buckets.get(bucketName);
  if (!files) throw new Error(`The local run has nothing at ${DomainName}, an origin of the distribution ${name}.`);
  const isSigned = model.all(accessControl).some((one) => one.name === OriginAccessControlId);
  const mayDo = (action: string, resource: string) =>
    policies.decide(
      { kind: 'service', name: 'cloudfront.amazonaws.com' },
      { action, resource, context: { 'aws:SourceArn': [cloudFrontArn(name)], 'aws:SourceAccount': [localAccount] } },
    ) === 'allow';
  const bucketArn = `arn:aws:s3:::${bucketName}`;
  if (!isSigned || !mayDo('s3:GetObject', `${bucketArn}/index.html`) || !mayDo('s3:ListBucket', bucketArn)) {
    throw new Error(`The distribution ${name} may not read and list the bucket ${bucketName}.`);
  }
  return files;
}

const apiIdOf = (host = '') => /^(.+)\.execute-api\./.exec(host)?.[1];

/**
 * Runs the function's code without modules. The event lacks the headers, the query and the cookies, so a function that
 * reads them fails, instead of deciding on a request without any.
 */
function rewriter(name: string | undefined, model: Model): Behavior['rewrite'] {
  if (name === undefined) return undefined;
  const found = model.all(edgeFunction).find((one) => one.name === name);
  if (!found) throw new Error(`The templates have no function ${name} for the edge.`);
  const handler: unknown = runInNewContext(`${found.properties.FunctionCode}\nhandler`, { Buffer, console });
  if (typeof handler !== 'function') throw new Error(`The code of ${name} has no function named handler.`);
  return async (uri, { method }) => {
    const given = { version: '1.0', context: { eventType: 'viewer-request' }, request: { method, uri } };
    const result = outcome.parse(await handler(given));
    return 'uri' in result ? { path: result.uri } : { answer: generated(result) };
  };
}

const outcome = z.union([
  z.object({ uri: z.string() }),
  z.object({
    statusCode: number,
    headers: z._default(z.record(z.string(), z.object({ value: z.string() })), {}),
    body: z._default(z.object({ encoding: z.literal('text'), data: z.string() }), { encoding: 'text', data: '' }),
  }),
]);

type Generated = Extract<z.infer<typeof outcome>, { statusCode: number }>;

/** The answer of an edge function is never cached. */
function generated({ statusCode, headers, body }: Generated): GatewayAnswer {
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value])),
    cookies: [],
    body: Buffer.from(body.data),
  };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
