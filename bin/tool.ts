/** Runs the programs in `node_modules/.bin`, and returns their exit codes. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Starts the program in this terminal, with this environment, unless `options` set another. */
export function startTool(name: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  // On Windows most of them are shell scripts.
  return spawn(name, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options });
}

/** Rejects if it could not be started. A killed program ends with 1. */
export function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Returns arguments for vitest, which runs all tests if none names a file: `usual` are the files then. */
export function withFiles(args: readonly string[], usual: readonly string[]): readonly string[] {
  /** After `-t` comes its value, and after a flag without a value a file. */
  const isFile = (arg: string, i: number) =>
    !arg.startsWith('-') && (!/^-[^=]*$/.test(args[i - 1] ?? '') || existsSync(arg));
  return args.some(isFile) ? args : [...usual, ...args];
}
