import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Attempt } from '../../../../core/webhooks/sender/attempt.ts';
import type { Dialler } from '../../../../core/webhooks/sender/dial.ts';
import { exchange } from '../../../../core/webhooks/sender/post.ts';
import { responseStart } from '../../../../core/webhooks/sender/response-start.ts';
import { type Outcome, type SenderParts, type SendRequest, send } from '../../../../core/webhooks/sender/send.ts';
import { selfSigned } from './certificate.ts';
import { afterRequest, type Behaviour, rawReceiver, says } from './raw-receiver.ts';

const certificate = selfSigned({ names: ['localhost', 'hooks.example.com'] });
const secureContext = createSecureContext({ ca: certificate.cert });
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** Connections are kept by the process, so every test has webhooks of its own. */
let lastWebhook = 0;
const newWebhook = () => ++lastWebhook;

interface Receiver {
  readonly port: number;
  /** For each request, which connection it came over. */
  readonly came: number[];
  open(): number;
  /** Resolves when no more than so many connections are open. */
  atMostOpen(count: number): Promise<void>;
}

/** An HTTP server as others run it. It keeps connections for longer than we do. */
async function receiver(answer: RequestListener, isSecure = false): Promise<Receiver> {
  const came: number[] = [];
  const sockets: Socket[] = [];
  const listener: RequestListener = (request, response) => {
    came.push(sockets.indexOf(request.socket));
    request.resume().once('end', () => answer(request, response));
  };
  const server = isSecure ? createTlsServer(certificate, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  const open = () => sockets.filter(({ closed }) => !closed).length;
  let onClose = () => {};
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('close', () => onClose());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    came,
    open,
    atMostOpen: (count) =>
      new Promise((resolve) => {
        onClose = () => {
          if (open() <= count) resolve();
        };
        onClose();
      }),
  };
}

const well: RequestListener = (_, response) => response.end('ok');

function post(url: string, webhookId?: number, more: Partial<SendRequest & SenderParts> = {}): Promise<Outcome> {
  const { resolver, dialler, ...request } = more;
  return send(
    { url, headers: {}, body: '{}', timeoutMs: 20_000, ...(webhookId && { webhookId }), ...request },
    { allowLoopback: true, secureContext, ...(resolver && { resolver }), ...(dialler && { dialler }) },
  );
}

const answered = { kind: 'answered', status: 200 };

describe('what goes over a connection that was kept', () => {
  test.each([
    ['http', false],
    ['https', true],
  ])(
    'the next messages of its webhook over %s, also where one needs longer than it waits',
    async (scheme, isSecure) => {
      const slowly: RequestListener = (_, response) => setTimeout(() => response.end('ok'), 1_100);
      const { port, came } = await receiver((...both) => (came.length === 2 ? slowly : well)(...both), isSecure);
      const webhook = newWebhook();
      for (let i = 0; i < 4; i += 1) {
        const path = i === 3 ? '/another' : '/';
        expect(await post(`${scheme}://localhost:${port}${path}`, webhook)).toMatchObject({ ...answered, body: 'ok' });
      }
      expect(came).toEqual([0, 0, 0, 0]);
    },
  );

  test('one message at a time: those that are sent at once have one each, and the next ones find them all', async () => {
    const { port, came } = await receiver(well);
    const webhook = newWebhook();
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: 5 }, () => post(`http://127.0.0.1:${port}/`, webhook)));
    }
    expect(came.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  test('nothing of another webhook, for another host, or that belongs to none', async () => {
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
});

describe('where the host of a webhook leads is looked up for each message, also while a connection is kept', () => {
  /** Each name leads to this machine, whose address the sender takes for the one that it dialled. */
  async function world(...answers: string[][]) {
    const trap = await receiver(well, true);
    const dialled: string[] = [];
    const dialler: Dialler = (address) => {
      dialled.push(address);
      const socket = connect({ host: '127.0.0.1', port: trap.port });
      const family = 'IPv4';
      const claims = (out: object) => Object.assign(out, { address, family, port: 443 }) && 0;
      socket.once('connect', () => Object.assign(handleOf(socket), { getpeername: claims }));
      return socket;
    };
    const webhook = newWebhook();
    const resolver = async () => answers.shift() ?? [];
    const next = () => post('https://hooks.example.com/', webhook, { resolver, dialler });
    return { ...trap, dialled, next };
  }
  const handleOf = (socket: Socket) => (socket as unknown as { _handle: object })._handle;

  test('the same address, whatever stands beside it: the connection is used again', async () => {
    const { came, dialled, next } = await world(['93.184.216.34'], ['93.184.216.35', '93.184.216.34']);
    expect([await next(), await next()]).toMatchObject([answered, answered]);
    expect([dialled, came]).toEqual([['93.184.216.34'], [0, 0]]);
  });

  test('another address: it is dialled, and what was kept is closed', async () => {
    const { came, dialled, next, atMostOpen } = await world(['93.184.216.34'], ['93.184.216.35'], ['93.184.216.34']);
    expect([await next(), await next(), await next()]).toMatchObject([answered, answered, answered]);
    expect(dialled).toEqual(['93.184.216.34', '93.184.216.35', '93.184.216.34']);
    expect(came).toEqual([0, 1, 2]);
    await atMostOpen(1);
  });

  test('inside: nothing is sent', async () => {
    const { came, dialled, next } = await world(['93.184.216.34'], ['93.184.216.34', '10.0.0.1'], ['127.0.0.1']);
    const refused = { kind: 'failed', errorCode: 'target_not_allowed' };
    expect([await next(), await next(), await next()]).toMatchObject([answered, refused, refused]);
    expect([dialled, came]).toEqual([['93.184.216.34'], [0]]);
  });
});

describe('a connection is closed after', () => {
  test.each<[string, Behaviour]>([
    ['an answer that says so', says('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')],
    ['an answer in HTTP/1.0', says('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n')],
    ['an answer whose sender waits a second', says(`HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\n${ok.slice(17)}`)],
    ['a body that has no end', says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')],
    ['a body that is not read', says('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\na')],
    ['two answers', says(`${ok}${ok}`)],
    ['an answer and a word', says(`${ok}a`)],
    ['an answer, and a word after it was kept', afterRequest((socket) => socket.write(ok, () => socket.write('a')))],
  ])('%s', async (_, behave) => {
    const { port, connections, allClosed } = await rawReceiver(behave);
    const webhook = newWebhook();
    expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(answered);
    await allClosed();
    expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(answered);
    expect(connections()).toBe(2);
  });

  test('a second in which nobody used it', async () => {
    const { port, atMostOpen } = await receiver(well);
    await post(`http://127.0.0.1:${port}/`, newWebhook());
    await atMostOpen(0);
  });

  test('the deadline of the message that used it', async () => {
    const { port, came, atMostOpen } = await receiver((...both) => (came.length === 1 ? well(...both) : undefined));
    const webhook = newWebhook();
    await post(`http://127.0.0.1:${port}/`, webhook);
    const late = await post(`http://127.0.0.1:${port}/`, webhook, { timeoutMs: 100 });
    expect(late).toMatchObject({
      errorCode: 'timeout',
      message: 'Within 0.1 seconds no complete response head arrived.',
    });
    await atMostOpen(0);
    expect(came).toEqual([0, 0]);
  });

  test('its answer, where 200 are kept', async () => {
    const { port, atMostOpen, open } = await receiver(well);
    await Promise.all(Array.from({ length: 210 }, () => post(`http://127.0.0.1:${port}/`, newWebhook())));
    await atMostOpen(200);
    expect(open()).toBe(200);
  });
});

test('a message that lost against its deadline is not sent over what was kept', async () => {
  const { port, came } = await receiver(well);
  const message = { url: new URL(`http://127.0.0.1:${port}/`), headers: {}, body: Buffer.from('{}') };
  const wanted = {
    owner: `${newWebhook()}`,
    addresses: ['127.0.0.1'],
    open: async () => connect({ host: '127.0.0.1', port }),
  };
  const first = new Attempt(20_000);
  await responseStart(await exchange(first, wanted, message), 20_000);
  first.end();
  const second = new Attempt(20_000);
  second.end();
  await expect(exchange(second, wanted, message)).rejects.toMatchObject({ errorCode: 'timeout' });
  expect(await exchange(new Attempt(20_000), wanted, message)).toMatchObject({ statusCode: 200 });
  expect(came).toEqual([0, 0]);
});

describe('a receiver that answers, keeps the connection, and at the next request', () => {
  /** Behaves so from the second request of its first connection on, and at every request of a later one. */
  async function second(behave: Behaviour) {
    let requests = 0;
    const counted: Behaviour = (socket) => {
      requests += 1;
      behave(socket);
    };
    let isFirst = true;
    const { port, connections, allClosed } = await rawReceiver((socket) => {
      if (!isFirst) return afterRequest(counted)(socket);
      isFirst = false;
      afterRequest(() => {
        socket.write(ok);
        afterRequest(counted)(socket);
      })(socket);
    });
    const webhook = newWebhook();
    expect(await post(`http://127.0.0.1:${port}/`, webhook)).toMatchObject(answered);
    const outcome = await post(`http://127.0.0.1:${port}/`, webhook);
    return { outcome, requests, connections: connections(), allClosed };
  }

  test.each<[string, Behaviour]>([
    ['closes it', (socket) => socket.end()],
    ['resets it', (socket) => socket.resetAndDestroy()],
  ])('%s, once: the message is sent again over one of its own, and counts as one attempt', async (_, close) => {
    let isKept = true;
    const behave: Behaviour = (socket) => {
      if (!isKept) return socket.write(ok);
      isKept = false;
      close(socket);
    };
    const { outcome, requests, connections, allClosed } = await second(behave);
    expect(outcome).toMatchObject(answered);
    expect([requests, connections]).toEqual([2, 2]);
    await allClosed();
  });

  test.each<[string, number, Behaviour]>([
    ['closes every one', 2, (socket) => socket.end()],
    ['resets every one', 2, (socket) => socket.resetAndDestroy()],
    ['closes it after an interim response', 1, (socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('%s: it has had %i requests, and the attempt has failed', async (_, times, behave) => {
    const { outcome, requests, allClosed } = await second(behave);
    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'connect_error', ours: false });
    expect(requests).toBe(times);
    await allClosed();
  });

  test('speaks something else, is not asked again', async () => {
    const { outcome, requests, allClosed } = await second((socket) => socket.write('garbage\r\n\r\n'));
    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'protocol_error', ours: false });
    expect(requests).toBe(1);
    await allClosed();
  });
});
