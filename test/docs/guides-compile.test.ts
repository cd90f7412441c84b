/** The TypeScript in guides and reference compiles as it is: each block, and the example of a mirror, is a module. */
import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openApiDocument } from '../../contract/openapi.ts';
import { type Sample, withSamples } from '../../site/samples.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** All TypeScript blocks of the pages in git, with their file and position as name. */
async function blocks(): Promise<Map<string, string>> {
  const { stdout } = await run('git', ['ls-files', '-z', '*.md'], { cwd: root });
  const pages = stdout.split('\0').filter(Boolean);
  const found = new Map<string, string>();
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8');
    for (const { 1: code = '', index } of text.matchAll(/```(?:ts|typescript)\n([\s\S]*?)```/g)) {
      const line = text.slice(0, index).split('\n').length;
      found.set(`${page.replaceAll(/\W+/g, '-')}-line-${line}.ts`, code);
    }
  }
  return found;
}

/** The samples of all operations with the client. */
function samples(): Map<string, string> {
  const { paths } = JSON.parse(withSamples('openapi.json', JSON.stringify(openApiDocument()))) as {
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': readonly Sample[] }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.map(({ operationId, 'x-codeSamples': all }) => {
      return [`sample-${operationId}.ts`, all.find(({ lang }) => lang === 'typescript')?.source ?? ''];
    }),
  );
}

/** A project below `.build/`, where the project's packages resolve, with the packed client and local packages. */
async function emptyProject(): Promise<string> {
  await mkdir(join(root, '.build'), { recursive: true });
  const project = await mkdtemp(join(root, '.build/guides-'));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const client = join(project, 'node_modules/booking-integration-client');
  await mkdir(client, { recursive: true });
  await cp(join(root, 'client/package.json'), join(client, 'package.json'));
  await tsc('-p', join(root, 'client'), '--outDir', join(client, 'dist'), '--emitDeclarationOnly');
  for await (const manifest of glob('packages/*/package.json', { cwd: root })) {
    const { name } = JSON.parse(await readFile(join(root, manifest), 'utf8')) as { name: string };
    await symlink(join(root, dirname(manifest)), join(project, 'node_modules', name));
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'nodenext',
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    // Imports of a page resolve where its reader is: among the handlers, or beside the page.
    rootDirs: ['.', '../../functions/api', '../../packages/local-cloud/src'],
  };
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  return project;
}

/** The output of the compiler. */
async function tsc(...args: readonly string[]): Promise<string> {
  const command = [join(root, 'node_modules/typescript/bin/tsc'), ...args];
  const { stdout } = await run(process.execPath, command, { cwd: root }).catch((error: { stdout: string }) => error);
  return stdout;
}

test('Every TypeScript example in the guides and the API reference compiles, and one with a misspelt field of an error does not', async () => {
  const project = await emptyProject();
  const sampled = samples();
  expect(sampled.size).toBeGreaterThan(30);
  const shown = new Map([...(await blocks()), ...sampled]);
  shown.set('mirror.ts', await readFile(join(root, 'docs/examples/mirror.ts'), 'utf8'));
  const misspelt = [...shown].filter(([, code]) => code.includes('details.nextAvailable'));
  expect(misspelt.length).toBeGreaterThan(1);
  for (const [name, code] of shown) await writeFile(join(project, name), code);
  for (const [name, code] of misspelt) {
    await writeFile(join(project, `misspelt-${name}`), code.replace('details.nextAvailable', 'details.nextFree'));
  }

  const faults = (await tsc('-p', project)).split('\n').filter((line) => line.includes('error TS'));
  expect(faults.filter((line) => !line.includes('/misspelt-'))).toEqual([]);
  expect(faults.filter((line) => line.includes("'nextFree'"))).toHaveLength(misspelt.length);
});
