/**
 * One esbuild pass over every handler that a row names. The output of a handler is a folder, `.build/<kind>/<name>/`, with
 * `index.mjs`, which the stacks take as an asset, and its source map, which they take along when asked to. The same sources
 * give the same bytes.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { handedBuiltins } from './bundle/builtin-modules.ts';
import { leanContract } from './bundle/contract.ts';
import { leanMcp } from './bundle/lean-mcp.ts';
import { leanSdk } from './bundle/lean-sdk.ts';
import { assertHandlersExist, type HandlerName, handlers, sourceFile } from './handlers.ts';
import { kept } from './kept-build.ts';
import { projectFolder } from './project-folder.ts';

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
  plugins: [...sdk.plugins, handedBuiltins, leanContract, leanMcp],
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
} satisfies BuildOptions;

/** A map beside the bundle that holds no sources. Node.js reads it only with `--enable-source-maps`. */
const mapBeside = { sourcemap: 'linked', sourcesContent: false } as const satisfies BuildOptions;

/** What bundles are made of. */
export const sources = ['contract', 'core', 'functions', 'lib', 'package-lock.json', 'tsconfig.json'];
/** Beside the kept bundles: name, bytes and inputs of each. */
const listFile = 'bundles.json';

/**
 * Bundles every handler, and fails with the names of those whose file is missing. What was built of the same sources before
 * is taken as it is.
 */
export async function bundleFunctions(outputFolder = join(projectFolder, '.build')): Promise<Bundles> {
  assertHandlersExist(join(projectFolder, 'functions'));
  const { folder } = await kept({ name: 'bundles', sources, make: bundleInto });
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
    const file = join(folder, relative(nominalFolder, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  const bundles = handlers.map(({ name }) => describe(name, metafile));
  writeFileSync(join(folder, listFile), JSON.stringify(bundles));
}

/** Where bundles lie as far as the paths in their maps go, wherever they are written to. */
const nominalFolder = join(projectFolder, '.build');

/** One pass of esbuild over the handlers. Writes nothing. */
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
  const output = metafile.outputs[relative(projectFolder, join(nominalFolder, name, 'index.mjs'))];
  if (!output) throw new Error(`esbuild wrote no bundle for functions/${name}.ts.`);
  const inputs = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((a, b) => b.bytes - a.bytes);
  return { name, bytes: output.bytes, inputs };
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
