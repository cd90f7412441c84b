/** Common parts of this project's commands: checked flags, one clear sentence for an error, and an orderly end. */
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The command was called incorrectly. The message is one sentence for the caller. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Flags<T extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T; strict: true; allowPositionals: false } & ParseArgsConfig>
>['values'];

/** The caller has asked for the help. */
class HelpRequest extends Error {}

/**
 * Reads the flags. With `--help` or `-h`, the command ends and prints `help`. Throws a `UsageError` for an unknown
 * flag, a flag without its value, and any other argument.
 */
export function readFlags<const T extends ParseArgsOptionsConfig>(
  help: string,
  args: readonly string[],
  options: T,
): Flags<T> {
  return readFlagsAndNames(help, args, options, false).flags;
}

/** Reads the flags of a command that also takes names before or after its flags. */
export function readFlagsAndNames<const T extends ParseArgsOptionsConfig>(
  help: string,
  args: readonly string[],
  options: T,
  allowPositionals = true,
): { readonly flags: Flags<T>; readonly names: readonly string[] } {
  try {
    const all = { ...options, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options: all, strict: true, allowPositionals });
    if ((values as { help?: boolean }).help) throw new HelpRequest(help);
    return { flags: values as Flags<T>, names: positionals };
  } catch (error) {
    if (error instanceof HelpRequest) throw error;
    const [sentence = 'The flags cannot be read'] = String((error as Error).message).split(/\.(?:\s|$)/);
    const dashed = /^Option '(\S+)' argument is ambiguous/.exec(sentence)?.[1];
    throw new UsageError(
      dashed ? `${dashed} needs a value; write one that begins with a dash as ${dashed}=….` : `${sentence}.`,
    );
  }
}

/** Returns the number of a flag, within its bounds. */
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
 * Runs a command. An incorrect call ends with exit code 2, and any other error with 1, each with one sentence on
 * stderr. A bug also prints its stack.
 */
export async function runCommand(command: (args: readonly string[]) => Promise<void>): Promise<void> {
  failOnLostOutput();
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    if (error instanceof HelpRequest) return console.log(error.message);
    if (isOfAws(error)) {
      // If all addresses of a host refuse the connection, the error has a code and no message.
      console.error(`${error.name}: ${error.message || error.code}`);
      process.exit(1);
    }
    const expected = error instanceof Error && (error.name === 'Error' || error instanceof UsageError);
    const hint = error instanceof UsageError ? ' See --help.' : hintOf(String(error));
    console.error(expected ? `${error.message}${hint}` : error);
    // The first line is repeated below a long stack, where it is easy to see.
    if (!expected && error instanceof Error) console.error(`\n${error.name}: ${error.message}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

/** `console.log` ignores errors. A closed pipe (`| head`) is not an error. */
function failOnLostOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    console.error(`The output is incomplete: ${error.message}.`);
    process.exitCode = 1;
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });
}

/** Whether an AWS service has refused a request, or no credentials were found for it. Its stack shows only the SDK. */
function isOfAws(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && ('$metadata' in error || error.name === 'CredentialsProviderError');
}

const diskFull = 'The disk is full: free some space and try again.';

/** The file system reports a full disk with a code, and SQLite in words. A process started by this one may report it. */
function hintOf(error: string): string {
  return /ENOSPC|disk is full/.test(error) && !error.includes(diskFull) ? `\n${diskFull}` : '';
}

/** Returns a clear error for an error of `listen`. */
export function portError(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is already in use: choose another one with --port.`);
  if (code === 'EACCES') return new Error(`Port ${port} may not be used by this user: choose one above 1023.`);
  return error;
}

/** npm forwards the Ctrl-C that the terminal has already sent, so one key press arrives twice within moments. */
const sameKeyPressMs = 500;
const lookForNpmMs = 500;
/** Read at the start, before npm can end. */
const parent = process.ppid;

/**
 * Calls `end` when the npm that started this command has ended: at SIGTERM npm ends only its shell. To stop watching,
 * clear the returned interval.
 */
export function onNpmEnd(end: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    end();
  }, lookForNpmMs).unref();
  return looking;
}

/**
 * Resolves at Ctrl-C (SIGINT) or SIGTERM, and when the npm that started the command has ended. A later signal ends the
 * process immediately, for callers who do not want to wait for an orderly end.
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
    // This is not a second signal: a supervisor that ends the whole group sends the same one to npm and this process.
    onNpmEnd(end);
  });
}
