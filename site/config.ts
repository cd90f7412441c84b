/** `/config.json`: the configuration of this deployment. Optional for the pages. */

export interface SiteConfig {
  /** The URL that integrators use, for texts: `https://…/v1/integration`, or a path of the same host. */
  readonly integrationUrl: string;
  readonly accountUrl: string;
  /** The OpenID Connect issuer where owners sign in, and the client id of the console. */
  readonly signIn: { readonly issuer: string; readonly clientId: string };
  /** Only set if every visitor of the page may use it. */
  readonly demo?: SiteDemo;
}

export interface SiteDemo {
  readonly apiKey: string;
  /** The key belongs to the sandbox: requests that a page sends change nothing live. */
  readonly testKey: string;
  readonly ownerToken?: string | undefined;
  /** Labels and values that the page shows. */
  readonly facts: readonly (readonly [string, string])[];
}

export const configPath = '/config.json';
