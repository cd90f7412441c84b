import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamoEmulator } from '../src/dynamodb-emulator.ts';
import { findProgram, programs } from '../src/dynamodb-programs.ts';
import { startCloud } from '../src/start-cloud.ts';

const program = { command: 'x', host: () => '127.0.0.1', args: () => [] };

test('A local run uses the first DynamoDB emulator that runs on this machine, or explains what the requested one needs', async () => {
  const none = async () => undefined;
  expect(await findProgram({ none, some: async () => program })).toBe(program);
  await expect(findProgram({ none }, 'none')).rejects.toThrow(/^The DynamoDB emulator none does not run on \S+: /);
});

test('A local run uses the DynamoDB emulator that is requested by name, and refuses an unknown name', async () => {
  const [first, second] = ['a', 'b'].map((command) => ({ ...program, command }));
  const table = { first: async () => first, second: async () => second };
  expect(await findProgram(table, 'second')).toBe(second);
  await expect(findProgram(table, 'third')).rejects.toThrow('must be one of first, second');
});

test('If the DynamoDB emulator cannot start, a local run reports this at once, even during the CDK synthesis', async () => {
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

test("If the DynamoDB emulator exits at its start, the error of the local run contains the emulator's output", async () => {
  const failing = { ...program, command: process.execPath, args: () => ['-e', 'console.error("no disk")'] };
  await expect(startDynamoEmulator({ program: failing })).rejects.toThrow(
    'The DynamoDB emulator did not start: no disk',
  );
});

test('The emulator with tables in memory keeps serving after a client breaks off a request', async () => {
  const program = await findProgram({ memory: programs.memory }, 'memory');
  const { url, client, stop } = await startDynamoEmulator({ program });
  onTestFinished(stop);
  const answers = async () => (await client.raw('DynamoDB_20120810.ListTables', Buffer.from('{}'))).status;
  const broken = request(url, { method: 'POST', headers: { 'content-length': 100 } });
  const closed = new Promise((resolve) => broken.on('error', () => undefined).on('close', resolve));
  broken.write('{');
  await once(broken, 'socket');
  expect(await answers()).toBe(200);
  broken.destroy();
  await closed;
  expect([await answers(), await answers()]).toEqual([200, 200]);
});

test('If the DynamoDB emulator ends during a run, its last output is reported, unless the run stopped it', async () => {
  const program = await findProgram({ memory: programs.memory }, 'memory');
  const ends: string[] = [];
  const endings = Promise.withResolvers<void>();
  const onEnd = (reason: string) => {
    ends.push(reason);
    endings.resolve();
  };
  const stopped = await startDynamoEmulator({ program, onEnd });
  await stopped.stop();
  expect(ends).toEqual([]);
  // The second emulator ends itself when it gets this request.
  const code = `require('node:http').createServer((incoming, outgoing) => {
    if (incoming.url === '/end') { console.error('no memory'); process.exit(1); }
    outgoing.end('{}');
  }).listen(process.argv[1], process.argv[2])`;
  const args = (host: string, port: number) => ['-e', code, String(port), host];
  const { url, stop } = await startDynamoEmulator({ program: { ...program, command: process.execPath, args }, onEnd });
  onTestFinished(stop);
  await fetch(`${url}/end`).catch(() => undefined);
  await endings.promise;
  expect(ends).toEqual(['no memory']);
});
