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

/** Runs a program that ends by itself only after a minute. */
const runsAnother = `
  import { exitCodeOf, startTool } from './bin/tool.ts';
  const waiting = "console.log(process.pid); setTimeout(() => console.log('not ended'), 60_000);";
  await exitCodeOf(startTool(process.execPath, ['--eval', waiting]));
  console.log('continued');
`;

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  'A command that runs another program ends at %s together with this program',
  async (signal) => {
    const running = command('--input-type=module', ['--eval', runsAnother]);
    const [, pid] = await running.waitForOutput('stdout', /^(\d+)\n/);
    running.process.kill(signal);
    // The output is complete only when both processes have ended.
    expect((await running.ended).stdout).toBe(`${pid}\n`);
    expect(running.process.signalCode).toBe(signal);
  },
);

test.skipIf(process.platform === 'win32')(
  'A command that runs another program ends together with this program if the npm process that started it has ended',
  async () => {
    const args = ['"$0" --input-type=module --eval "$1"; :', process.execPath, runsAnother];
    const npm = command('-c', args, { interpreter: 'sh', env: { npm_lifecycle_event: 'test' } });
    const [, pid] = await npm.waitForOutput('stdout', /^(\d+)\n/);
    npm.process.kill('SIGTERM');
    expect((await npm.ended).stdout).toBe(`${pid}\n`);
  },
);

test.each([
  ['receiver', '  --port N '],
  ['generate/documents', '\n  --help'],
  ['generate/record', '\n  --help'],
  ['verify', 'npm run verify -- [flags]'],
  ['operate/pin', 'npm run operate -- pin\n\n  --help'],
  ['operate/drill', '\n  --help'],
  ['operate/where', '\n  --help'],
  ['prove/conformance', '\n  --help'],
  ['prove/templates', '\n  --help'],
])('The command `%s --help` prints only its help and ends with exit code 0', async (name, text) => {
  const { code, stdout, stderr } = await command(`bin/${name}.ts`, ['--help']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(text);
});

test.each(
  (
    [
      ['verify', ['--unknown'], "Unknown option '--unknown'."],
      ['prove/clocks', ['--date', 'x'], "Unknown option '--date'."],
      ['prove/clocks', ['--zone', 'Europe/Riga'], '--zone needs --at.'],
      ['prove/clocks', ['--at', '2032-01-01T00:00:00Z', '--zone', 'Riga'], "--zone: there is no time zone 'Riga'."],
      ['prove/clocks', ['--at', '2032-01-01T00:00:00Z', '--zone', '+02:00'], "--zone: there is no time zone '+02:00'."],
      ['operate/keys', ['list', '--business', '1'], 'Set --stage: it selects the tables that the command uses.'],
      ['receiver', ['extra'], "Unexpected argument 'extra'."],
      ['receiver', ['--port', 'many'], "--port must be a whole number from 0 to 65535, not 'many'."],
      ['start', ['--port', '65536'], "--port must be a whole number from 0 to 65535, not '65536'."],
      ['receiver', ['--port'], "Option '--port <value>' argument missing."],
      ['operate/keys', ['list', 'create'], 'Name one command, not list create.'],
      ['operate/where', ['--line', '1:2'], "Unknown option '--line'."],
      ['generate/documents', ['--chek'], "Unknown option '--chek'."],
      ['prove/conformance', ['--scenario', 'nope'], "--scenario: the suite has no scenario 'nope'."],
      ['prove/templates', ['--variant', 'nope'], 'There is no variant nope.'],
      ['prove/fuzz', ['--requests', '10', '--from', '10'], "--from must be a whole number from 0 to 9, not '10'."],
      ['start', ['--port', '-1'], '--port needs a value; write one that begins with a dash as --port=….'],
      ['receiver', ['--secret', 'bk_live_1'], '--secret must be the secret of the webhook, whsec_….'],
    ] as const
  ).map(([name, args, sentence]) => [[name, ...args].join(' '), name, args, sentence] as const),
)('The faulty command `%s` ends with a one-sentence error and exit code 2', async (_, name, args, sentence) => {
  const { code, stdout, stderr } = await command(`bin/${name}.ts`, args).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `${sentence} See --help.\n` });
});

test('`npm run prove -- clocks` corrects the time zone europe/riga to Europe/Riga, because Node.js accepts no other spelling', async () => {
  const args = ['--at', '2032-01-01T00:00:00Z', '--zone', 'europe/riga', '--', '--help'];
  const { stdout } = await command('bin/prove/clocks.ts', args).ended;
  expect(stdout).toContain('2032-01-01T00:00:00Z in Europe/Riga');
});

test.skipIf(process.platform !== 'linux').each([
  ['output', '>', 'a warning\nThe output is incomplete: ENOSPC: no space left on device, write.\n'],
  ['error messages', '2>', ''],
])('A command whose %s cannot be written ends with exit code 1', (_, redirection, stderr) => {
  const printing = `import { runCommand } from './bin/command-line.ts'; await runCommand(async () => { console.error('a warning'); console.log('a result'); });`;
  const script = `"$0" --input-type=module --eval "$1" ${redirection} /dev/full`;
  const shell = spawnSync('sh', ['-c', script, process.execPath, printing], { encoding: 'utf8' });
  expect([shell.status, shell.stderr]).toEqual([1, stderr]);
});

test.each([
  ['refuses a request', 'ResourceNotFoundException: Requested resource not found', 'Requested resource not found', {}],
  ['cannot be reached', 'AggregateError: ECONNREFUSED', '', { code: 'ECONNREFUSED' }],
])('If an AWS service %s, a command prints “%s” and no stack', (_, line, message, properties) => {
  const [name] = line.split(':');
  const error = `Object.assign(new Error('${message}'), ${JSON.stringify({ ...properties, name, $metadata: {} })})`;
  const failing = `import { runCommand } from './bin/command-line.ts'; await runCommand(async () => { throw ${error}; });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', failing], { encoding: 'utf8' });
  expect(stderr).toBe(`${line}\n`);
});

test('A command that fails because the disk is full prints advice to free space, unless a child process has already printed it', () => {
  const ended = (error: string) => {
    const failing = `import { runCommand } from './bin/command-line.ts'; await runCommand(async () => { throw new Error(${JSON.stringify(error)}); });`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', failing], { encoding: 'utf8' }).stderr;
  };
  const full = 'ENOSPC: no space left on device, write\nThe disk is full: free some space and try again.\n';
  expect(ended('ENOSPC: no space left on device, write')).toBe(full);
  expect(ended(full.trim())).toBe(full);
});

test.skipIf(process.platform === 'win32')(
  'The commands of a runbook work even if Node.js is in a folder with a space in its name',
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
