/** The site of the project, served by the local run, and told the key of the demo. */
import { configPath, type SiteConfig } from '../../site/config.ts';
import { siteHeaders } from '../../site/headers.ts';
import { sources } from '../../site/pages.ts';
import { readSite, type StaticSite } from '../cloud/static-site.ts';
import { kept } from './kept-build.ts';

export interface LocalSite extends StaticSite {
  /**
   * Puts key, token and lines into the pages. They show them to whoever opens them: other pages cannot, because of their
   * origin, but every user of this machine can, so they are for a demo only.
   */
  tell(config: SiteConfig): void;
}

/** Builds the site, or takes the one of an earlier start. Throws when a page links to what is not there. */
export async function localSite(): Promise<LocalSite> {
  const make = async (folder: string) => (await import('../../site/build.ts')).buildSite(folder);
  const built = await kept({ name: 'sites', sources: ['site', 'package-lock.json', ...sources], make });
  const files = await readSite(built.folder);
  return {
    files,
    headersOf: siteHeaders,
    tell(config) {
      files.set(configPath, { type: 'application/json', body: Buffer.from(JSON.stringify(config)) });
    },
  };
}
