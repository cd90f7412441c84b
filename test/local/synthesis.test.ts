import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { sources as sourcesOfBundles } from '../../lib/bundle.ts';
import { cachedBuild, fingerprint } from '../../lib/cached-build.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { sources, synthesise } from '../../local/synthesis.ts';
import { temporaryFolder } from '../support/synthesised.ts';

test('A change of any file that the CDK app or a function uses causes a new CDK synthesis at the next `npm start`', async () => {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: ['bin/app.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outdir: 'nowhere',
    metafile: true,
    write: false,
  });
  const read = Object.keys(metafile.inputs);
  expect(read).toContain('lib/app.ts');
  expect(read.filter((file) => !sources.some((source) => `${file}/`.startsWith(`${source}/`)))).toEqual([]);
  // Another test checks that these contain every file of a function.
  expect(sources).toEqual(expect.arrayContaining(sourcesOfBundles));
});

test('`npm start` reuses the earlier CDK synthesis if no source file has changed', async () => {
  const signal = AbortSignal.timeout(120_000);
  const [first, second] = [temporaryFolder('first'), temporaryFolder('second')];
  await synthesise(first, { signal });
  const progress: string[] = [];
  await synthesise(second, { signal, progress: (line) => progress.push(line) });
  expect(progress).toEqual(['nothing has changed: the stacks are those of an earlier start']);
  const files = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted();
  expect(files(second)).toEqual(files(first));
  expect(files(second)).toContain('manifest.json');
});

test('If `npm start` is stopped while it looks for the templates of an earlier CDK synthesis, it leaves no files behind', async () => {
  await synthesise(temporaryFolder('first'), { signal: AbortSignal.timeout(120_000) });
  const folder = temporaryFolder('stopped');
  await expect(synthesise(folder, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(readdirSync(folder)).toEqual([]);
});

test('A changed, new or renamed source file causes a new CDK synthesis, but a new modification time alone does not', async () => {
  const folder = temporaryFolder('sources');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, 'core'));
  write('cdk.json', '{}');
  write('core/a.ts', 'a');
  const print = () => fingerprint(folder, ['cdk.json', 'core']);
  const seen = [await print()];
  utimesSync(join(folder, 'core/a.ts'), 0, 0);
  expect(await print()).toBe(seen[0]);

  write('core/a.ts', 'b');
  seen.push(await print());
  write('core/b.ts', '');
  seen.push(await print());
  write('cdk.json', '{ }');
  seen.push(await print());
  expect(new Set(seen).size).toBe(4);
});

/** Builds a source with this text, in a cache of the running test. */
function builder() {
  const source = join(temporaryFolder('used'), 'source.ts');
  const name = `used-${process.pid}`;
  onTestFinished(() => rmSync(join(projectFolder, '.build', name), { recursive: true }));
  return (text: string) => {
    writeFileSync(source, text);
    return cachedBuild({
      name,
      sources: [relative(projectFolder, source)],
      make: async (folder) => void mkdirSync(folder, { recursive: true }),
    });
  };
}

test('A build that was used after others is kept when a new build removes one of them', async () => {
  const build = builder();
  for (const text of ['a', 'b', 'c']) utimesSync((await build(text)).folder, 0, text.charCodeAt(0));
  await build('a');
  await build('d');
  expect((await build('a')).madeInMs).toBeUndefined();
  expect((await build('b')).madeInMs).toBeDefined();
});

test('A new build is kept even if the clock was years ahead when earlier builds were used', async () => {
  const build = builder();
  const ahead = new Date(Date.now() + 10 * 365 * 86_400_000);
  for (const text of ['a', 'b', 'c']) utimesSync((await build(text)).folder, ahead, ahead);
  await build('d');
  expect((await build('d')).madeInMs).toBeUndefined();
});
