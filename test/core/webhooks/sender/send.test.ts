import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Connector } from '../../../../core/webhooks/sender/dial.ts';
import type { Resolver } from '../../../../core/webhooks/sender/resolve.ts';
import type { SenderParts } from '../../../../core/webhooks/sender/send.ts';
import { afterRequest, post as postTo, rawReceiver, refuses } from './receivers.ts';

const post = (url: string, parts: SenderParts = {}) => postTo(url, undefined, parts);

test.each([
  ['https://hooks.example.com/', 'port 443 of the address that DNS returns', ['93.184.216.34 443']],
  ['https://hooks.example.com:8443/', 'port 8443 of the address that DNS returns', ['93.184.216.34 8443']],
  ['http://localhost:4444/', 'port 4444 of 127.0.0.1 and, if that fails, of ::1', ['127.0.0.1 4444', '::1 4444']],
  ['http://127.0.0.1:4444/', 'port 4444 of 127.0.0.1', ['127.0.0.1 4444']],
  ['http://localhost/', 'no address', []],
  ['http://[::1]:4444/', 'port 4444 of ::1', ['::1 4444']],
])('A message to the webhook URL %s is sent to %s', async (url, _, expected) => {
  const dialled: string[] = [];
  const connector: Connector = (address, port) => {
    dialled.push(`${address} ${port}`);
    return refuses('ECONNREFUSED');
  };
  await post(url, { connector, resolver: async () => ['93.184.216.34'] });
  expect(dialled).toEqual(expected);
});

test("An attempt fails with `timeout` if the host's first address does not respond and the second refuses connections", async () => {
  const silent = '93.184.216.34';
  const connector: Connector = (address) => (address === silent ? new Socket() : refuses('ECONNREFUSED'));
  const resolver = async () => [silent, '93.184.216.35'];
  expect(await post('https://hooks.example.com/', { connector, resolver, timeoutMs: 400 })).toMatchObject({
    errorCode: 'timeout',
    message: 'The connection timed out.',
  });
});

test('If no DNS server responds, a delivery attempt ends within its time limit and does not count as a fault of the receiver', async () => {
  let isCancelled = false;
  const resolver: Resolver = (_, signal) => {
    signal.addEventListener('abort', () => {
      isCancelled = true;
    });
    return new Promise(() => {});
  };
  expect(await post('https://hooks.example.com/', { resolver, timeoutMs: 400 })).toMatchObject({
    errorCode: 'dns_error',
    platformFault: true,
  });
  expect(isCancelled).toBe(true);
});

test('Two attempts whose connections the receiver closes while they are being opened both fail with `connect_error`', async () => {
  const opening: Socket[] = [];
  const connector: Connector = () => {
    const socket = new Socket();
    opening.push(socket);
    if (opening.length === 2) for (const one of opening) setImmediate(() => one.destroy());
    return socket;
  };
  const resolver = async () => ['93.184.216.34'];
  const attempt = () => post('https://hooks.example.com/', { connector, resolver, timeoutMs: 2_000 });
  const failed = {
    errorCode: 'connect_error',
    message: 'The connection could not be established.',
    platformFault: false,
  };
  expect(await Promise.all([attempt(), attempt()])).toMatchObject([failed, failed]);
});

test('The record of a delivery attempt contains how long the receiver took to respond', async () => {
  const late = afterRequest((socket) => setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 50));
  const { port } = await rawReceiver(late);
  const outcome = await post(`http://localhost:${port}/`);
  expect('timeMs' in outcome && outcome.timeMs).toBeGreaterThanOrEqual(45);
});
