import { configPath, type SiteConfig } from '../config.ts';

/** Returns undefined if the site is served without a configuration. */
export async function loadConfig(): Promise<SiteConfig | undefined> {
  const answer = await fetch(configPath).catch(() => undefined);
  return answer?.ok ? answer.json().catch(() => undefined) : undefined;
}
