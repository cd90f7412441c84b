import { spawn, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Program, runCommands } from '../../local/page-commands.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/synthesised.ts';

/** Receives a signal, reports when a second one would take effect, and ends slowly after its parent. */
const slowToEnd = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { stopSignal } from './bin/command-line.ts';
  const { ppid } = process;
  const stopped = stopSignal();
  process.kill(process.pid, 'SIGTERM');
  await pause(600);
  await stopped;
  console.error('ending');
  while (process.ppid === ppid) await pause(10);
  await pause(1_200);
  console.error('ended in order');
  process.exit();
`;

test.skipIf(process.platform === 'win32')(
  'A command shuts down cleanly even if the npm process that started it has already ended',
  async () => {
    const shell = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1"; :', process.execPath, slowToEnd], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    let output = '';
    for await (const text of shell.stderr.setEncoding('utf8')) {
      output += text;
      if (text.includes('ending')) shell.kill('SIGTERM');
    }
    expect(output).toContain('ended in order');
  },
);

test.each([
  ['verify', '--help', 0, 'stdout', /npm run verify -- \[flags\]/],
  ['verify', '--fats', 2, 'stderr', /^Unknown option '--fats'\. See --help\.\n$/],
  ['operate/pin', '--help', 0, 'stdout', /npm run operate -- pin/],
] as const)(
  'The command %s with %s prints only help or a one-sentence error',
  async (name, flag, code, stream, text) => {
    const ended = await command(`bin/${name}.ts`, [flag]).ended;
    expect(ended.code).toBe(code);
    expect(ended[stream]).toMatch(text);
  },
);

test('A command that fails because the disk is full prints this reason only once, even if a child process printed it too', () => {
  const ended = (error: string) => {
    const failing = `import { runCommand } from './bin/command-line.ts'; await runCommand(async () => { throw new Error(${JSON.stringify(error)}); });`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', failing], { encoding: 'utf8' }).stderr;
  };
  const full = 'ENOSPC: no space left on device, write\nThe disk is full: free some space and try again.\n';
  expect(ended('ENOSPC: no space left on device, write')).toBe(full);
  expect(ended(full.trim())).toBe(full);
});

test('The demo receiver refuses a malformed signing secret when it starts, instead of reporting every signature as invalid', async () => {
  const { code, stderr } = await command('bin/receiver.ts', ['--port', '0', '--secret', 'bk_live_1']).ended;
  expect([code, stderr]).toEqual([2, '--secret must be the secret of the webhook, whsec_…. See --help.\n']);
});

test.skipIf(process.platform === 'win32')(
  'The commands of a runbook are executed also if Node.js is in a folder with a space in its name',
  async () => {
    const { execPath } = process;
    const link = join(temporaryFolder('of node'), 'my node');
    symlinkSync(execPath, link);
    onTestFinished(() => {
      process.execPath = execPath;
    });
    process.execPath = link;
    const calls: (readonly string[])[] = [];
    const aws: Program = (words) => void calls.push(words);
    await runCommands(`aws sts "a b" 'c"d'`, { aws });
    expect(calls).toEqual([['sts', 'a b', 'c"d']]);
  },
);
