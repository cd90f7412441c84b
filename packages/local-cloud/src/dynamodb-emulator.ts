/** The DynamoDB emulator: a program that is started here, or any endpoint with the DynamoDB API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProgram, type Program } from './dynamodb-programs.ts';
import { type EmulatorClient, emulatorClient } from './emulator-client.ts';

export interface DynamoEmulator {
  readonly url: string;
  readonly client: EmulatorClient;
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** An endpoint that already runs. */
  readonly url?: string | undefined;
  readonly dataDir?: string | undefined;
  /** Default: the first program that runs on this machine. */
  readonly program?: Program;
  /** Called with the last output of the program if it ends before it is stopped. */
  readonly onEnd?: (reason: string) => void;
}

const startAttempts = 3;
const pollMs = 20;
/** The last characters of the output that are kept. */
const keptOutput = 4_000;
const keeper = fileURLToPath(new URL('./emulator-keeper.mjs', import.meta.url));

export async function startDynamoEmulator({ url, program, ...options }: EmulatorOptions): Promise<DynamoEmulator> {
  if (url !== undefined) return useEmulator(url);
  const found = program ?? (await findProgram());
  for (let attempt = 1; ; attempt += 1) {
    const started = await startProgram(found, options);
    if ('client' in started) return started;
    // Another process may have taken the port after it was found free.
    if (attempt === startAttempts || !started.reason.includes('in use')) {
      throw new Error(`The DynamoDB emulator did not start: ${started.reason}`);
    }
  }
}

async function useEmulator(url: string): Promise<DynamoEmulator> {
  const client = emulatorClient(url);
  if (await answers(client)) return { url, client, stop: async () => client.close() };
  client.close();
  throw new Error(`No DynamoDB endpoint answers at ${url}.`);
}

async function startProgram(
  program: Program,
  { dataDir, onEnd = () => undefined }: EmulatorOptions,
): Promise<DynamoEmulator | { readonly reason: string }> {
  const host = program.host();
  const port = await freePort(host);
  const child = spawn(process.execPath, [keeper, program.command, ...program.args(host, port, dataDir)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-keptOutput);
    });
  }
  const reason = () => output.trim() || '(no output)';
  const ended = once(child, 'close');
  const url = `http://${host}:${port}`;
  const client = emulatorClient(url);
  const report = () => onEnd(reason());
  const stop = async () => {
    child.off('close', report);
    client.close();
    child.stdin.end();
    await ended;
  };
  while (isRunning(child)) {
    if (await answers(client)) {
      child.once('close', report);
      return { url, client, stop };
    }
    await delay(pollMs);
  }
  await stop();
  return { reason: reason() };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function answers(client: EmulatorClient): Promise<boolean> {
  return client.raw('DynamoDB_20120810.ListTables', Buffer.from('{}')).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function freePort(host: string): Promise<number> {
  await using probe = createServer().listen(0, host);
  await once(probe, 'listening');
  return (probe.address() as AddressInfo).port;
}
