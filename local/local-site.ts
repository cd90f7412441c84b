/** The pages of the edge, built beside the synthesis, and configured with what only a local run has. */
import { generateTypes } from '../bin/generate/types.ts';
import { isNamedPages } from '../lib/named-code.ts';
import { keptPages } from '../lib/pages.ts';
import { type Buckets, stored } from '../packages/local-cloud/src/buckets.ts';
import { configPath, type SiteConfig } from '../site/config.ts';

export interface LocalSite {
  /**
   * Adds to the pages' settings: paths, so that they ask the host that they were loaded from, and what belongs to the
   * demo. They show it to everyone who opens them: other pages cannot, because of their origin, but every user of this machine
   * can, so it is for a demo only.
   */
  configure(config: Partial<SiteConfig>): void;
}

/** Begins to build, and gives the folder instead of the assets that only name the pages. */
export function pagesOf(progress: (line: string) => void): (asset: string) => Promise<string | undefined> {
  const building = generateTypes().then(keptPages);
  building.catch(() => undefined);
  return async (asset) => {
    if (!isNamedPages(asset)) return undefined;
    // A page that cannot be built is no reason for the API not to run; a test holds all of them.
    const built = await building.catch((error: Error) => progress(`There are no pages: ${error.message}`));
    return built?.folder;
  };
}

export function localSite({ all }: Buckets): LocalSite | undefined {
  const key = configPath.slice(1);
  const files = [...all.values()].find((candidate) => candidate.has(key));
  if (!files) return undefined;
  return {
    configure(config) {
      const known = JSON.parse(files.get(key)?.body.toString() ?? '{}') as object;
      files.set(key, stored(key, Buffer.from(JSON.stringify({ ...known, ...config }))));
    },
  };
}
