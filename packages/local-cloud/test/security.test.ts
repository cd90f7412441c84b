/** What another user of this machine, or a web page in its browser, gets from a local run: nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { claimDataFolder } from '../src/data-folder.ts';
import { startDynamoEmulator } from '../src/dynamodb-emulator.ts';
import { emulatorHost } from '../src/dynamodb-programs.ts';
import type { GatewayAnswer } from '../src/http-event.ts';
import { startHttpServer } from '../src/http-server.ts';
import type { LocalLog } from '../src/log.ts';
import { type Cloud, startCloud } from '../src/start-cloud.ts';
import { adminClient, fixtureAssembly, started, temporaryFolder } from './fixture-assembly.ts';

const assembly = fixtureAssembly();

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startCloud({ assembly });
});
afterAll(() => cloud.stop());

interface Received {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** `fetch` would not send a `Host` of ours. */
function send(url: string, headers: Record<string, string>, method = 'POST'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, async (incoming) =>
      resolve({ status: incoming.statusCode ?? 0, body: await text(incoming), headers: incoming.headers }),
    );
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' ? '{}' : undefined);
  });
}

/** `ListTables` as the administrator, with other headers. */
function listTables(url: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Received> {
  const credential = `Credential=${cloud.adminAccessKeyId}/20240101/us-east-1/dynamodb/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`;
  return send(url, { 'x-amz-target': 'DynamoDB_20120810.ListTables', authorization, ...headers }, method);
}

describe('the HTTP port', () => {
  const ask = async (host: string) => (await send(`${cloud.baseUrl}/to/asked/put`, { host })).status;

  test.each(['127.0.0.1:1', 'localhost', 'LOCALHOST:5173', '[::1]:80'])(
    'The HTTP port of a local run answers a request for the host %s',
    async (host) => {
      expect(await ask(host)).toBe(200);
    },
  );

  test.each([
    'rebound.example',
    'rebound.example:{port}',
    'localhost.rebound.example',
    '127.0.0.1.nip.io',
    '127.0.0.1@rebound.example',
  ])(
    'The HTTP port of a local run refuses the Host header %s, which a DNS rebinding attack would send',
    async (host) => {
      expect(await ask(host.replace('{port}', new URL(cloud.baseUrl).port))).toBe(403);
    },
  );

  test('If a function returns an invalid status in a local run, the caller gets a 500, and the next request is served', async () => {
    const log = { write: () => undefined } as unknown as LocalLog;
    const server = await startHttpServer(0, log);
    onTestFinished(() => server.stop());
    const broken = { status: undefined, headers: {}, cookies: [], body: undefined } as unknown as GatewayAnswer;
    let isBroken = true;
    server.serve({ answer: async () => (isBroken ? broken : { ...broken, status: 204, body: Buffer.alloc(0) }) });
    expect((await fetch(server.url)).status).toBe(500);
    isBroken = false;
    expect((await fetch(server.url)).status).toBe(204);
  });
});

describe('the AWS endpoint', () => {
  test('The local AWS endpoint answers a program on this machine that has a valid access key id', async () => {
    expect(await listTables(cloud.awsEndpoint)).toMatchObject({ status: 200, body: '{"TableNames":["App-Items"]}' });
  });

  test.each([
    ['the origin of a web page', { origin: 'https://page.example' }],
    ['the origin of a web page on this machine', { origin: 'http://127.0.0.1:3000' }],
    ['the origin null of a sandboxed page', { origin: 'null' }],
    ['the Host of a DNS rebinding attack', { host: 'rebound.example' }],
    ['the Host of a DNS rebinding attack and the right port', { host: 'rebound.example:{port}' }],
    ['the Host of another port', { host: '127.0.0.1:1' }],
  ])('The local AWS endpoint refuses a request with %s, even with a valid access key id', async (_, headers) => {
    const { port } = new URL(cloud.awsEndpoint);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('{port}', port)]),
    );
    const answer = await listTables(cloud.awsEndpoint, sent);
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('App-Items');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('The local AWS endpoint refuses the preflight request of a web page', async () => {
    const answer = await listTables(cloud.awsEndpoint, { origin: 'https://page.example' }, 'OPTIONS');
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('The local AWS endpoint refuses access key ids that can be guessed', async () => {
    for (const accessKeyId of ['ADMIN', 'admin', 'local', 'App-Api', '']) {
      const client = adminClient(DynamoDBClient, { ...cloud, adminAccessKeyId: accessKeyId || ' ' });
      await expect(client.send(new ListTablesCommand({}))).rejects.toThrow('security token');
    }
  });

  test('A function that calls an unsupported AWS service reaches only the local endpoint, and the log names the service', async () => {
    const text = 'The local run does not support the service sns.';
    for (const { name: functionName, environment } of cloud.resources.functions) {
      const credential = `Credential=${environment.AWS_ACCESS_KEY_ID}/20260101/us-east-1/sns/aws4_request`;
      const answer = await send(environment.AWS_ENDPOINT_URL ?? 'none', { authorization: credential });
      expect(answer.body).toContain(text);
      expect(cloud.log.lines).toContainEqual({ kind: 'denied', functionName, text });
    }
  });

  test('The administrator and the functions of a local run get new access key ids at each start', async () => {
    const other = await started({ assembly });
    const ids = ({ adminAccessKeyId, resources: { functions } }: Cloud) => [
      adminAccessKeyId,
      ...functions.map(({ environment }) => environment.AWS_ACCESS_KEY_ID),
    ];
    expect(new Set([...ids(cloud), ...ids(other)]).size).toBe(2 * ids(cloud).length);
  });
});

describe('the DynamoDB emulator', () => {
  test.runIf(process.platform === 'linux')(
    'The DynamoDB emulator does not listen at 127.0.0.1, where a web page would look for it',
    async () => {
      const emulator = await startDynamoEmulator({});
      onTestFinished(() => emulator.stop());
      const { hostname, port } = new URL(emulator.url);
      expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
      await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
      await expect(fetch(`http://localhost:${port}`)).rejects.toThrow();
    },
  );

  test('The DynamoDB emulator gets a random loopback address at each start', () => {
    const drawn = Array.from({ length: 50 }, () => emulatorHost('linux'));
    expect(new Set(drawn).size).toBeGreaterThan(45);
    for (const host of drawn) expect(host).toMatch(/^127\.\d{1,3}\.\d{1,3}\.([1-9]\d{0,2})$/);
    expect(emulatorHost('darwin')).toBe('127.0.0.1');
  });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the data folder', () => {
  test('Only the user who starts a local run can read its data folder and its data files, even if they existed before', async () => {
    const folder = temporaryFolder();
    for (const name of ['dynamodb.sqlite', 'fauxqs.db', 'stream-checkpoints.json', 'local-run.pid']) {
      writeFileSync(join(folder, name), '', { mode: 0o644 });
    }
    writeFileSync(join(folder, 'notes.txt'), 'not ours', { mode: 0o644 });
    chmodSync(folder, 0o755);
    const cloud = await startCloud({ assembly, dataDir: folder });
    await fetch(`${cloud.baseUrl}/to/wanted-1/put`, { method: 'POST' });
    const modes = readdirSync(folder)
      .filter((name) => name !== 'notes.txt')
      .map((name) => `${name} ${modeOf(join(folder, name))}`);
    await cloud.stop();
    expect(modes.length).toBeGreaterThan(4);
    expect(modes.filter((line) => !line.endsWith(' 600'))).toEqual([]);
    expect(modeOf(folder)).toBe('700');
    expect(modeOf(join(folder, 'notes.txt'))).toBe('644');
  });

  test.each(['local-run.pid', 'local-run.lock', 'dynamodb.sqlite', 'fauxqs.db', 'stream-checkpoints.json'])(
    'A local run refuses a data folder in which %s is a symbolic link, and does not change the target of the link',
    async (name) => {
      const folder = temporaryFolder();
      const elsewhere = join(temporaryFolder(), 'victim');
      writeFileSync(elsewhere, 'precious');
      symlinkSync(elsewhere, join(folder, name));
      expect(() => claimDataFolder(folder)).toThrow(`contains a link (${name})`);
      expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
    },
  );

  test.each([
    ['is empty', ''],
    ['contains no number', 'x'],
    ['names a running process that is no local run', String(process.ppid)],
    ['names process 1', '1'],
  ])('A left-over pid file that %s does not block the data folder of a local run', (_, content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'local-run.pid'), content);
    const claimed = claimDataFolder(folder);
    expect(readFileSync(join(folder, 'local-run.pid'), 'utf8')).toBe(String(process.pid));
    claimed.release();
  });

  test('Only one local run at a time can use a data folder; the next can use it after the first has ended', () => {
    const folder = join(temporaryFolder(), 'data');
    mkdirSync(folder);
    const first = claimDataFolder(folder);
    const used = `The data folder is used by another local run (process ${process.pid}): stop it, or choose another folder.`;
    expect(() => claimDataFolder(folder)).toThrow(used);
    first.release();
    claimDataFolder(folder).release();
  });

  test('A data folder can be used again as soon as the local run that used it is killed', async () => {
    const folder = temporaryFolder();
    const program = fileURLToPath(new URL('./fixture/hold-folder.ts', import.meta.url));
    const holder = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(holder, 'close');
    await once(holder.stdout, 'data');
    expect(() => claimDataFolder(folder)).toThrow('used by another local run');
    holder.kill('SIGKILL');
    await ended;
    claimDataFolder(folder).release();
  });
});
