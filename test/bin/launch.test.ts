import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a checkout that contains only the launcher; `before` runs in the process ahead of it. */
function runIn(folder: string, before = ''): Promise<{ code: unknown; stderr: string }> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(join(project, 'bin/launch.mjs'), join(folder, 'bin/launch.mjs'));
  writeFileSync(join(folder, 'before.cjs'), before);
  return new Promise((resolve) => {
    const args = ['--require', join(folder, 'before.cjs'), join(folder, 'bin/launch.mjs'), 'start'];
    execFile(process.execPath, args, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });
}

test('Every npm script that needs Node.js starts bin/launch.mjs, which selects the Node.js version of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { scripts: object };
  const byNode = Object.values(scripts).flatMap((line: string) => line.match(/\bnode \S+/g) ?? []);
  expect(byNode.length).toBeGreaterThan(5);
  expect(byNode.filter((command) => command !== 'node bin/launch.mjs')).toEqual([]);
});

test('In a clone without installed packages, every command prints in one sentence that the packages must be installed', async () => {
  expect(await runIn(temporaryFolder('checkout'))).toEqual({
    code: 1,
    stderr: 'The packages are not installed: run `npm ci` in this folder first.\n',
  });
});

test('On an older Node.js, a command prints the version that it needs, without a stack trace', async () => {
  const folder = temporaryFolder('checkout');
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const older = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });";
  const { code, stderr } = await runIn(folder, older);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^This needs Node\.js 24 or newer, .*\n$/);
});

test('`node bin/launch.mjs start --help` passes the argument `--help` to the command `start`', async () => {
  const { code, stdout, stderr } = await command('bin/launch.mjs', ['start', '--help']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Runs the whole booking API.* {2}--port N /s);
});

test.each(['prove', 'operate'])(
  '`npm run %s` without a command lists every command with a one-line description',
  async (group) => {
    const { code, stdout } = await command('bin/launch.mjs', [group]).ended;
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}(\w+) {2,}\S.*$/gm)].map(([, name]) => `${name}.ts`);
    expect(listed.length).toBe({ prove: 8, operate: 6 }[group]);
    expect(readdirSync(join(project, 'bin', group))).toEqual(expect.arrayContaining(listed));
  },
);

test('bin/launch.mjs refuses an unknown command, and passes flags such as `--help` to a known command', async () => {
  const none = await command('bin/launch.mjs', ['nothing']).ended;
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toMatch(/^There is no command 'nothing'\. .*: start, test, .*prepare\.\n$/);
  const unknown = await command('bin/launch.mjs', ['prove', 'nothing']).ended;
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('There is no command nothing');
  const known = await command('bin/launch.mjs', ['operate', 'keys', '--help']).ended;
  expect(known).toMatchObject({ code: 0 });
  expect(known.stdout).toContain('npm run operate -- keys create');
});
