/** The console as files, built once for as long as nothing of it changes. */
import { consoleSources } from '../../console/sources.ts';
import { readSite, type SiteFile } from '../cloud/static-site.ts';
import { kept } from './kept-build.ts';

/** By path, `/` among them: the page that answers every path of the console. */
export async function consoleFiles(): Promise<Map<string, SiteFile>> {
  const make = async (folder: string) => (await import('../../console/build.ts')).buildConsole(folder);
  const { folder } = await kept({ name: 'consoles', sources: consoleSources, make });
  return readSite(folder);
}
