import { expect, test } from 'vitest';
import { createBuckets } from '../../packages/local-cloud/src/buckets.ts';
import { behindDistributions } from '../../packages/local-cloud/src/distributions.ts';
import type { HttpApis } from '../../packages/local-cloud/src/http-api.ts';
import { buildModel } from '../../packages/local-cloud/src/model.ts';
import { readPolicies } from '../../packages/local-cloud/src/policies.ts';
import { resourceKinds } from '../../packages/local-cloud/src/resource-kinds.ts';
import { readTemplates, type Template } from '../../packages/local-cloud/src/templates.ts';
import { synthesised } from '../support/synthesised.ts';

type Change = (template: Template) => void;

/** The distribution in front of APIs with these responses. */
async function distribution(apis: HttpApis, change: Change = () => undefined) {
  const templates = await readTemplates((await synthesised()).folder);
  for (const template of templates) change(template);
  const model = buildModel(templates, resourceKinds, { awsEndpoint: '', baseUrl: '' });
  const buckets = await createBuckets(model);
  const fronted = await behindDistributions(model, buckets, readPolicies(model), apis);
  return (method: string, target: string, more: Record<string, string> = {}, time = 0) =>
    fronted.answer(
      {
        requestId: '',
        method,
        target,
        rawHeaders: [],
        body: Buffer.alloc(0),
        sourceIp: '',
        protocol: 'HTTP/1.1',
        time,
      },
      { host: 'localhost', ...more },
    );
}

/** The first request fails, each later one gets its own `Authorization` as the response. */
async function edge(status: number, cacheControl: string, change?: Change) {
  let requests = 0;
  const apis: HttpApis = {
    answer: async (_, { authorization }) => ({
      status: requests++ === 0 ? status : 200,
      headers: { 'cache-control': cacheControl },
      cookies: [],
      body: Buffer.from(String(authorization)),
    }),
  };
  const ask = await distribution(apis, change);
  return async (authorization: string, time: number, method = 'GET') => {
    const answer = await ask(method, '/v1/account/me?mode=live', { authorization }, time);
    return `${answer.status} ${answer.body}`;
  };
}

const withoutSetting = ({ resources }: Template) => {
  for (const { Type, Properties = {} } of Object.values(resources)) {
    if (Type !== 'AWS::CloudFront::Distribution') continue;
    delete (Properties.DistributionConfig as Record<string, unknown>).CustomErrorResponses;
  }
};

test.each([404, 414, 500, 501, 502, 503, 504])(
  "CloudFront does not show one owner's response with status %i to another owner",
  async (status) => {
    const ask = await edge(status, 'max-age=60');
    expect(await ask('first', 0)).toBe(`${status} first`);
    expect(await ask('second', 1)).toBe('200 second');
  },
);

test.each([500, 502, 503, 504])(
  "Negative control: with CloudFront's default error caching time, other owners see one owner's %i response for ten seconds",
  async (status) => {
    const ask = await edge(status, 'no-store', withoutSetting);
    expect(await ask('first', 0)).toBe(`${status} first`);
    expect(await ask('second', 9_999)).toBe(`${status} first`);
    expect(await ask('second', 9_999, 'POST')).toBe('200 second');
    expect(await ask('second', 10_000)).toBe('200 second');
  },
);

test.each([404, 410, 414, 501])(
  'CloudFront caches a response with status %i unless it has the header `Cache-Control: no-store`',
  async (status) => {
    for (const [cacheControl, answer] of [
      ['no-store', '200 second'],
      ['', `${status} first`],
    ] as const) {
      const ask = await edge(status, cacheControl, withoutSetting);
      await ask('first', 0);
      expect(await ask('second', 1)).toBe(answer);
    }
  },
);
