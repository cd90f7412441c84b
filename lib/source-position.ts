/**
 * From a place in a deployed bundle to the line of its source. No source map is shipped or kept: the same sources give
 * the same bytes, so that the commit that was deployed gives the map at any time.
 */
import { SourceMap } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, projectFolder } from './bundle.ts';
import { type HandlerName, handlers, sourceFile } from './handlers.ts';

/**
 * `core/http/chain.ts:57:12` for the line and column, both from 1, of a stack trace of `index.mjs`. Throws when there is no
 * such handler, or nothing at that place.
 */
export async function sourceAt(handler: string, line: number, column: number): Promise<string> {
  const known = handlers.find(({ name }) => name === handler)?.name;
  if (!known) throw new Error(`There is no functions/${handler}.ts.`);
  const map = new SourceMap(JSON.parse((await bundleWithMap(known)).map));
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) throw new Error(`Nothing of a source is at ${line}:${column} of ${handler}.`);
  const file = relative(projectFolder, resolve(outdir, known, entry.originalSource));
  return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/** Nothing is written there: it is what the paths of the map are relative to. */
const outdir = join(projectFolder, '.build');

export async function bundleWithMap(handler: HandlerName): Promise<{ readonly code: string; readonly map: string }> {
  const { outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: projectFolder,
    entryPoints: [{ in: sourceFile(join(projectFolder, 'functions'), handler), out: `${handler}/index` }],
    outdir,
    sourcemap: 'external',
    sourcesContent: false,
    write: false,
  });
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { code: text('.mjs'), map: text('.map') };
}
