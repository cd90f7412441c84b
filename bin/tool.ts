/** Runs the programs in `node_modules/.bin`, and returns their exit codes. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { onNpmEnd } from './command-line.ts';

/**
 * Starts the program in this terminal, with this environment, unless `options` set another. A signal that ends this
 * process, and the end of its npm, also end the program; on Windows they end only the shell of the program.
 */
export function startTool(name: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  // On Windows most of them are shell scripts.
  const child = spawn(name, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options });
  const end = (signal: NodeJS.Signals) => {
    process.off(signal, end);
    clearInterval(watch);
    // A caller that awaits the exit code must not continue.
    child.removeAllListeners('close').kill(signal);
    // Any other listener still has to stop something, and ends this process itself.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const watch = onNpmEnd(() => end('SIGTERM'));
  process.prependListener('SIGINT', end).prependListener('SIGTERM', end);
  child.once('close', () => {
    process.off('SIGINT', end).off('SIGTERM', end);
    clearInterval(watch);
  });
  return child;
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
