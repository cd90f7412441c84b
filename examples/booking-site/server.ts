/**
 * A booking site: its pages, and the few calls that they may make. The API key stays here. See README.md.
 * `KEY=bk_… API=https://…/v1/integration node server.ts`
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
// In your own project: from 'booking-integration-client'.
import { ApiError } from '../../client/src/index.ts';
import { BadRequest, calls } from './calls.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
const pages: Readonly<Record<string, Omit<Answer, 'status'>>> = Object.fromEntries(
  ['index.html', 'page.js', 'api.js', 'elements.js', 'times.js', 'words.js', 'style.css'].map((name) => [
    name === 'index.html' ? '/' : `/${name}`,
    {
      type: types[name.replace(/^.*\./, '')] ?? '',
      body: readFileSync(new URL(`page/${name}`, import.meta.url)),
    },
  ]),
);

const headers = {
  // No other site may show this one in a frame, where its visitors could be made to click.
  'Content-Security-Policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
    "frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const longestBody = 16_384;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | string;
}

async function answerTo(request: IncomingMessage): Promise<Answer> {
  const [pathname = '', query] = (request.url ?? '/').split('?', 2);
  const found = pages[pathname];
  if (found && request.method === 'GET') return { status: 200, ...found };
  const call = calls[`${request.method} ${pathname}`];
  if (!call) return json(404, { code: 'not_found' });
  try {
    return json(200, await call(new URLSearchParams(query), await bodyOf(request)));
  } catch (error) {
    if (error instanceof BadRequest) return json(400, { code: 'bad_request', message: error.message });
    if (!(error instanceof ApiError)) throw error;
    return json(error.status ?? 503, refusalOf(error));
  }
}

/** The part of an error that the page needs. Messages and ids go to the log of this server. */
function refusalOf(error: ApiError): object {
  console.error(error.message);
  return {
    code: error.code,
    ...(error.code === 'slot_unavailable' && { nextAvailable: error.details.nextAvailable }),
    ...(error.code === 'validation_failed' && { fields: error.details.map(({ path }) => path) }),
  };
}

/** JSON only: a form of another site cannot send JSON, so it cannot book in the name of its visitor. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) throw new BadRequest('Send JSON.');
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestBody) throw new BadRequest('That is too long.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('That is not JSON.');
  }
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value ?? {}) };
}

const server = createServer((request, response) => {
  answerTo(request)
    .catch((error: unknown) => {
      console.error(error);
      return json(500, { code: 'internal_error' });
    })
    .then(({ status, type, body }) => response.writeHead(status, { ...headers, 'Content-Type': type }).end(body));
});
server.listen(Number(process.env.PORT ?? 3_000), '127.0.0.1', () => {
  console.log(`Open http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
