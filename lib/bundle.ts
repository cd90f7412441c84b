/**
 * One esbuild pass over every handler that a row names. The output of a handler is a folder, `.build/<kind>/<name>/`, with
 * `index.mjs`, which the stacks take as an asset, and its source map, which they take along when asked to. The same sources
 * give the same bytes.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { handedBuiltins } from './bundle/builtin-modules.ts';
import { leanContract } from './bundle/contract.ts';
import { leanSdk } from './bundle/lean-sdk.ts';
import { assertHandlersExist, type HandlerName, handlers, sourceFile } from './handlers.ts';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

export interface BundleOptions {
  /** Where the handlers are; `functions/` of this project. */
  readonly functionsFolder?: string;
  /** Where the bundles go; `.build/` of this project. */
  readonly outputFolder?: string;
}

export interface Bundle {
  readonly name: HandlerName;
  /** What becomes the function's code. */
  readonly folder: string;
  readonly bytes: number;
  /** Sources in the bundle with the bytes each contributes, largest first. */
  readonly inputs: readonly { readonly path: string; readonly bytes: number }[];
}

export type Bundles = ReadonlyMap<HandlerName, Bundle>;

const sdk = leanSdk(projectFolder);

/** How a handler is bundled, but for its entry point and output. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  mainFields: ['module', 'main'],
  ...sdk,
  plugins: [...sdk.plugins, handedBuiltins, leanContract],
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
} satisfies BuildOptions;

/** A map beside the bundle that holds no sources. Node.js reads it only with `--enable-source-maps`. */
export const mapBeside = { sourcemap: 'linked', sourcesContent: false } as const satisfies BuildOptions;

/** Bundles every handler, and fails with the names of those whose file is missing. */
export async function bundleFunctions(options: BundleOptions = {}): Promise<Bundles> {
  const functionsFolder = options.functionsFolder ?? join(projectFolder, 'functions');
  const outputFolder = options.outputFolder ?? join(projectFolder, '.build');
  assertHandlersExist(functionsFolder);
  const built = await build({
    ...bundleOptions,
    absWorkingDir: projectFolder,
    entryPoints: handlers.map(({ name }) => ({ in: sourceFile(functionsFolder, name), out: `${name}/index` })),
    outdir: outputFolder,
    ...mapBeside,
    metafile: true,
    write: false,
  });
  for (const { path, contents } of built.outputFiles) writeWhenChanged(path, contents);
  return new Map(handlers.map(({ name }) => [name, describe(name, outputFolder, built.metafile)]));
}

function describe(name: HandlerName, outputFolder: string, metafile: Metafile): Bundle {
  const folder = join(outputFolder, name);
  const output = metafile.outputs[relative(projectFolder, join(folder, 'index.mjs'))];
  if (!output) throw new Error(`esbuild wrote no bundle for functions/${name}.ts.`);
  const inputs = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((a, b) => b.bytes - a.bytes);
  return { name, folder, bytes: output.bytes, inputs };
}

/** Two synths may run at once (tests beside a local run): a file is replaced whole, and only by other bytes. */
function writeWhenChanged(path: string, contents: Uint8Array): void {
  if (sameBytes(path, contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  // Not in the bundle's folder: what is in the folder when it is staged belongs to the asset.
  const temporary = `${dirname(path)}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

function sameBytes(path: string, contents: Uint8Array): boolean {
  try {
    return readFileSync(path).equals(contents);
  } catch {
    return false;
  }
}
