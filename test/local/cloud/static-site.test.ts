import { expect, test } from 'vitest';
import type { HttpApis } from '../../../local/cloud/http-api.ts';
import { behindSite, type StaticSite } from '../../../local/cloud/static-site.ts';

const html = (text: string) => ({ type: 'text/html; charset=utf-8', body: Buffer.from(text) });
const site: StaticSite = {
  files: new Map([
    ['/', html('start')],
    ['/docs/', html('docs')],
    ['/docs/a b.html', html('spaced')],
    ['/404.html', html('missing')],
  ]),
  headersOf: (path) => ({ 'x-path': path }),
};
const apis: HttpApis = {
  answer: async ({ target }) => ({ status: 401, headers: {}, cookies: [], body: Buffer.from(`api ${target}`) }),
};

async function ask(target: string, { method = 'GET', host = '127.0.0.1:8787' } = {}) {
  const request = { requestId: '', method, target, rawHeaders: [], body: Buffer.alloc(0), sourceIp: '' };
  const answer = await behindSite(site, apis).answer({ ...request, protocol: 'HTTP/1.1', time: 0 }, { host });
  return { ...answer, text: answer.body.toString() };
}

test.each([
  ['/', 200, 'start'],
  ['/?from=mail', 200, 'start'],
  ['/docs/', 200, 'docs'],
  ['/docs/a%20b.html', 200, 'spaced'],
  ['/docs/../', 404, 'missing'],
  ['/docs/nothing', 404, 'missing'],
  ['/v1/integration/services', 401, 'api /v1/integration/services'],
  ['/nothing', 401, 'api /nothing'],
  ['/%zz', 401, 'api /%zz'],
])('GET %s answers %i', async (target, status, text) => {
  expect(await ask(target)).toMatchObject({ status, text });
});

test('a folder without its slash is sent to the one with it', async () => {
  expect(await ask('/docs')).toMatchObject({ status: 301, headers: { location: '/docs/' } });
});

test('an answer has the headers of its path, and its type', async () => {
  expect((await ask('/docs/')).headers).toEqual({ 'x-path': '/docs/', 'content-type': 'text/html; charset=utf-8' });
});

test('HEAD is answered as GET is, and every other method by the APIs', async () => {
  expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200 });
  expect(await ask('/', { method: 'POST' })).toMatchObject({ status: 401 });
});

test('a page that reaches this machine by a name of its own does not see the site', async () => {
  for (const host of ['localhost:8787', '127.0.0.1', 'LOCALHOST:1']) {
    expect(await ask('/', { host })).toMatchObject({ status: 200 });
  }
  for (const host of ['attacker.example:8787', 'localhost.attacker.example', '127.0.0.1.nip.io:8787', '']) {
    expect(await ask('/', { host })).toMatchObject({ status: 401 });
  }
});
