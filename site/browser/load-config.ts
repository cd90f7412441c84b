import { configPath, type SiteConfig } from '../config.ts';

/** Nothing where the pages are served without one. */
export async function loadConfig(): Promise<SiteConfig | undefined> {
  const answer = await fetch(configPath).catch(() => undefined);
  return answer?.ok ? answer.json().catch(() => undefined) : undefined;
}
