/** The reference pages: Scalar, which draws them from a document, and nothing that it would fetch from elsewhere. */
import fastifyApiReference from '@scalar/fastify-api-reference';
import type { Page } from './layout.ts';
import type { Reference } from './pages.ts';

export function referencePage({ path, document, name, summary }: Reference): Page {
  return {
    path,
    title: `${name} · Booking API`,
    description: summary,
    kind: 'reference',
    scripts: ['scalar.js', 'reference.js'],
    body: `<div id="content" tabindex="-1" data-document="/${document}">
<div id="reference"><p class="waiting" role="status">Loading the reference…</p></div>
<noscript><p class="waiting">The reference is drawn by a script. The document itself is <a href="/${document}">${document}</a>.</p></noscript>
</div>`,
  };
}

interface Route {
  readonly url: string;
  handler(request: unknown, reply: unknown): unknown;
}

/**
 * Scalar as one script for the browser. This package of Scalar's, a plugin for a server, carries nothing else, where
 * `@scalar/api-reference` would install 286 packages: it is asked for what it would serve.
 */
export function scalarScript(): string {
  const routes: Route[] = [];
  const server = { route: (route: Route) => routes.push(route), initialConfig: {} };
  const register = fastifyApiReference as unknown as (server: object, options: object, done: () => void) => void;
  register(server, { routePrefix: '/', configuration: { url: '/' } }, () => undefined);
  let sent: unknown;
  const reply = { header: () => reply, send: (text: unknown) => (sent = text) };
  routes.find(({ url }) => url.endsWith('/js/scalar.js'))?.handler({}, reply);
  if (typeof sent !== 'string') throw new Error('@scalar/fastify-api-reference serves no script any more.');
  return sent;
}
