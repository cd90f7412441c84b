/** Opens the reference with Scalar when an operation is selected. Scalar may call only this origin and the API. */
import type { SiteConfig } from '../config.ts';
import { amendScalar } from './amend-scalar.ts';
import { element } from './element.ts';
import { filledIn } from './fill-in.ts';
import { loadConfig } from './load-config.ts';
import { loadReader, type Reader } from './reader.ts';

interface Scalar {
  createApiReference(target: string, configuration: object): { updateConfiguration(configuration: object): void };
}
declare const Scalar: Scalar;

/** A request that Scalar is about to send, with its builder. */
interface Built {
  readonly request: Request;
  readonly requestBuilder: { readonly headers: Headers };
}
const idempotencyKey = 'Idempotency-Key';

const {
  document: url = '',
  script: scalarUrl = '',
  sampled = '',
  idempotent = '',
} = document.getElementById('content')?.dataset ?? {};

/** The authentication and server of each document. */
const sides: Readonly<
  Record<string, (config: SiteConfig, reader: Reader) => { server: string; authentication: object }>
> = {
  '/openapi.json': ({ integrationUrl }, { testKey = '' }) => ({
    server: integrationUrl,
    authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { value: testKey } } },
  }),
  '/openapi-account.json': ({ accountUrl }, { ownerToken = '' }) => ({
    server: accountUrl,
    authentication: { preferredSecurityScheme: 'ownerToken', securitySchemes: { ownerToken: { token: ownerToken } } },
  }),
};

const config = await loadConfig();
const reader = await loadReader(config);
const side = config && sides[url]?.(config, reader);
const inTheDark = matchMedia('(prefers-color-scheme: dark)');

/** Loads the document with samples for this deployment and its reader. */
async function sampledDocument(): Promise<object> {
  const answer = await fetch(sampled);
  if (!answer.ok) throw new Error(`${sampled} answered ${answer.status}`);
  return JSON.parse(filledIn(await answer.text(), config, reader)) as object;
}

const configuration = (content: object) => ({
  content,
  ...(side && {
    servers: [{ url: new URL(side.server, location.href).href, description: 'This service.' }],
    authentication: side.authentication,
  }),
  theme: 'none',
  forceDarkModeState: inTheDark.matches ? 'dark' : 'light',
  hideDarkModeToggle: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // The surrounding page links to the document.
  documentDownloadType: 'none',
  // The search of the site finds guides, too.
  hideSearch: true,
  hiddenClients: true,
  orderSchemaPropertiesBy: 'preserve',
  // This disables requests to other hosts.
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  customFetch: sendFromHere,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  onBeforeRequest: withFreshKey,
});

/**
 * Sends a request for an API to the same path of this origin, which passes it on. The page shows the API's own address,
 * but may not read the responses there.
 */
async function sendFromHere(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { method, headers, signal } = request;
  const { pathname, search } = new URL(request.url);
  const body = ['GET', 'HEAD'].includes(method) ? null : await request.arrayBuffer();
  return fetch(`${pathname}${search}`, { method, headers, body, signal });
}

/** A key that was already sent is rejected with another body, so each request has its own. */
function withFreshKey({ request, requestBuilder }: Built): void {
  const { pathname } = new URL(request.url);
  const takesKey = idempotent.split(' ').some((path) => path !== '' && new RegExp(`${path}$`).test(pathname));
  if (request.method !== 'POST' || !takesKey || requestBuilder.headers.get(idempotencyKey)) return;
  requestBuilder.headers.set(idempotencyKey, crypto.randomUUID());
}

const again = element('button', { className: 'button', onclick: openReference }, 'Try again');
const failed = element('p', {}, 'The reference could not be loaded. ', again);
failed.setAttribute('role', 'alert');

/** Replaces the overview by the reference, or shows above it that a file could not be loaded. */
async function openReference(): Promise<void> {
  const [overview, place] = [document.getElementById('overview'), document.getElementById('reference')];
  if (!overview || overview.hasAttribute('aria-busy')) return;
  overview.setAttribute('aria-busy', 'true');
  failed.remove();
  const script = element('script', { src: scalarUrl });
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
  });
  document.head.append(script);
  const files = await Promise.all([sampledDocument(), loaded]).catch(() => undefined);
  if (!files) {
    overview.removeAttribute('aria-busy');
    overview.prepend(failed);
    again.focus();
    return;
  }
  const [content] = files;
  overview.remove();
  if (place) place.hidden = false;
  amendScalar();
  const reference = Scalar.createApiReference('#reference', configuration(content));
  inTheDark.addEventListener('change', () => reference.updateConfiguration(configuration(content)));
}

/** Loads Scalar early when the reader points at an operation. */
function fetchAhead({ target }: Event): void {
  if (!(target instanceof Element) || !target.closest('#overview a[href^="#"]')) return;
  for (const event of ['pointerover', 'focusin']) document.removeEventListener(event, fetchAhead);
  for (const href of [scalarUrl, sampled]) document.head.append(element('link', { rel: 'prefetch', href }));
}
for (const event of ['pointerover', 'focusin']) document.addEventListener(event, fetchAhead);

const isOperation = () => /^#(?:tag|description|model|webhook)\b/.test(location.hash);
addEventListener('hashchange', () => {
  if (isOperation()) openReference();
});
if (isOperation()) openReference();
