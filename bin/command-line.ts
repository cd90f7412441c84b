/** What the commands of this project have in common: flags that are checked, one clear sentence on an error, an end. */
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The command was called wrongly. Its message is one sentence for the person who called it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Flags<T extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T; strict: true; allowPositionals: false } & ParseArgsConfig>
>['values'];

/** Reads the flags. Throws a `UsageError` at an unknown one, at one without its value, and at anything else. */
export function readFlags<const T extends ParseArgsOptionsConfig>(args: readonly string[], options: T): Flags<T> {
  return parsed(args, options, false).flags;
}

/** The same of a command that takes names beside its flags, before them or after. */
export function readFlagsAndNames<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
): { readonly flags: Flags<T>; readonly names: readonly string[] } {
  return parsed(args, options, true);
}

function parsed<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  allowPositionals: boolean,
): { flags: Flags<T>; names: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals });
    return { flags: values as Flags<T>, names: positionals };
  } catch (error) {
    const [sentence = 'The flags cannot be read'] = String((error as Error).message).split(/\.(?:\s|$)/);
    throw new UsageError(`${sentence}.`);
  }
}

/** The number a flag was given, within its bounds. */
export function numberFlag(
  flag: string,
  value: string,
  bounds: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const number = /^[0-9]+(\.[0-9]+)?$/.test(value) ? Number(value) : Number.NaN;
  const whole = bounds.whole ?? true;
  if (!(number >= bounds.min && number <= bounds.max) || (whole && !Number.isInteger(number))) {
    const kind = whole ? 'a whole number' : 'a number';
    throw new UsageError(`${flag} must be ${kind} from ${bounds.min} to ${bounds.max}, not '${value}'.`);
  }
  return number;
}

/**
 * Runs a command. A wrong call ends with exit code 2 and any other error with 1, each with one sentence on stderr; a
 * bug of ours shows its stack, because a sentence would hide it.
 */
export async function runCommand(command: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    const expected = error instanceof Error && (error.name === 'Error' || error instanceof UsageError);
    const hint = error instanceof UsageError ? ' See --help.' : '';
    console.error(expected ? `${error.message}${hint}` : error);
    // What matters comes last: below a long stack, its first line once more.
    if (!expected && error instanceof Error) console.error(`\n${error.name}: ${error.message}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

/** The sentence for an error of `listen`. */
export function portError(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is already in use: choose another one with --port.`);
  if (code === 'EACCES') return new Error(`Port ${port} may not be used by this user: choose one above 1023.`);
  return error;
}

/** npm passes on the Ctrl-C that the terminal has already sent, so the same one arrives twice within moments. */
const sameKeyPressMs = 500;
const lookForNpmMs = 500;
/** Known before npm may be gone. */
const parent = process.ppid;

/**
 * Resolves at Ctrl-C (SIGINT) or SIGTERM, and when the npm that started the command is gone: at SIGTERM npm ends its shell,
 * and no other process. A signal that comes later ends the process at once, for the person who does not want to wait for
 * an orderly end.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const end = () => {
      first ??= Date.now();
      resolve();
    };
    const onSignal = () => {
      if (first !== undefined && Date.now() - first > sameKeyPressMs) process.exit(1);
      end();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    if (process.env.npm_lifecycle_event === undefined) return;
    const looking = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(looking);
      // Not a second signal: a supervisor that ends the whole group ends npm and this process with the same one.
      end();
    }, lookForNpmMs).unref();
  });
}
