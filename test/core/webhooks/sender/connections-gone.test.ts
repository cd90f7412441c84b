import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { SendAttempt } from '../../../../core/webhooks/sender/attempt.ts';
import { exchange } from '../../../../core/webhooks/sender/post.ts';
import { responseStart } from '../../../../core/webhooks/sender/response-start.ts';
import {
  afterFirstRequest,
  afterRequest,
  type Behaviour,
  newWebhook,
  ok,
  post,
  rawReceiver,
  receiver,
  success,
  well,
} from './receivers.ts';

/** A webhook with a kept connection, and the next exchange over it. */
async function keptConnection() {
  const server = await receiver(well);
  const message = { url: new URL(`http://127.0.0.1:${server.port}/`), headers: {}, body: Buffer.from('{}') };
  const opened: Socket[] = [];
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    opened.push(socket);
    return socket;
  };
  const wanted = { owner: `${newWebhook()}`, addresses: ['127.0.0.1'], open };
  const next = (attempt: SendAttempt) => exchange(attempt, wanted, message);
  const first = new SendAttempt(20_000);
  await responseStart(await next(first), 20_000);
  first.end();
  return { ...server, opened, next };
}

test('A kept-alive connection is closed when the webhook receiver sends data without a request', async () => {
  const { came, opened, next, sockets } = await keptConnection();
  const [socket] = opened;
  // Nothing else closes it.
  socket?.setTimeout(0);
  for (const socket of sockets) socket.write('HTTP/1.1 500 No\r\n\r\n');
  await new Promise((resolve) => socket?.once('close', resolve));
  expect(await next(new SendAttempt(20_000))).toMatchObject({ statusCode: 200 });
  expect(came).toEqual([0, 1]);
});

test('A webhook message whose time limit has passed is not sent over a kept-alive connection', async () => {
  const { came, next } = await keptConnection();
  const late = new SendAttempt(20_000);
  late.end();
  await expect(next(late)).rejects.toMatchObject({ errorCode: 'timeout' });
  expect(await next(new SendAttempt(20_000))).toMatchObject({ statusCode: 200 });
  expect(came).toEqual([0, 0]);
});

test('If the time limit of a webhook message passes before the message has a connection to its host, the message is not sent', async () => {
  const { came, opened, next, atMostOpen } = await keptConnection();
  const late = new SendAttempt(20_000);
  const sending = next(late);
  late.end();
  await expect(sending).rejects.toMatchObject({ errorCode: 'timeout' });
  await atMostOpen(0);
  expect([came, opened.length]).toEqual([[0], 1]);
});

test.each(['ECONNRESET', 'EPIPE'])(
  'A webhook message whose kept-alive connection breaks with %s is sent once more over a new connection',
  async (code) => {
    const { came, opened, next } = await keptConnection();
    for (const socket of opened) {
      Object.assign(socket, { _writev: (_: unknown, done: (error: Error) => void) => done(gone) });
    }
    const gone = Object.assign(new Error('gone'), { code });
    expect(await next(new SendAttempt(20_000))).toMatchObject({ statusCode: 200 });
    expect([came, opened.length]).toEqual([[0, 1], 2]);
  },
);

/** Behaves like this from the second request of its first connection on, and at every request of a later one. */
async function second(behave: Behaviour) {
  let requests = 0;
  const counted = afterRequest((socket) => {
    requests += 1;
    behave(socket);
  });
  const { port, connections, allClosed } = await rawReceiver(afterFirstRequest(counted));
  const webhook = newWebhook();
  expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(success);
  const outcome = await post(`http://127.0.0.1:${port}/`, webhook);
  return { outcome, requests, connections: connections(), allClosed };
}

test.each<[string, Behaviour]>([
  ['closes the connection', (socket) => socket.end()],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
])(
  'When a webhook receiver %s at the second request over a connection, the message is sent again and counts as one delivery attempt',
  async (_, close) => {
    let isKept = true;
    const behave: Behaviour = (socket) => {
      if (!isKept) return socket.write(ok);
      isKept = false;
      close(socket);
    };
    const { outcome, requests, connections, allClosed } = await second(behave);
    expect(outcome).toMatchObject(success);
    expect([requests, connections]).toEqual([2, 2]);
    await allClosed();
  },
);

const ends =
  (text = ''): Behaviour =>
  (socket) =>
    socket.end(text);

test.each<[string, string, string, Behaviour]>([
  ['closes each connection within the response head', 'twice', 'connect_error', ends('HTTP/1.1 200 OK\r\nX-A: ')],
  ['closes each connection', 'twice', 'connect_error', ends()],
  ['resets each connection', 'twice', 'connect_error', (socket) => socket.resetAndDestroy()],
  ['closes the connection after an interim response', 'once', 'connect_error', ends('HTTP/1.1 102 Busy\r\n\r\n')],
  ['speaks another protocol', 'once', 'protocol_error', (socket) => socket.write('garbage\r\n\r\n')],
])(
  'When a webhook receiver %s at the second request over a connection, the message is sent %s and the attempt fails with %s',
  async (_, sent, errorCode, behave) => {
    const { outcome, requests, allClosed } = await second(behave);
    expect(outcome).toMatchObject({ kind: 'failed', errorCode, platformFault: false });
    expect(requests).toBe(sent === 'twice' ? 2 : 1);
    await allClosed();
  },
);
