/**
 * One cloud assembly for all files of a test run: the first file that needs it synthesises, the others wait for it.
 * `vitest.config.ts` names this file as its global setup, which only chooses the folder.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { synthesise } from '../../local/booking/synthesis.ts';

const variable = 'TEST_ASSEMBLY_FOLDER';
const deadlineMs = 120_000;

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'booking-assembly-'));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The folder of the assembly, synthesised once in this test run. */
export async function sharedAssembly(): Promise<string> {
  const folder = process.env[variable];
  if (!folder) throw new Error('The global setup of vitest.config.ts has not run.');
  const assembly = join(folder, 'cdk.out');
  const ready = join(folder, 'ready');
  const failed = join(folder, 'failed');
  if (claim(join(folder, 'claimed'))) {
    try {
      await synthesise(assembly, { signal: AbortSignal.timeout(deadlineMs) });
      writeFileSync(ready, '');
    } catch (error) {
      writeFileSync(failed, '');
      throw error;
    }
  }
  const deadline = performance.now() + deadlineMs;
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error('Another test file could not synthesise the app.');
    if (performance.now() > deadline) throw new Error('The app was not synthesised in time.');
    await pause(50);
  }
  return assembly;
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
