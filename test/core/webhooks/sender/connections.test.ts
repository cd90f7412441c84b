import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { Connector } from '../../../../core/webhooks/sender/dial.ts';
import { type Behaviour, newWebhook, ok, post, rawReceiver, receiver, responds, success, well } from './receivers.ts';

test.each([
  ['http', false],
  ['https', true],
])('A kept-alive connection is reused for the next messages of its webhook over %s', async (scheme, isSecure) => {
  // Slower than the second for which an unused connection is kept. Only local runs use http.
  const slowly: RequestListener = (_, response) => setTimeout(() => response.end('ok'), 1_100);
  const { port, came } = await receiver(
    (...both) => (isSecure && came.length === 2 ? slowly : well)(...both),
    isSecure,
  );
  const webhook = newWebhook();
  for (let i = 0; i < 4; i += 1) {
    const path = i === 3 ? '/another' : '/';
    expect(await post(`${scheme}://localhost:${port}${path}`, webhook)).toMatchObject({ ...success, body: 'ok' });
  }
  expect(came).toEqual([0, 0, 0, 0]);
});

test('A kept-alive connection carries only one webhook message at a time', async () => {
  const { port, came } = await receiver(well);
  const webhook = newWebhook();
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(Array.from({ length: 5 }, () => post(`http://127.0.0.1:${port}/`, webhook)));
  }
  expect(came.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
});

test('A kept-alive connection is never used for another webhook or another host', async () => {
  const { port, came } = await receiver(well);
  const other = await receiver(well);
  const webhook = newWebhook();
  await post(`http://127.0.0.1:${port}/`, webhook);
  await post(`http://127.0.0.1:${port}/`, newWebhook());
  await post(`http://localhost:${port}/`, webhook);
  await post(`http://127.0.0.1:${other.port}/`, webhook);
  await post(`http://127.0.0.1:${port}/`);
  await post(`http://127.0.0.1:${port}/`);
  expect([came, other.came]).toEqual([[0, 1, 2, 3, 4], [0]]);
});

/** Each host name leads to this machine; the sender assumes that it has connected to the host's own address. */
async function senderWithNames(answers: string[][], answer = well) {
  const trap = await receiver(answer, true);
  const dialled: string[] = [];
  const connector: Connector = (address) => {
    dialled.push(address);
    const socket = connect({ host: '127.0.0.1', port: trap.port });
    const family = 'IPv4';
    const claims = (out: object) => Object.assign(out, { address, family, port: 443 }) && 0;
    socket.once('connect', () => Object.assign(handleOf(socket), { getpeername: claims }));
    return socket;
  };
  const webhook = newWebhook();
  const resolver = async () => answers.shift() ?? [];
  const next = () => post('https://hooks.example.com/', webhook, { resolver, connector });
  return { ...trap, dialled, next };
}
const handleOf = (socket: Socket) => (socket as unknown as { _handle: object })._handle;

test('A kept-alive connection is reused while its host still resolves to the same address', async () => {
  const { came, dialled, next } = await senderWithNames([['93.184.216.34'], ['93.184.216.35', '93.184.216.34']]);
  expect([await next(), await next()]).toMatchObject([success, success]);
  expect([dialled, came]).toEqual([['93.184.216.34'], [0, 0]]);
});

test('A kept-alive connection is closed when its host resolves to another address', async () => {
  const addresses = ['93.184.216.34', '93.184.216.35', '93.184.216.34'];
  const { came, dialled, next, atMostOpen } = await senderWithNames(addresses.map((address) => [address]));
  expect([await next(), await next(), await next()]).toMatchObject([success, success, success]);
  expect(dialled).toEqual(addresses);
  expect(came).toEqual([0, 1, 2]);
  await atMostOpen(1);
});

test('A kept-alive connection is closed when its address is no longer among those to which the host resolves', async () => {
  const gates: (() => void)[] = [];
  const gated: RequestListener = (_, response) => void gates.push(() => response.end());
  const [first, second] = ['93.184.216.34', '93.184.216.35'];
  const { came, next, atMostOpen } = await senderWithNames([[first], [second], [first]], (...both) =>
    came.length <= 2 ? gated(...both) : well(...both),
  );
  const both = [next(), next()];
  await vi.waitFor(() => expect(gates).toHaveLength(2), { timeout: 60_000 });
  // The connection to the second address is kept last, and would be used first.
  gates[came.indexOf(0)]?.();
  await both[0];
  for (const gate of gates) gate();
  await both[1];
  expect(await next()).toMatchObject(success);
  expect(came.at(-1)).toBe(0);
  await atMostOpen(1);
});

test('A webhook host that now resolves to an internal address receives nothing over a kept-alive connection', async () => {
  const answers = [['93.184.216.34'], ['93.184.216.34', '10.0.0.1'], ['127.0.0.1']];
  const { came, dialled, next } = await senderWithNames(answers);
  const refused = { kind: 'failed', errorCode: 'target_not_allowed' };
  expect([await next(), await next(), await next()]).toMatchObject([success, refused, refused]);
  expect([dialled, came]).toEqual([['93.184.216.34'], [0]]);
});

const head = 'HTTP/1.1 200 OK\r\n';

test.each<[string, Behaviour]>([
  ['a response with Connection: close', responds(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`)],
  ['a response in HTTP/1.0', responds('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n')],
  [
    'a response with a Keep-Alive time-out of one second',
    responds(`${head}Keep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n`),
  ],
  ['a response whose body does not end', responds(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`)],
  ['a response whose body is not read', responds(`${head}Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\na`)],
  ['two responses to one request', responds(`${ok}${ok}`)],
  ['a response followed by another byte', responds(`${ok}a`)],
])('A connection to a webhook receiver is not kept alive after %s', async (_, behave) => {
  const { port, connections, allClosed } = await rawReceiver(behave);
  const webhook = newWebhook();
  expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(success);
  await allClosed();
  expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(success);
  expect(connections()).toBe(2);
});

test('A kept-alive connection to a webhook receiver is closed after one second without use', async () => {
  const { port, atMostOpen } = await receiver(well);
  await post(`http://127.0.0.1:${port}/`, newWebhook());
  await atMostOpen(0);
});

test('After a burst of webhook messages, all connections except one are closed, even if more messages follow', async () => {
  const { port, open } = await receiver(well);
  const webhook = newWebhook();
  await Promise.all(Array.from({ length: 10 }, () => post(`http://127.0.0.1:${port}/`, webhook)));
  expect(open()).toBe(10);
  while (open() > 1) expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(success);
});

test('If a webhook receiver does not respond in time, the kept-alive connection of the message is closed', async () => {
  const { port, came, atMostOpen } = await receiver((...both) => (came.length === 1 ? well(...both) : undefined));
  const webhook = newWebhook();
  await post(`http://127.0.0.1:${port}/`, webhook);
  const late = await post(`http://127.0.0.1:${port}/`, webhook, { timeoutMs: 100 });
  expect(late).toMatchObject({
    errorCode: 'timeout',
    message: 'Within 0.1 seconds the response headers were not complete.',
  });
  await atMostOpen(0);
  expect(came).toEqual([0, 0]);
});

test('A connection to a webhook receiver is closed after its response if 200 other connections are already kept alive', async () => {
  const { port, atMostOpen, open } = await receiver(well);
  await Promise.all(Array.from({ length: 210 }, () => post(`http://127.0.0.1:${port}/`, newWebhook())));
  await atMostOpen(200);
  expect(open()).toBe(200);
});
