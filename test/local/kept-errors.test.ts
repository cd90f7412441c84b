/** What the distribution of the templates and browsers behind it keep: no error of an origin, and no missing file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBuckets } from '../../packages/local-cloud/src/buckets.ts';
import { behindDistributions } from '../../packages/local-cloud/src/distributions.ts';
import type { HttpApis } from '../../packages/local-cloud/src/http-api.ts';
import { buildModel } from '../../packages/local-cloud/src/model.ts';
import { readPolicies } from '../../packages/local-cloud/src/policies.ts';
import { resourceKinds } from '../../packages/local-cloud/src/resource-kinds.ts';
import { readTemplates, type Template } from '../../packages/local-cloud/src/templates.ts';
import { synthesised, temporaryFolder } from '../support/synthesised.ts';

type Change = (template: Template) => void;

/** The distribution, with these answers of the APIs and the files of this folder. */
async function distribution(apis: HttpApis, change: Change = () => undefined, pages?: string) {
  const templates = await readTemplates((await synthesised()).folder);
  for (const template of templates) change(template);
  const model = buildModel(templates, resourceKinds, { awsEndpoint: '', baseUrl: '' });
  const buckets = await createBuckets(model, { contentOf: async () => pages });
  const fronted = behindDistributions(model, buckets, readPolicies(model), apis);
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

/** The first request fails, each later one is answered with its own `Authorization`. */
async function edge(status: number, cacheControl: string, change?: Change) {
  let asked = 0;
  const apis: HttpApis = {
    answer: async (_, { authorization }) => ({
      status: asked++ === 0 ? status : 200,
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

test.each([404, 414, 500, 501, 502, 503, 504])('A %i for one owner is not shown to another owner', async (status) => {
  const ask = await edge(status, 'max-age=60');
  expect(await ask('first', 0)).toBe(`${status} first`);
  expect(await ask('second', 1)).toBe('200 second');
});

test.each([500, 502, 503, 504])(
  'Negative control: without the setting, CloudFront would show a %i of one owner to all for ten seconds',
  async (status) => {
    const ask = await edge(status, 'no-store', withoutSetting);
    expect(await ask('first', 0)).toBe(`${status} first`);
    expect(await ask('second', 9_999)).toBe(`${status} first`);
    expect(await ask('second', 9_999, 'POST')).toBe('200 second');
    expect(await ask('second', 10_000)).toBe('200 second');
  },
);

test.each([404, 410, 414, 501])('CloudFront caches a %i unless the answer says `no-store`', async (status) => {
  for (const [cacheControl, answer] of [
    ['no-store', '200 second'],
    ['', `${status} first`],
  ] as const) {
    const ask = await edge(status, cacheControl, withoutSetting);
    await ask('first', 0);
    expect(await ask('second', 1)).toBe(answer);
  }
});

/** Requests for files of which only `present.js` and `index.html` were deployed. */
async function fileRequests(change?: Change) {
  const pages = temporaryFolder('pages');
  for (const folder of ['', 'assets', 'docs/assets']) {
    mkdirSync(join(pages, folder), { recursive: true });
    writeFileSync(join(pages, folder, folder ? 'present.js' : 'index.html'), 'content');
  }
  const ask = await distribution({ answer: () => Promise.reject(new Error('No API is asked')) }, change, pages);
  return async (path: string) => {
    const { status, headers } = await ask('GET', path);
    return `${status} ${headers['cache-control']}`;
  };
}

test('Browsers keep a script for a year, and ask again for a script that is missing during a deployment', async () => {
  const ask = await fileRequests();
  for (const folder of ['/assets', '/docs/assets']) {
    expect(await ask(`${folder}/present.js`)).toBe('200 public, max-age=31536000, immutable');
    expect(await ask(`${folder}/missing.js`)).toBe('404 no-cache');
  }
  expect(await ask('/')).toBe('200 no-cache');
});

test('Negative control: with the lifetime in the policy, a browser would keep a missing script for a year', async () => {
  const ask = await fileRequests(({ resources }) => {
    for (const { Type, Properties = {} } of Object.values(resources)) {
      if (Type !== 'AWS::CloudFront::ResponseHeadersPolicy') continue;
      const { CustomHeadersConfig } = Properties.ResponseHeadersPolicyConfig as {
        CustomHeadersConfig: { Items: { Header: string; Value: string; Override: boolean }[] };
      };
      for (const header of CustomHeadersConfig.Items.filter(({ Header }) => Header === 'Cache-Control')) {
        Object.assign(header, { Value: 'public, max-age=31536000, immutable', Override: true });
      }
    }
  });
  expect(await ask('/assets/missing.js')).toMatch(/^404 .*immutable$/);
});
