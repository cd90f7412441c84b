/** Renders the reference with Scalar, which may call only this origin and the API. */
import type { SiteConfig } from '../config.ts';
import { amendScalar } from './amend-scalar.ts';
import { loadConfig } from './load-config.ts';

interface Scalar {
  createApiReference(target: string, configuration: object): { updateConfiguration(configuration: object): void };
}
declare const Scalar: Scalar;

const url = document.getElementById('content')?.dataset.document ?? '';

/** Authentication and server of each document. */
const sides: Readonly<Record<string, (config: SiteConfig) => { server: string; authentication: object }>> = {
  '/openapi.json': ({ integrationUrl, demo }) => ({
    server: integrationUrl,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { value: demo?.apiKey ?? '' } },
    },
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
});

document.getElementById('reference')?.replaceChildren();
amendScalar();
const reference = Scalar.createApiReference('#reference', configuration());
inTheDark.addEventListener('change', () => reference.updateConfiguration(configuration()));
