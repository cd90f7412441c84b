/** Opens the reference with Scalar, which may call only this origin and the API, when an operation is asked for. */
import type { SiteConfig } from '../config.ts';
import { amendScalar } from './amend-scalar.ts';
import { loadConfig } from './load-config.ts';

interface Scalar {
  createApiReference(target: string, configuration: object): { updateConfiguration(configuration: object): void };
}
declare const Scalar: Scalar;

/** A request that Scalar is about to send, and what it is made of. */
interface Built {
  readonly request: Request;
  readonly requestBuilder: { readonly headers: Headers };
}
const idempotencyKey = 'Idempotency-Key';

const { document: url = '', idempotent = '' } = document.getElementById('content')?.dataset ?? {};

/** Authentication and server of each document. */
const sides: Readonly<Record<string, (config: SiteConfig) => { server: string; authentication: object }>> = {
  '/openapi.json': ({ integrationUrl, demo }) => ({
    server: integrationUrl,
    authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { value: demo?.testKey ?? '' } } },
  }),
  '/openapi-account.json': ({ accountUrl, demo }) => ({
    server: accountUrl,
    authentication: {
      preferredSecurityScheme: 'ownerToken',
      securitySchemes: { ownerToken: { token: demo?.ownerToken ?? '' } },
    },
  }),
};

const config = await loadConfig();
const side = config && sides[url]?.(config);
const inTheDark = matchMedia('(prefers-color-scheme: dark)');

const configuration = () => ({
  url,
  ...(side && {
    servers: [{ url: new URL(side.server, location.href).href, description: 'This service.' }],
    authentication: side.authentication,
  }),
  theme: 'none',
  forceDarkModeState: inTheDark.matches ? 'dark' : 'light',
  hideDarkModeToggle: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'direct',
  orderSchemaPropertiesBy: 'preserve',
  // Turns off requests to other hosts.
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  onBeforeRequest: withFreshKey,
});

/** A key that was sent once is refused with another body, so each request has its own. */
function withFreshKey({ request, requestBuilder }: Built): void {
  const { pathname } = new URL(request.url);
  const takesKey = idempotent.split(' ').some((path) => path !== '' && pathname.endsWith(path));
  if (request.method !== 'POST' || !takesKey || requestBuilder.headers.get(idempotencyKey)) return;
  requestBuilder.headers.set(idempotencyKey, crypto.randomUUID());
}

let opened = false;

async function openReference(): Promise<void> {
  if (opened) return;
  opened = true;
  const [overview, place] = [document.getElementById('overview'), document.getElementById('reference')];
  overview?.setAttribute('aria-busy', 'true');
  const script = document.createElement('script');
  script.src = document.querySelector<HTMLLinkElement>('link[rel=prefetch]')?.href ?? '';
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
  });
  document.head.append(script);
  await loaded;
  overview?.remove();
  if (place) place.hidden = false;
  amendScalar();
  const reference = Scalar.createApiReference('#reference', configuration());
  inTheDark.addEventListener('change', () => reference.updateConfiguration(configuration()));
}

const isOperation = () => /^#(?:tag|description|model|webhook)\b/.test(location.hash);
addEventListener('hashchange', () => {
  if (isOperation()) openReference();
});
if (isOperation()) openReference();
