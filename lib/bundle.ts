/**
 * Bundles all handlers of the rows in one pass of esbuild. The output of a handler is a folder,
 * `.build/<kind>/<name>/`, with `index.mjs`, which the stacks use as an asset, and its source map, which they include
 * on request. The same sources give the same bytes.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { lazyBuiltins } from './bundle/builtin-modules.ts';
import { leanContract } from './bundle/contract.ts';
import { leanMcp } from './bundle/lean-mcp.ts';
import { leanSdk } from './bundle/lean-sdk.ts';
import { cachedBuild } from './cached-build.ts';
import { assertHandlersExist, type HandlerName, handlers, sourceFile } from './handlers.ts';
import { projectFolder } from './project-folder.ts';

export interface Bundle {
  readonly name: HandlerName;
  /** The folder that becomes the function's code. */
  readonly folder: string;
  readonly bytes: number;
  /** The sources in the bundle with the bytes that each contributes, largest first. */
  readonly inputs: readonly { readonly path: string; readonly bytes: number }[];
}

export type Bundles = ReadonlyMap<HandlerName, Bundle>;

const sdk = leanSdk(projectFolder);

/** The options of a bundle, without its entry point and output. */
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
  plugins: [...sdk.plugins, lazyBuiltins, leanContract, leanMcp],
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
} satisfies BuildOptions;

/** The source map beside the bundle contains no sources. Node.js reads it only with `--enable-source-maps`. */
const mapBeside = { sourcemap: 'linked', sourcesContent: false } as const satisfies BuildOptions;

/** The files and folders that bundles are built from. */
export const sources = ['contract', 'core', 'functions', 'lib', 'package-lock.json', 'tsconfig.json'];
/** Lists name, bytes and inputs of each bundle, beside the kept bundles. */
const listFile = 'bundles.json';

/**
 * Bundles every handler. Throws with the names of handlers whose file is missing. A build of the same sources is
 * reused.
 */
export async function bundleFunctions(outputFolder = join(projectFolder, '.build')): Promise<Bundles> {
  assertHandlersExist(join(projectFolder, 'functions'));
  const { folder } = await cachedBuild({ name: 'bundles', sources, make: bundleInto });
  const bundles: readonly Omit<Bundle, 'folder'>[] = JSON.parse(readFileSync(join(folder, listFile), 'utf8'));
  return new Map(
    bundles.map((bundle) => {
      const [from, to] = [join(folder, bundle.name), join(outputFolder, bundle.name)];
      for (const file of readdirSync(from)) writeWhenChanged(join(to, file), readFileSync(join(from, file)));
      return [bundle.name, { ...bundle, folder: to }];
    }),
  );
}

async function bundleInto(folder: string): Promise<void> {
  const { outputFiles, metafile } = await buildOf(handlers.map(({ name }) => name));
  for (const { path, contents } of outputFiles) {
    const file = join(folder, relative(join(projectFolder, nominalFolder), path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  const bundles = handlers.map(({ name }) => describe(name, metafile));
  writeFileSync(join(folder, listFile), JSON.stringify(bundles));
}

/** The folder that the paths in source maps are relative to, wherever the bundles are written. */
const nominalFolder = '.build';

/** Runs one pass of esbuild over the handlers. Writes nothing. */
export function buildOf(names: readonly HandlerName[]) {
  return build({
    ...bundleOptions,
    absWorkingDir: projectFolder,
    entryPoints: names.map((name) => ({
      in: sourceFile(join(projectFolder, 'functions'), name),
      out: `${name}/index`,
    })),
    outdir: nominalFolder,
    ...mapBeside,
    metafile: true,
    write: false,
  });
}

function describe(name: HandlerName, metafile: Metafile): Omit<Bundle, 'folder'> {
  const output = metafile.outputs[`${nominalFolder}/${name}/index.mjs`];
  if (!output) throw new Error(`esbuild wrote no bundle for functions/${name}.ts.`);
  const inputs = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((a, b) => b.bytes - a.bytes);
  return { name, bytes: output.bytes, inputs };
}

/** Two synths may run concurrently (tests and a local run): a file is replaced atomically, and only if bytes differ. */
function writeWhenChanged(path: string, contents: Uint8Array): void {
  if (sameBytes(path, contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  // The temporary file is outside the bundle's folder, because everything in that folder becomes part of the asset.
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
