/**
 * Converts a position in a deployed bundle to the line of its source. Maps are deployed only on request, but the build
 * keeps them beside its bundles. The same sources give the same bytes, so the commit also gives the map at any time.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { buildOf } from './bundle.ts';
import { type HandlerName, handlers } from './handlers.ts';

/**
 * Returns `core/http/serve.ts:57:12` for the line and column, both from 1, of a stack trace of `index.mjs`. `maps` is a
 * folder of kept maps, `.build` of the deployed build; without it the current sources are built. Throws if there is no
 * such handler, or no source at that position.
 */
export async function sourceAt(handler: string, line: number, column: number, maps?: string): Promise<string> {
  const known = handlers.find(({ name }) => name === handler)?.name;
  if (!known) throw new Error(`There is no functions/${handler}.ts.`);
  const text = maps === undefined ? (await bundleWithMap(known)).map : keptMap(maps, known);
  const entry = new SourceMap(JSON.parse(text)).findEntry(line - 1, column - 1);
  // For a missing line the map returns the last position before it.
  if (!('originalSource' in entry) || entry.generatedLine !== line - 1) {
    throw new Error(`There is no source line for ${line}:${column} of ${handler}.`);
  }
  // The prefix leads from the bundle up to the project, wherever it was built.
  const file = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function keptMap(maps: string, handler: HandlerName): string {
  try {
    return readFileSync(join(maps, handler, 'index.mjs.map'), 'utf8');
  } catch (cause) {
    throw new Error(`${maps} contains no source map of ${handler}: give the folder .build of the deployed build.`, {
      cause,
    });
  }
}

export async function bundleWithMap(handler: HandlerName): Promise<{ readonly code: string; readonly map: string }> {
  const { outputFiles } = await buildOf([handler]);
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { code: text('.mjs'), map: text('.map') };
}
