/**
 * Provides slow results that all files of a test run share: the first file that needs one creates it, the others wait.
 * `vitest.config.ts` uses this file as its global setup, which chooses the folder and starts the synthesiser.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { generateTypes } from '../../bin/generate/types.ts';
import { type Bundles, bundleFunctions } from '../../lib/bundle.ts';
import { synthesise } from '../../local/synthesis.ts';
import type { SynthesisRequest, SynthesisResult } from './synthesiser.ts';

const variable = 'TEST_ASSEMBLY_FOLDER';
const portVariable = 'TEST_SYNTHESISER_PORT';
/** Creating a result takes twenty seconds on an idle machine, and minutes on a busy one. */
const deadlineMs = 540_000;

export async function setup(): Promise<() => Promise<void>> {
  await generateTypes();
  const folder = mkdtempSync(join(tmpdir(), 'booking-assembly-'));
  const synthesiser = fork(new URL('synthesiser.ts', import.meta.url), [join(folder, 'apps')]);
  const ended = once(synthesiser, 'exit');
  const [port] = await Promise.race([once(synthesiser, 'message'), ended.then(() => [])]);
  if (port === undefined) throw new Error('The process that synthesises the app has ended before it began.');
  process.env[variable] = folder;
  process.env[portVariable] = String(port);
  return async () => {
    if (synthesiser.connected) synthesiser.disconnect();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The folder of the app with stub handlers, or the reason why it cannot be synthesised. */
export async function synthesisedFolder(request: SynthesisRequest): Promise<SynthesisResult> {
  const response = await fetch(`http://127.0.0.1:${setUp(portVariable)}`, {
    method: 'POST',
    body: JSON.stringify(request),
  });
  return (await response.json()) as SynthesisResult;
}

/** The folder of the app with its real functions. */
export function sharedAssembly(): Promise<string> {
  return shared('assembly', (folder) => synthesise(folder, { signal: AbortSignal.timeout(deadlineMs) }));
}

/** The real functions, bundled as they are deployed. */
export async function sharedBundles(): Promise<Bundles> {
  const folder = await shared('bundles', async (outputFolder) => {
    const bundles = await bundleFunctions(outputFolder);
    writeFileSync(join(outputFolder, 'bundles.json'), JSON.stringify([...bundles]));
  });
  return new Map(JSON.parse(readFileSync(join(folder, 'bundles.json'), 'utf8')));
}

/** The folder that `make` fills, once per test run for each name. */
async function shared(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(setUp(variable), name);
  const [ready, failed] = [`${folder}.ready`, `${folder}.failed`];
  if (claim(`${folder}.claimed`)) {
    try {
      await make(folder);
      writeFileSync(ready, '');
    } catch (error) {
      writeFileSync(failed, String(error));
      throw error;
    }
  }
  const deadline = performance.now() + deadlineMs;
  while (!existsSync(ready)) {
    if (existsSync(failed))
      throw new Error(`Another test file could not make ${name}: ${readFileSync(failed, 'utf8')}`);
    if (performance.now() > deadline) throw new Error(`Another test file did not make ${name} in time.`);
    await pause(50);
  }
  return folder;
}

function setUp(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error('The global setup of vitest.config.ts has not run.');
  return value;
}

/** Creating the folder succeeds for exactly one of many callers. */
function claim(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
