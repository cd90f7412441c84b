/** Static files on the port of the HTTP APIs, as a distribution in front of both would serve them. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { HttpApis } from './http-api.ts';
import { decodedPath, type GatewayAnswer } from './http-event.ts';

export interface StaticSite {
  /** By path: `/docs/`, `/assets/app-1a2b3c.js`. Looked at with each request, so a file may come later. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Headers of the answer beside its content's type, names in lower case. */
  headersOf(path: string): Readonly<Record<string, string>>;
  /** The file that answers a path which is none, as of an app that reads its own address; nothing: the APIs do. */
  fallback?(path: string): string | undefined;
}

export interface SiteFile {
  /** Content type. */
  readonly type: string;
  readonly body: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Everything below the folder, `index.html` under the path of its folder. Throws for a kind of file without a type. */
export async function readSite(folder: string): Promise<Map<string, SiteFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = names.map(async (name): Promise<[string, SiteFile]> => {
    const type = types[extname(name)];
    if (!type) throw new Error(`The local run knows no content type for ${name}.`);
    const path = `/${relative(folder, name).split(sep).join('/')}`;
    return [path.replace(/\/index\.html$/, '/'), { type, body: await readFile(name) }];
  });
  return new Map(await Promise.all(read));
}

/**
 * The APIs, with the site in front: it answers `GET` and `HEAD` for its files, and for whatever is missing beside them.
 * A page that reaches this machine by a name of its own (DNS rebinding) does not see it.
 */
export function behindSite(site: StaticSite, apis: HttpApis): HttpApis {
  return {
    async answer(request, headers) {
      const path = decodedPath(request.target);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const found = path !== undefined && isRead && isOwnHost(String(headers.host)) ? answerOf(site, path) : undefined;
      return found ?? apis.answer(request, headers);
    },
  };
}

function answerOf(site: StaticSite, path: string): GatewayAnswer | undefined {
  const file = site.files.get(path);
  if (file) return respond(200, file, site.headersOf(path));
  if (site.files.has(`${path}/`)) {
    const headers = { ...site.headersOf(path), location: `${path}/` };
    return { status: 301, headers, cookies: [], body: Buffer.alloc(0) };
  }
  const page = site.files.get(site.fallback?.(path) ?? '');
  if (page) return respond(200, page, site.headersOf(path));
  const [, top] = path.split('/');
  const isBesideFiles = [...site.files.keys()].some((known) => known.startsWith(`/${top}/`));
  const missing = site.files.get('/404.html');
  return isBesideFiles && missing ? respond(404, missing, site.headersOf('/404.html')) : undefined;
}

function respond(status: number, { type, body }: SiteFile, headers: Readonly<Record<string, string>>): GatewayAnswer {
  return { status, headers: { ...headers, 'content-type': type }, cookies: [], body };
}

function isOwnHost(host: string): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host);
}
