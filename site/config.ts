/** `/config.json`: the configuration of this deployment. Optional for the pages. */

export interface SiteConfig {
  /** Where the APIs are, as the pages reach them: `https://…/v1/integration`, or a path of the same host. */
  readonly integrationUrl: string;
  readonly accountUrl: string;
  /** Where owners sign in, for the console: an OpenID Connect issuer, and what it knows the console by. */
  readonly signIn: { readonly issuer: string; readonly clientId: string };
  /** Only where every visitor of the page may use it. */
  readonly demo?: SiteDemo;
}

export interface SiteDemo {
  readonly apiKey: string;
  /** Of the sandbox: what a page sends by itself changes nothing live. */
  readonly testKey: string;
  readonly ownerToken?: string | undefined;
  /** Labels and values. */
  readonly facts: readonly (readonly [string, string])[];
}

/** The path it is served at. */
export const configPath = '/config.json';
