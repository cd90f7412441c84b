/**
 * What the edge serves, as a folder: the console at `/`, the reference and its guides at `/docs/`, the documents. It is a
 * kept build, made beside the synthesis and not in it.
 */
import { sources } from '../site/pages.ts';
import { type Kept, kept } from './kept-build.ts';

/** Builds the pages, or takes those of an earlier start. Throws when a page links to what is not there. */
export function keptPages(): Promise<Kept> {
  return kept({ name: 'pages', sources: ['console', 'site', 'package-lock.json', ...sources], make: buildPages });
}

/** What builds them takes long to load, and a start that finds them built does without. */
async function buildPages(folder: string): Promise<void> {
  const [{ buildSite }, { buildConsole }] = await Promise.all([
    import('../site/build.ts'),
    import('../console/build.ts'),
  ]);
  // It begins with an empty folder.
  await buildConsole(folder);
  await buildSite(folder);
}
