/**
 * What takes long and is the same for all files of a test run: the first file that needs it makes it, the others wait for
 * it. `vitest.config.ts` names this file as its global setup, which only chooses the folder.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bundles, bundleFunctions } from '../../lib/bundle.ts';
import { synthesise } from '../../local/booking/synthesis.ts';

const variable = 'TEST_ASSEMBLY_FOLDER';
const deadlineMs = 120_000;

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'booking-assembly-'));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The folder of the app with its real functions. */
export function sharedAssembly(): Promise<string> {
  return shared('assembly', (folder) => synthesise(folder, { signal: AbortSignal.timeout(deadlineMs) }));
}

/** The real functions, bundled as they are deployed, or those of another folder. */
export async function sharedBundles(name = 'bundles', functionsFolder?: () => string): Promise<Bundles> {
  const folder = await shared(name, async (outputFolder) => {
    const bundles = await bundleFunctions({
      outputFolder,
      ...(functionsFolder && { functionsFolder: functionsFolder() }),
    });
    writeFileSync(join(outputFolder, 'bundles.json'), JSON.stringify([...bundles]));
  });
  return new Map(JSON.parse(readFileSync(join(folder, 'bundles.json'), 'utf8')));
}

/** The folder that `make` fills, once in this test run for each name. */
export async function shared(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const parent = process.env[variable];
  if (!parent) throw new Error('The global setup of vitest.config.ts has not run.');
  const folder = join(parent, name);
  const [ready, failed] = [`${folder}.ready`, `${folder}.failed`];
  if (claim(`${folder}.claimed`)) {
    try {
      await make(folder);
      writeFileSync(ready, '');
    } catch (error) {
      writeFileSync(failed, '');
      throw error;
    }
  }
  const deadline = performance.now() + deadlineMs;
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error(`Another test file could not make ${name}.`);
    if (performance.now() > deadline) throw new Error(`Another test file did not make ${name} in time.`);
    await pause(50);
  }
  return folder;
}

/** Making a folder succeeds for exactly one of many. */
function claim(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
