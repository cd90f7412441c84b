import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { claimDataFolder } from '../../packages/local-cloud/src/data-folder.ts';
import { command, type RunningCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const running: RunningCommand[] = [];
afterEach(async () => {
  for (const { process, ended } of running.splice(0)) {
    process.kill('SIGTERM');
    await ended;
  }
});

function start(...args: readonly string[]): RunningCommand {
  const started = command('bin/start.ts', ['--port', '0', ...args]);
  running.push(started);
  return started;
}

interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly ownerToken: string;
  readonly businessId: number;
  readonly timeZone: string;
  readonly services: readonly { readonly id: number; readonly name: string }[];
  readonly staff: readonly { readonly id: number; readonly name: string }[];
}

async function readyOf(started: RunningCommand): Promise<Ready> {
  const [line] = await started.waitForOutput('stdout', /^.*\n/);
  return JSON.parse(line);
}

async function childrenOf(pid: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => parent === String(pid))
    .map(([child]) => String(child));
}

const isAlive = (pid: string) => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

test('`npm start` with a data folder that another run uses ends with a one-sentence error', async () => {
  const folder = temporaryFolder('start');
  const data = claimDataFolder(folder);
  const { code, stdout, stderr } = await start('--data', folder).ended;
  data.release();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trim().split('\n').at(-1)).toMatch(/^The data folder is used by another local run \(process \d+\)/);
});

test('`npm start -- --json` prints one line with a working API key, and the next start has the same key', async () => {
  const folder = temporaryFolder('start');
  const first = start('--json', '--data', folder);
  const ready = await readyOf(first);
  const response = await fetch(`${ready.baseUrl}/v1/integration/services`, { headers: { 'X-API-Key': ready.apiKey } });
  const listed = (await response.json()) as { data: { id: number }[] };
  expect(response.status).toBe(200);
  expect(listed.data.map(({ id }) => id)).toEqual(ready.services.map(({ id }) => id));
  const keys = await fetch(`${ready.baseUrl}/v1/account/api-keys`, {
    headers: { Authorization: `Bearer ${ready.ownerToken}` },
  });
  expect(await keys.json()).toMatchObject({ data: [{ name: 'Demo key', lastUsedAt: expect.any(String) }], total: 1 });
  expect(ready).toMatchObject({ timeZone: 'Europe/Riga', businessId: expect.any(Number) });
  expect(ready.staff).toHaveLength(4);
  // The owner of the demo comes first, and another one can create a business.
  const issuers = await (await fetch(`${ready.baseUrl}/_local/issuers/`)).json();
  expect(issuers).toMatchObject([{ people: ['owner@salon.example', 'new-owner@salon.example'] }]);

  const children = await childrenOf(first.process.pid ?? 0);
  first.process.kill('SIGINT');
  const { code, stdout } = await first.ended;
  expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 1 });
  await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), { timeout: 60_000 });

  expect((await readyOf(start('--json', '--data', folder))).apiKey).toBe(ready.apiKey);
});

test.each([
  ['the start of the emulators', /emulator runs/],
  ['the writes of the demo', /writing the demo business/],
])('Ctrl-C during %s ends `npm start` with exit code 0 and leaves no process', async (_, line) => {
  const starting = start();
  await starting.waitForOutput('stderr', /emulator runs/);
  const children = await childrenOf(starting.process.pid ?? 0);
  await starting.waitForOutput('stderr', line);
  starting.process.kill('SIGINT');
  const { code, stdout, stderr } = await starting.ended;
  expect(code).toBe(0);
  // A late signal stops a run that is already ready.
  expect(stdout === '').toBe(!stderr.includes('ready'));
  expect(stderr).not.toContain('Error');
  await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), { timeout: 60_000 });
});
