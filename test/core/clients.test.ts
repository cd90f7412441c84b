/** The AWS clients: their configuration, and calls without a response, which are sent by the client of a bundle. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { isUnavailable } from '../../core/http/errors.ts';
import { bundleOptions } from '../../lib/bundle.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { temporaryFolder } from '../support/synthesised.ts';

/** A half-open connection: data sent on it arrives nowhere, without an error. */
let silentRequests = 0;
let received = 0;
let server: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((_, response) => {
    received += 1;
    if (received <= silentRequests) return;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ Item: { pk: { S: 'a' } } }));
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = 0;
  // Each test creates new clients.
  vi.resetModules();
  vi.stubEnv('REQUEST_TIMEOUT_MS', '900');
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const imported = async () => (await import('../../core/clients.ts')).dynamo();

async function bundled(): Promise<DynamoDBDocumentClient> {
  const outfile = join(temporaryFolder('clients'), 'clients.mjs');
  const { outExtension: _, ...options } = bundleOptions;
  await build({
    ...options,
    absWorkingDir: projectFolder,
    entryPoints: [join(projectFolder, 'core/clients.ts')],
    outfile,
  });
  return ((await import(pathToFileURL(outfile).href)) as { dynamo: () => DynamoDBDocumentClient }).dynamo();
}
const get = new GetCommand({ TableName: 'table', Key: { pk: 'a' } });

test('An AWS SDK client repeats a call on other connections if a connection stops responding, and gives up after three', async () => {
  silentRequests = 3;
  const client = await bundled();
  const error = await client.send(get).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'TimeoutError' });
  expect(isUnavailable(error)).toBe(true);
  expect(received).toBe(3);
  // Only the next connection stops responding.
  silentRequests = 4;
  expect(await client.send(get)).toMatchObject({ Item: { pk: 'a' } });
  expect(received).toBe(5);
});

const Key = { pk: 'a' };
const put = (Item: object = Key) => new PutCommand({ TableName: 'table', Item: { ...Key, ...Item } });

test.each([
  ['DynamoDB', 'dynamo'],
  ['SQS', 'sqs'],
  ['EventBridge', 'eventBridge'],
] as const)(
  'A Lambda function creates a single AWS SDK client for %s, which tries each call at most three times',
  async (_, name) => {
    const built = await import('../../core/clients.ts');
    expect(built[name]()).toBe(built[name]());
    expect(await built[name]().config.maxAttempts()).toBe(3);
    const steps = built[name]().middlewareStack.identify().join('\n');
    expect(steps).toContain('retryMiddleware');
    expect(steps).not.toContain('logger');
  },
);

test('An AWS SDK client is configured to connect within a third of the request time-out, and to throw on a time-out', async () => {
  silentRequests = 0;
  for (const [stubbed, timeout] of [
    ['', 3_000],
    ['900', 900],
  ] as const) {
    vi.resetModules();
    vi.stubEnv('REQUEST_TIMEOUT_MS', stubbed);
    const client = await imported();
    await client.send(put({ left: undefined, within: { left: undefined } }));
    const { requestHandler } = client.config as { requestHandler: { httpHandlerConfigs?(): object } };
    expect(requestHandler.httpHandlerConfigs?.()).toMatchObject({
      connectionTimeout: timeout / 3,
      requestTimeout: timeout,
      throwOnRequestTimeout: true,
    });
  }
});

const retryAfter = expect.objectContaining({ retryAfter: 1 });
const timeIsUp = expect.objectContaining({ code: 'temporarily_unavailable', extras: retryAfter });

test('After the deadline of an API request, an AWS SDK client still makes read calls but starts no write call', async () => {
  silentRequests = 0;
  // No attempt of a slow machine times out.
  vi.stubEnv('REQUEST_TIMEOUT_MS', '60000');
  const client = await imported();
  const { writingUntil } = await import('../../core/time-left.ts');
  await writingUntil(0, async () => {
    await client.send(new GetCommand({ TableName: 'table', Key }));
    await client.send(new QueryCommand({ TableName: 'table', KeyConditionExpression: 'pk = :a' }));
    await client.send(new BatchGetCommand({ RequestItems: { table: { Keys: [Key] } } }));
    expect(received).toBe(3);
    await expect(client.send(put())).rejects.toThrow(timeIsUp);
  });
  expect(received).toBe(3);
});

test('After the deadline of an API request, an AWS SDK client does not retry a write call', async () => {
  silentRequests = Number.POSITIVE_INFINITY;
  const client = await imported();
  const { writingUntil } = await import('../../core/time-left.ts');
  const { setRuntime } = await import('../../core/clock.ts');
  onTestFinished(() => setRuntime());
  // The deadline passes when the first attempt arrives.
  setRuntime({ now: () => received });
  await expect(writingUntil(1, () => client.send(put()))).rejects.toThrow(timeIsUp);
  expect(received).toBe(1);
});
