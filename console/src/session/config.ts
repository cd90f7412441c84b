/** The configuration of this deployment. */
export interface ConsoleConfig {
  /** The settings for the sign-in of owners. */
  readonly signIn: {
    /** The URL of the OpenID Connect issuer; its metadata is below it. */
    readonly issuer: string;
    readonly clientId: string;
  };
  /** The URL of the integration API: an address, or a path of this origin. */
  readonly integrationUrl?: string;
  /** Whether notices about webhooks and API keys are also sent by email. Default: false. */
  readonly sendsMail?: boolean;
}

let known: Partial<ConsoleConfig> = {};

/** Reads `/config.json`. Throws if it is missing or names no issuer. */
export async function readConfig(): Promise<ConsoleConfig> {
  const answer = await fetch('/config.json', { cache: 'no-cache' });
  const config: Partial<ConsoleConfig> | undefined = await answer.json().catch(() => undefined);
  if (!answer.ok || !config?.signIn) throw new Error('No issuer is named where this console is served.');
  known = config;
  return { ...config, signIn: config.signIn };
}

/** `https://api.example.com/v1/integration`, for commands that users copy from the console. */
export const integrationUrl = (): string | undefined =>
  known.integrationUrl && new URL(known.integrationUrl, location.origin).href;

export const sendsMail = (): boolean => known.sendsMail === true;
