/** The programs that npm put into `node_modules/.bin`, and how they end. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

/** In this terminal, with this environment, unless `options` say otherwise. */
export function startTool(name: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  // On Windows most of them are scripts of the shell.
  return spawn(name, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options });
}

/** Rejects when it could not be started. One that was killed ends with 1. */
export function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
