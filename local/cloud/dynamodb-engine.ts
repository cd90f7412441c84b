/** The DynamoDB engine: a native process over SQLite, or any endpoint that speaks DynamoDB. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseFiles } from './data-folder.ts';
import { type EngineClient, engineClient } from './engine-client.ts';

export interface DynamoEngine {
  /** Where it listens. */
  readonly url: string;
  readonly client: EngineClient;
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** An endpoint that runs already. */
  readonly url?: string | undefined;
  readonly dataDir?: string | undefined;
}

const startAttempts = 3;

/**
 * Runs `$0` with its arguments until it ends or the end of stdin: the system closes that pipe even when this process is
 * killed, so that no engine is left behind that would still write to the data folder.
 */
const untilStdinEnds = [
  'exec 3<&0',
  '"$0" "$@" <&- 3<&- & engine=$!',
  '(cat <&3; kill -TERM $engine) >/dev/null 2>&1 & watch=$!',
  'wait $engine; status=$?',
  'kill $watch 2>/dev/null; exit $status',
].join('\n');

export async function startDynamoEngine({ url, dataDir }: EngineOptions): Promise<DynamoEngine> {
  if (url !== undefined) return useEngine(url);
  const binary = await findBinary();
  for (let attempt = 1; ; attempt += 1) {
    const host = engineHost();
    const started = await spawnEngine(binary, host, await freePort(host), dataDir);
    if ('client' in started) return started;
    // Another process may have taken the port between the search and the start.
    if (attempt === startAttempts || !started.reason.includes('in use')) {
      throw new Error(`The DynamoDB engine did not start: ${started.reason}`);
    }
  }
}

async function useEngine(url: string): Promise<DynamoEngine> {
  const client = engineClient(url);
  try {
    await client.raw('DynamoDB_20120810.ListTables', Buffer.from('{}'));
  } catch {
    client.close();
    throw new Error(`No DynamoDB endpoint answers at ${url}.`);
  }
  return { url, client, stop: async () => client.close() };
}

async function findBinary(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const path = fileURLToPath(new URL(`../../node_modules/@dynoxide/${platform}/dynoxide`, import.meta.url));
  try {
    await access(path);
    return path;
  } catch {
    throw new Error(
      `The DynamoDB engine for ${platform} is not installed: run \`npx dynoxide@1.2.1 --port 8000\` in another terminal ` +
        'and start again with DYNAMODB_URL=http://127.0.0.1:8000 (any DynamoDB endpoint will do).',
    );
  }
}

/**
 * The engine asks nobody for a password, and lets every web page read its answers (`Access-Control-Allow-Origin: *`).
 * It cannot be told otherwise, so it listens where no page finds it: at one of the sixteen million loopback addresses
 * that Linux has, at a random port. Other systems have one address.
 */
export function engineHost(platform = process.platform): string {
  return platform === 'linux' ? `127.${[...randomBytes(2), randomInt(1, 255)].join('.')}` : '127.0.0.1';
}

async function spawnEngine(
  binary: string,
  host: string,
  port: number,
  dataDir: string | undefined,
): Promise<DynamoEngine | { reason: string }> {
  const storage = dataDir === undefined ? [] : ['--db-path', join(dataDir, databaseFiles.dynamodb)];
  const child = spawn('sh', ['-c', untilStdinEnds, binary, '--host', host, '--port', String(port), ...storage], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const failure = await new Promise<string | undefined>((resolve) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('listening')) resolve(undefined);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(said.trim() || 'it ended without a word'));
  });
  if (failure !== undefined) return { reason: failure };
  const url = `http://${host}:${port}`;
  const client = engineClient(url);
  return {
    url,
    client,
    stop: async () => {
      client.close();
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await exit;
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
