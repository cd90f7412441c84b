/** Runs a command of the project in a process of its own, as a person would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compileCache = join(root, '.build', 'compile-cache');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  /** Resolves with the match as soon as what was said so far holds one; rejects when the command ends without. */
  said(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
}

export interface CommandOptions {
  /** All there is on its stdin. */
  readonly input?: string | undefined;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the project. */
  readonly folder?: string;
}

/** `command('bin/receiver.ts', ['--port', '0'])` */
export function command(file: string, args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { input = '', env = {}, folder = root } = options;
  // Node 24.0, which is what Macs with an Apple chip get, warns of what later ones call stable.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Half the work of a start is to read the same files again.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
  });
  const output = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      for (const look of waiting) look();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
  child.stdin.end(input);

  return {
    process: child,
    ended,
    said: (stream, pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output[stream]);
          if (!match) return;
          waiting.delete(look);
          resolve(match);
        };
        waiting.add(look);
        look();
        ended.then(
          ({ stderr }) => reject(new Error(`${file} ended without saying ${pattern}. It said: ${stderr}`)),
          reject,
        );
      }),
  };
}
