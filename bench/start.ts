/**
 * `npm run bench -- start`: the waiting times of a contributor. Measures two times. The first begins with `npm start`,
 * with nothing changed since the last start, and ends when the API responds with the demo business. The second, with
 * `--watch`, begins with an edit of a file that nineteen functions import, and ends when a response shows the edit. It
 * edits a copy of the project.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, type RunningCommand } from '../test/support/command.ts';
import { copyProject, editedFile, withBusinessName } from '../test/support/project-copy.ts';
import type { Row } from './row.ts';
import { median, type Size } from './turns.ts';

const roundsOf: Readonly<Record<Size, number>> = { full: 5, tiny: 1 };
/** The pause between requests, so that the 60 per minute of a key are enough. */
const lookEveryMs = 100;

interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export async function bench(size: Size): Promise<Row[]> {
  const project = await copyProject();
  try {
    const start = async (flags: readonly string[] = []) => {
      const began = performance.now();
      const running = command('bin/start.ts', ['--port', '0', '--json', ...flags], { folder: project.folder });
      const [line] = await running.waitForOutput('stdout', /^.*\n/);
      const [ready, ms] = [JSON.parse(line) as Ready, performance.now() - began];
      const { status } = await fetch(`${ready.baseUrl}/docs/`);
      if (status !== 200) throw new Error(`A start without its pages was measured: /docs/ answers ${status}.`);
      return { running, ready, ms };
    };
    // The first start builds, which is not measured.
    if (size === 'full') await stop((await start()).running);
    const again: number[] = [];
    for (let i = 0; i < roundsOf[size]; i++) {
      const { running, ms } = await start();
      again.push(ms);
      await stop(running);
    }
    const { running, ready } = await start(['--watch']);
    const edits = await editsOf(join(project.folder, editedFile), ready, roundsOf[size]).finally(() => stop(running));
    return [
      { name: 'npm start when nothing has changed, fastest', value: Math.min(...again), unit: 'ms' },
      goal('npm start when nothing has changed, median', median(again), 2_000),
      { name: 'npm start -- --watch, from an edit to its effect, fastest', value: Math.min(...edits), unit: 'ms' },
      goal('npm start -- --watch, from an edit to its effect, median', median(edits), 1_000),
    ];
  } finally {
    await project.remove();
  }
}

function goal(name: string, value: number, ms: number): Row {
  return { name, value, unit: 'ms', goal: `≤ ${ms} ms`, met: value <= ms };
}

async function stop({ process, ended }: RunningCommand): Promise<void> {
  process.kill('SIGTERM');
  await ended;
}

/** The first edit starts the requested function. */
async function editsOf(file: string, { baseUrl, apiKey }: Ready, count: number): Promise<number[]> {
  const before = await readFile(file, 'utf8');
  const nameNow = async () => {
    const response = await fetch(`${baseUrl}/v1/integration/business`, { headers: { 'X-API-Key': apiKey } });
    return ((await response.json()) as { name?: string }).name;
  };
  await nameNow();
  const took: number[] = [];
  for (let i = 0; i < count; i++) {
    await writeFile(file, withBusinessName(before, `'Edit ${i}'`));
    const began = performance.now();
    const deadline = began + 30_000;
    while ((await nameNow()) !== `Edit ${i}`) {
      if (performance.now() > deadline) throw new Error('An edit did not become live');
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    took.push(performance.now() - began);
  }
  return took;
}
