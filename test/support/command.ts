/** Runs a command of the project in its own process, as a user would. */
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
  /** Resolves with the first match in the output; rejects when the command ends without a match. */
  waitForOutput(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
}

export interface CommandOptions {
  readonly input?: string | undefined;
  /** Variables that are added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory, by default the project's. */
  readonly folder?: string;
  /** The program that runs the file, by default Node.js. */
  readonly interpreter?: string;
}

/** `command('bin/receiver.ts', ['--port', '0'])` */
export function command(file: string, args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { input = '', env = {}, folder = root, interpreter = process.execPath } = options;
  const child = spawn(interpreter, [file, ...args], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Half the time of a start is spent on compiling the same files again.
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
  // A command that ends before it has read its input closes the pipe, which is no error of a test.
  child.stdin.on('error', () => undefined).end(input);

  return {
    process: child,
    ended,
    waitForOutput: (stream, pattern) =>
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
