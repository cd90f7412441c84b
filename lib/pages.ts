/**
 * The folder of pages that CloudFront serves: the console at `/`, the reference and its guides at `/docs/`, and the
 * documents. The folder is a cached build, which is made outside the synthesis.
 */
import { sources } from '../site/pages.ts';
import { type CachedBuild, cachedBuild } from './cached-build.ts';

/** Builds the pages or reuses an earlier build. Throws if a page has a broken link. */
export function cachedPages(): Promise<CachedBuild> {
  return cachedBuild({
    name: 'pages',
    sources: ['console', 'site', 'package-lock.json', ...sources],
    make: buildPages,
  });
}

/** The builders are imported only when needed, because they take long to load. */
async function buildPages(folder: string): Promise<void> {
  const [{ buildSite }, { buildConsole }] = await Promise.all([
    import('../site/build.ts'),
    import('../console/build.ts'),
  ]);
  // This build begins by emptying the folder.
  await buildConsole(folder);
  await buildSite(folder);
}
