/** Builds the reference with its guides below `/docs/`, and the files beside it. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { elementPath } from './addresses.ts';
import { customerPage, elementScript } from './customer-pages.ts';
import { guidePage, type Program } from './guide.ts';
import { landingPage } from './landing.ts';
import { type AssetUrl, type Page, renderPage } from './layout.ts';
import { packedClient } from './packed-client.ts';
import {
  clientPackage,
  customerPages,
  documents,
  type Guide,
  guides,
  markdownOf,
  programsOf,
  references,
  startPath,
} from './pages.ts';
import { referencePage, referenceSections, sampledAsset, scalarScript } from './reference.ts';
import { referenceText } from './reference-text.ts';
import { withSamples } from './samples.ts';
import { type Section, sectionsOf } from './search-index.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const bundled = [
  ...['landing', 'guide', 'reference', 'search', 'customer'].map((name) => `browser/${name}.ts`),
  'style/site.css',
  'style/customer.css',
];

/** Writes every file of the site into the folder, which it creates. Throws if a page has a broken link. */
export async function buildSite(folder: string): Promise<void> {
  const write = async (path: string, content: string | Uint8Array) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  const pages = [
    landingPage(),
    ...(await Promise.all(
      references.map(async (reference) => referencePage(reference, await source(reference.document))),
    )),
    ...(await Promise.all(
      guides.map(async (guide) => guidePage(guide, await source(guide.source), await programs(guide))),
    )),
  ];
  const sampled = await Promise.all(
    references.map(async ({ document }) => [sampledAsset(document), withSamples(document, await source(document))]),
  );
  const asset = await writeAssets(write, {
    'search.json': JSON.stringify(await searchIndex(pages)),
    ...Object.fromEntries(sampled),
  });
  for (const page of pages) {
    await write(page.path.endsWith('/') ? `${page.path}index.html` : page.path, renderPage(page, asset));
  }
  for (const [path, file] of Object.entries(documents)) {
    const text = asPublished(await source(file));
    await write(path, path.endsWith('.md') ? withLinksFrom(path, file, text) : text);
  }
  for (const { path, document } of references) await write(markdownOf(path), referenceText(await source(document)));
  await write(markdownOf(startPath), (await source('llms.txt')).replaceAll('](', '](/'));
  for (const [path, title] of Object.entries(customerPages)) {
    await write(`${path}index.html`, customerPage(title, asset));
  }
  await write(elementPath, await elementScript());
  await write(clientPackage, await packedClient());
}

/** Returns the sections of all guides and references for the search. */
async function searchIndex(pages: readonly Page[]): Promise<readonly Section[]> {
  const page = new Map(pages.map((each) => [each.path, each]));
  const ofGuides = guides.flatMap(({ path, name }) => {
    const built = page.get(path);
    return built ? sectionsOf(built, name) : [];
  });
  const ofReferences = references.map(async (reference) =>
    referenceSections(reference, await source(reference.document)),
  );
  return [...ofGuides, ...(await Promise.all(ofReferences)).flat()];
}

async function writeAssets(
  write: (path: string, content: string | Uint8Array) => Promise<void>,
  made: Readonly<Record<string, string>>,
): Promise<AssetUrl> {
  const { outputFiles } = await build({
    absWorkingDir: join(project, 'site'),
    entryPoints: bundled,
    entryNames: '[name]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
    outdir: '/',
    write: false,
  });
  const files = new Map<string, string | Uint8Array>([
    ...outputFiles.map(({ path, contents }) => [path.replace(/^.*[/\\]/, ''), contents] as const),
    ...Object.entries(made),
    ['scalar.js', scalarScript()],
    ['icon.svg', await source('site/style/icon.svg')],
  ]);
  const urls = new Map<string, string>();
  for (const [name, content] of files) {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
    const url = `/docs/assets/${name.replace('.', `-${hash}.`)}`;
    urls.set(name, url);
    await write(url, content);
  }
  return (entry) => {
    const url = urls.get(entry);
    if (url === undefined) throw new Error(`The site has no asset ${entry}.`);
    return url;
  };
}

/** Returns the programs that a guide shows after its text, by file name. */
async function programs(guide: Guide): Promise<readonly Program[]> {
  const files = programsOf(guide);
  return await Promise.all(
    files.map(async (file, i) => ({ name: guide.programs?.[i] ?? file, file, text: asPublished(await source(file)) })),
  );
}

/** A text at another address than its source gets absolute paths in its links. */
function withLinksFrom(path: string, source: string, text: string): string {
  if (path === `/${source}`) return text;
  const link = /\]\((?![a-z]+:|[/#])([^)]+)\)/g;
  return text.replace(
    link,
    (_, target) => `](${new URL(target, `http://site/${source}`).href.slice('http://site'.length)})`,
  );
}

/** Example programs import the client by its path here; integrators import it by its name. */
function asPublished(text: string): string {
  return text
    .replace(/^\/\/ In your own project: from .*\n/m, '')
    .replaceAll("'../../client/src/index.ts'", "'booking-integration-client'");
}

const source = (file: string) => readFile(join(project, file), 'utf8');
