import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';

/** Receives a signal, reports when a second one would count, and ends slowly once its parent is gone. */
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
  'A command shuts down cleanly even if its npm process has ended before',
  async () => {
    const shell = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1"; :', process.execPath, slowToEnd], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    let said = '';
    for await (const text of shell.stderr.setEncoding('utf8')) {
      said += text;
      if (text.includes('ending')) shell.kill('SIGTERM');
    }
    expect(said).toContain('ended in order');
  },
);
