/** The reference pages: Scalar, which draws them from a document, and nothing that it would fetch from elsewhere. */
import fastifyApiReference from '@scalar/fastify-api-reference';
import type { Page } from './layout.ts';
import { escapeHtml } from './markdown.ts';
import type { Reference } from './pages.ts';

/** What this page reads of an OpenAPI document. */
interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
}

/**
 * A list of all operations and events to read at once. Scalar is a megabyte, so it is loaded when an operation is opened,
 * or when the address names one.
 */
export function referencePage({ path, document, name, summary }: Reference, text: string): Page {
  const { info, tags, paths, webhooks = {} } = JSON.parse(text) as Document;
  const operations = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([verb, operation]) => ({ url, method: verb.toUpperCase(), operation })),
  );
  const slug = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');
  const section = (tag: Document['tags'][number], rows: readonly string[]) =>
    `<section><h2 id="${slug(tag.name)}">${tag.name}</h2><p>${escapeHtml(tag.description)}</p><ul class="operations">${rows.join('')}</ul></section>`;
  const sections = tags.map((tag) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(tag.name))
      .map(
        ({ url, method, operation }) =>
          `<li><a href="#tag/${slug(tag.name)}/${method}${url}"><code><b>${method}</b> ${url}</code><span>${escapeHtml(operation.summary)}</span></a></li>`,
      );
    const events = Object.entries(webhooks)
      .filter(([, { post }]) => post.tags.includes(tag.name))
      .map(
        ([event, { post }]) =>
          `<li><a href="#tag/${slug(tag.name)}/webhook/POST/${event.replaceAll('_', '-')}"><code>${event}</code><span>${escapeHtml(post.description.split('. ')[0] ?? '')}</span></a></li>`,
      );
    return section(tag, [...rows, ...events]);
  });
  return {
    path,
    title: `${name} · Booking API`,
    description: summary,
    kind: 'reference',
    scripts: ['reference.js'],
    body: `<div id="content" tabindex="-1" data-document="/${document}" data-idempotent="${idempotent(operations)}">
<main id="overview" class="text">
<h1>${info.title}</h1>
${info.description
  .split('\n\n')
  .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
  .join('')}
<p class="actions"><a class="button" href="#description/introduction">Open the full reference</a> <a class="button quiet" href="/${document}">${document}</a></p>
${sections.join('')}
</main>
<div id="reference" hidden></div>
<noscript><p class="waiting">The full reference is drawn by a script. The document itself is <a href="/${document}">${document}</a>.</p></noscript>
</div>`,
  };
}

/** Paths whose requests take an `Idempotency-Key`. */
function idempotent(operations: readonly { readonly url: string; readonly operation: Operation }[]): string {
  return operations
    .filter(({ operation }) =>
      operation.parameters?.some(({ $ref, name }) => $ref?.endsWith('/IdempotencyKey') || name === 'Idempotency-Key'),
    )
    .map(({ url }) => url)
    .join(' ');
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
