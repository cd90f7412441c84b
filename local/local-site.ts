/** The pages of the edge, built concurrently with the synthesis, with the settings of a local run. */
import { generateTypes } from '../bin/generate/types.ts';
import { isNamedPages } from '../lib/named-code.ts';
import { cachedPages } from '../lib/pages.ts';
import { type Buckets, stored } from '../packages/local-cloud/src/buckets.ts';
import { configPath, type SiteConfig } from '../site/config.ts';

export interface LocalSite {
  /**
   * Adds to the pages' settings: paths, so that pages call the host that they were loaded from, and the demo's values.
   * Pages of other origins cannot read them, but every user of this machine can, so only a demo uses this.
   */
  configure(config: Partial<SiteConfig>): void;
}

/** Starts the build, and returns the folder that replaces the placeholder assets of the pages. */
export function pagesOf(progress: (line: string) => void): (asset: string) => Promise<string | undefined> {
  const building = generateTypes().then(cachedPages);
  building.catch(() => undefined);
  return async (asset) => {
    if (!isNamedPages(asset)) return undefined;
    // The API runs even if a page cannot be built; a test covers all pages.
    const built = await building.catch((error: Error) => progress(`The pages cannot be built: ${error.message}`));
    return built?.folder;
  };
}

export function localSite(buckets: Buckets): LocalSite | undefined {
  const key = configPath.slice(1);
  const files = [...buckets.values()].find((candidate) => candidate.has(key));
  if (!files) return undefined;
  return {
    configure(config) {
      const known = JSON.parse(files.get(key)?.body.toString() ?? '{}') as object;
      files.set(key, stored(key, Buffer.from(JSON.stringify({ ...known, ...config }))));
    },
  };
}
