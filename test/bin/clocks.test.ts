/** `npm run prove -- clocks`: all of Node that a test starts uses the fake time, or a green run means nothing. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withFiles } from '../../bin/tool.ts';
import { command } from '../support/command.ts';

const shiftMs = 3_000 * 86_400_000;
const otherTime = new URL(`../support/shifted-clock.mjs?shiftMs=${shiftMs}`, import.meta.url).href;

/** Prints the time of a process, its child, a thread as in the local run, and an HTTP response. */
const script = `
  import { execFileSync } from 'node:child_process';
  import { createServer, get } from 'node:http';
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  const times = [Date.now(), +new Date(), Date.parse(Date())];
  times.push(Number(execFileSync(process.execPath, ['-p', 'Date.now()'])));
  const thread = new URL('data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.postMessage(Date.now());');
  times.push((await once(new Worker(thread, { env: {}, execArgv: [] }), 'message'))[0]);
  const trueDate = new Date(Date.now() - ${shiftMs}).toUTCString();
  const server = createServer((_, answer) => answer.writeHead(200, { date: trueDate }).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [answer] = await once(get({ host: '127.0.0.1', port: server.address().port, agent: false }), 'response');
  times.push(Date.parse(answer.headers.date));
  answer.resume();
  server.close();
  console.log(JSON.stringify(times));
`;

test('If a Node.js process has a fake time, its threads, child processes and HTTP servers have the same fake time', () => {
  const began = Date.now() + shiftMs;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, NODE_OPTIONS: `--import=${otherTime}` },
  });
  const times = JSON.parse(output.toString()) as number[];
  expect(times).toHaveLength(6);
  for (const time of times) expect(Math.abs(time - began)).toBeLessThan(shiftMs / 2);
});

test('`npm run prove -- clocks` refuses a fake time that is invalid or in the past', async () => {
  for (const at of ['2020-01-01T00:00:00Z', 'tomorrow']) {
    const { code, stderr } = await command('bin/prove/clocks.ts', ['--at', at]).ended;
    expect(stderr).toContain('--at must be a moment in the future');
    expect(code).toBe(2);
  }
});

test.each([
  ['', false],
  ['--reporter=dot', false],
  ['-t words', false],
  ['test/core/ -t words', true],
  ['-t words create-booking', true],
  ['--reporter=dot create-booking', true],
  ['--update test/core/table-keys.test.ts', true],
])(
  '`npm run prove -- clocks` with the arguments `%s` runs its usual test files only if no argument names a file',
  (line, isNamed) => {
    const args = line.split(' ').filter(Boolean);
    expect(withFiles(args, ['usual/'])).toEqual(isNamed ? args : ['usual/', ...args]);
  },
);
