import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** A checkout with the check alone; `before` runs in the process ahead of it. */
function runIn(folder: string, before = ''): Promise<{ code: unknown; stderr: string }> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(join(project, 'bin/checked.mjs'), join(folder, 'bin/checked.mjs'));
  writeFileSync(join(folder, 'before.cjs'), before);
  return new Promise((resolve) => {
    const args = ['--require', join(folder, 'before.cjs'), join(folder, 'bin/checked.mjs'), 'start'];
    execFile(process.execPath, args, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });
}

test('every command that npm runs with Node is checked first', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { scripts: object };
  const byNode = Object.values(scripts).flatMap((line: string) => line.match(/\bnode \S+/g) ?? []);
  expect(byNode.length).toBeGreaterThan(5);
  expect(byNode.filter((command) => command !== 'node bin/checked.mjs')).toEqual([]);
});

test('without its packages a command says to install them, in one sentence', async () => {
  expect(await runIn(temporaryFolder('checkout'))).toEqual({
    code: 1,
    stderr: 'The packages are not installed: run `npm ci` in this folder first.\n',
  });
});

test('an older Node is told which one is needed, in words instead of a stack', async () => {
  const folder = temporaryFolder('checkout');
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const older = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });";
  const { code, stderr } = await runIn(folder, older);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^This needs Node\.js 24 or newer, .*\n$/);
});

test('otherwise the command runs with its own flags', async () => {
  const { code, stdout } = await command('bin/checked.mjs', ['start', '--help']).ended;
  expect({ code, first: stdout.split('\n')[0] }).toEqual({
    code: 0,
    first:
      'Runs the whole booking API on this machine, from the same templates that are deployed. No account, no Docker.',
  });
});
