/** The reference pages, which Scalar renders from a document without loading anything from other hosts. */
import fastifyApiReference from '@scalar/fastify-api-reference';
import type { Page } from './layout.ts';
import { escapeHtml } from './markdown.ts';
import { type Document, type Operation, parameterOf } from './openapi.ts';
import type { Reference } from './pages.ts';
import type { Section } from './search-index.ts';

/**
 * Renders a list of all operations and events. Scalar has a megabyte, so it is loaded only when an operation is opened
 * or when the address names one.
 */
export function referencePage({ path, document, name, summary }: Reference, text: string): Page {
  const { info, tags, ...rest } = JSON.parse(text) as Document;
  const entries = entriesOf(rest);
  const sections = tags.map((tag) => {
    const rows = entries
      .filter((entry) => entry.operation.tags.includes(tag.name))
      .map(({ anchor, method, label, about }) => {
        const code = `<code>${method === undefined ? '' : `<b>${method}</b> `}${label}</code>`;
        return `<li><a href="#${anchor}">${code}<span>${escapeHtml(about)}</span></a></li>`;
      });
    return `<section><h2 id="${slug(tag.name)}">${tag.name}</h2><p>${escapeHtml(tag.description)}</p><ul class="operations">${rows.join('')}</ul></section>`;
  });
  return {
    path,
    title: `${name} · Booking API`,
    description: summary,
    kind: 'reference',
    scripts: ['reference.js'],
    body: `<div id="content" tabindex="-1" data-document="/${document}" data-sampled="{asset:${sampledAsset(document)}}" data-script="{asset:scalar.js}" data-idempotent="${idempotent(entries)}">
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
<noscript><p class="waiting">A script draws the full reference. The document itself is <a href="/${document}">${document}</a>.</p></noscript>
</div>`,
  };
}

/** The file that Scalar renders: the document with samples. */
export function sampledAsset(document: string): string {
  return document === 'openapi.json' ? 'integration.json' : document.replace('openapi-', '');
}

/** An operation or event, and its anchor in Scalar. */
interface Entry {
  readonly anchor: string;
  readonly method?: string;
  /** The path, or the name of the event. */
  readonly label: string;
  readonly about: string;
  readonly operation: Operation;
}

const slug = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

function entriesOf({ paths, webhooks = {} }: Pick<Document, 'paths' | 'webhooks'>): readonly Entry[] {
  const operations = Object.entries(paths).flatMap(([label, methods]) =>
    Object.entries(methods).map(([verb, operation]): Entry => {
      const method = verb.toUpperCase();
      const anchor = `tag/${slug(operation.tags[0] ?? '')}/${method}${label}`;
      return { anchor, method, label, about: operation.summary, operation };
    }),
  );
  const events = Object.entries(webhooks).map(([label, { post: operation }]): Entry => {
    const anchor = `tag/${slug(operation.tags[0] ?? '')}/webhook/POST/${label.replaceAll('_', '-')}`;
    return { anchor, label, about: operation.description.split('. ')[0] ?? '', operation };
  });
  return [...operations, ...events];
}

/** Returns the sections of a reference for the search. */
export function referenceSections({ path, name }: Reference, text: string): readonly Section[] {
  const document = JSON.parse(text) as Document;
  return entriesOf(document).map(({ anchor, method, label, about, operation }) => ({
    url: `${path}#${anchor}`,
    title: method === undefined ? label : about,
    page: method === undefined ? name : `${name} · ${method} ${label}`,
    // The operation id is split, so that both words find `createService`.
    text: `${operation.description} ${operation.operationId.replaceAll(/(?=[A-Z])/g, ' ')} ${(operation.parameters ?? []).map((parameter) => parameterOf(document, parameter).name).join(' ')}`
      .replaceAll(/[`\s]+/g, ' ')
      .trim(),
  }));
}

/** Patterns of the paths whose requests take an `Idempotency-Key`. */
function idempotent(entries: readonly Entry[]): string {
  return entries
    .filter(({ operation }) =>
      operation.parameters?.some(({ $ref, name }) => $ref?.endsWith('/IdempotencyKey') || name === 'Idempotency-Key'),
    )
    .map(({ label }) => label.replaceAll(/\{\w+\}/g, '[^/]+'))
    .join(' ');
}

interface Route {
  readonly url: string;
  handler(request: unknown, reply: unknown): unknown;
}

/**
 * Returns Scalar as one script for the browser. This package is a server plugin that contains only the script, while
 * `@scalar/api-reference` would install 286 packages: the script is read from the route that the plugin registers.
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
