import { connect, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import type { Connector } from '../../../../core/webhooks/sender/dial.ts';
import { type SenderParts, type SendOutcome, send } from '../../../../core/webhooks/sender/send.ts';
import { selfSigned } from './certificate.ts';
import {
  afterFirstRequest,
  afterRequest,
  type Behaviour,
  drips,
  newWebhook,
  post,
  rawReceiver,
  refuses,
  responds,
  streams,
} from './receivers.ts';

/** The timeout of attempts that only their deadline ends. */
const timeoutMs = 300;
/** The timeout of all others, so that a busy machine does not turn another error into a timeout. */
const patientMs = 20_000;
const graceMs = 60_000;

const warnings: Error[] = [];
const onWarning = (warning: Error) => {
  if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning);
};
beforeEach(() => {
  process.on('warning', onWarning);
});
afterEach(() => {
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

interface Attempt extends SenderParts {
  readonly webhookId?: number;
}

interface Sent {
  readonly outcome: SendOutcome;
  readonly bytesRead: number;
}

/** Sends to a receiver on this machine, and checks the deadline of the attempt. Afterwards no socket is left. */
async function deliver(
  url: string,
  { timeoutMs = patientMs, webhookId, ...parts }: Attempt = {},
  body = '{"a":1}',
): Promise<Sent> {
  const sockets: Socket[] = [];
  const connector: Connector = (address, port) => {
    const socket = connect({ host: address, port });
    sockets.push(socket);
    return socket;
  };
  const startedAt = performance.now();
  const outcome = await send(
    { url, headers: { 'Content-Type': 'application/json' }, body, ...(webhookId && { webhookId }) },
    { connector, allowLoopback: true, timeoutMs, ...parts },
  );
  expect(performance.now() - startedAt).toBeLessThan(timeoutMs + graceMs);
  expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  return { outcome, bytesRead: sockets.reduce((sum, socket) => sum + socket.bytesRead, 0) };
}

async function deliverTo(behave: Behaviour, attempt: Attempt = {}): Promise<Sent> {
  const receiver = await rawReceiver(behave);
  const sent = await deliver(`http://127.0.0.1:${receiver.port}/hook`, attempt);
  await receiver.allClosed();
  return sent;
}

/** Sends over a kept connection, whose first request succeeded. */
async function deliverAgainTo(behave: Behaviour, attempt: Attempt = {}): Promise<Sent> {
  const receiver = await rawReceiver(afterFirstRequest(behave));
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const webhookId = newWebhook();
  await post(url, webhookId);
  const sent = await deliver(url, { ...attempt, webhookId });
  await receiver.allClosed();
  return sent;
}

const endingWith = (errorCode: string): Attempt => (errorCode === 'timeout' ? { timeoutMs } : {});

const ok = 'HTTP/1.1 200 OK\r\n';
const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
const continues = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const ofLength = (length: number, body: string, more = '') => `${ok}${more}Content-Length: ${length}\r\n\r\n${body}`;
const much = 'a'.repeat(65_536);
const reset: Behaviour = (socket) => socket.resetAndDestroy();
/** Sends the end of a response together with the end of the connection. */
const ends = (text = '') => afterRequest((socket) => socket.end(text));
/** Sends the beginning of a response, and then behaves like this. */
const begins = (head: string, then: Behaviour) =>
  afterRequest((socket) => {
    socket.write(head);
    then(socket);
  });
/** Behaves like this after the beginning was sent. */
const sends = (head: string, then: Behaviour) =>
  afterRequest((socket) => socket.write(head, () => setTimeout(() => then(socket), 20)));
/** Sends one part for ever, perhaps after a beginning. */
const floods = (part: string | Buffer, head = '') =>
  begins(
    head,
    streams(() => part),
  );
const manyHeaders = Array.from({ length: 20_000 }, (_, i) => `X-Header-${i}: ${i}\r\n`).join('');

const tooMany = 'The receiver sent too many interim responses.';
const tooLate = 'Within 0.3 seconds the response headers were not complete.';

test.each<[string, string, Behaviour, string?]>([
  ['never answers', 'timeout', afterRequest(() => {}), tooLate],
  ['never reads the request', 'timeout', (socket) => socket.pause()],
  ['sends its response head byte by byte', 'timeout', begins(ok, drips('X-A: b\r\n', 5))],
  ['sends interim responses slowly', 'timeout', afterRequest(drips(processing, 5))],
  ['closes the connection at once', 'connect_error', (socket) => socket.destroy()],
  ['closes the connection after the request', 'connect_error', ends()],
  ['resets the connection after the request', 'connect_error', afterRequest(reset)],
  ['resets the connection in the response head', 'connect_error', sends(ok, reset)],
  ['closes the connection in the response head', 'connect_error', ends(`${ok}Content-Le`)],
  ['sends 20 000 headers', 'protocol_error', responds(`${ok}${manyHeaders}\r\n`)],
  ['sends an endless header', 'protocol_error', floods(much, `${ok}X-A: `)],
  ['sends an endless status line', 'protocol_error', floods(much, 'HTTP/1.1 200 ')],
  ['sends garbage', 'protocol_error', responds('\u0000\u0001\u0002 garbage\r\n\r\n')],
  ['sends endless garbage', 'protocol_error', floods(Buffer.alloc(65_536, 0xff))],
  ['speaks SSH', 'protocol_error', (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n')],
  ['sends two content lengths', 'protocol_error', responds(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`)],
  ['switches protocols', 'protocol_error', responds(switching), 'The receiver switched to another protocol.'],
  ['sends nine interim responses', 'protocol_error', responds(processing.repeat(9)), tooMany],
  ['sends endless responses with status 100', 'protocol_error', floods(continues.repeat(100))],
  ['sends endless responses with status 103', 'protocol_error', floods(hints.repeat(100))],
])(
  'If a webhook receiver %s, the delivery attempt fails with %s, also over a kept-alive connection',
  async (_, errorCode, behave, message = expect.stringMatching(/^.+$/)) => {
    for (const deliveredTo of [deliverTo, deliverAgainTo]) {
      const { outcome, bytesRead } = await deliveredTo(behave, endingWith(errorCode));
      expect(outcome).toMatchObject({ kind: 'failed', errorCode, message, platformFault: false });
      expect(bytesRead).toBeLessThanOrEqual(256 * 1_024);
    }
  },
);

const keptBytes = limits.responseKeptBytes;
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
/** A response whose body is not text. */
const bytes = (head: string, body: Uint8Array) => responds(Buffer.concat([Buffer.from(head), body]));

test.each<[string, number, string, Behaviour]>([
  ['has a body with a length', 200, 'hello', responds(ofLength(5, 'hello'))],
  ['has the content encoding Identity', 200, 'hello', responds(ofLength(5, 'hello', 'Content-Encoding: Identity\r\n'))],
  ['has no body', 204, '', responds('HTTP/1.1 204 No Content\r\n\r\n')],
  ['has an error status and a body', 500, 'oops', responds('HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops')],
  ['comes after two interim responses', 200, 'x', responds(`${hints}${continues}${ofLength(1, 'x')}`)],
  ['comes after eight interim responses', 200, 'x', responds(`${processing.repeat(8)}${ofLength(1, 'x')}`)],
  ['ends only when the connection is closed', 200, 'abc', ends(`${ok}\r\nabc`)],
  ['comes before the request is read', 200, 'x', (socket) => socket.end(ofLength(1, 'x'))],
  ['breaks off within its body by a reset', 200, 'abc', sends(ofLength(9, 'abc'), reset)],
  ['breaks off within its body by a close', 200, 'abc', ends(ofLength(9, 'abc'))],
  ['never ends its body', 200, 'abc', responds(ofLength(9, 'abc'))],
  ['has a broken second chunk', 200, 'abc', responds(`${chunked}3\r\nabc\r\nzz\r\n`)],
  ['is followed by a second response', 200, 'x', responds(`${ofLength(1, 'x')}HTTP/1.1 500 No\r\n\r\n`)],
  ['is a gzip bomb', 200, '', bytes(`${ok}Content-Encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(10_000_000)))],
  ['has an endless body', 200, 'a'.repeat(keptBytes), floods(much, `${ok}\r\n`)],
  ['has an endless chunked body', 200, 'a'.repeat(keptBytes), floods('1\r\na\r\n'.repeat(5_000), chunked)],
  ['has an endless chunk extension', 200, '', floods(much, `${chunked}1;`)],
  ['has a longer body than is stored', 200, 'a'.repeat(keptBytes), responds(ofLength(5_000, 'a'.repeat(5_000)))],
  ['has a body that is not UTF-8', 200, '\ufffd(\ufffd', bytes(ofLength(3, ''), Buffer.of(0xc3, 0x28, 0xff))],
  ['has a body that ends within a character', 200, 'a\ufffd', bytes(ofLength(3, 'a'), Buffer.of(0xe6, 0xbc))],
  [
    'has a character across the limit of what is stored',
    200,
    'a'.repeat(keptBytes - 1),
    responds(ofLength(keptBytes + 2, `${'a'.repeat(keptBytes - 1)}漢`)),
  ],
])(
  'The HTTP status alone decides whether a delivery attempt succeeds, even if the response %s',
  async (_, status, body, behave) => {
    const { outcome, bytesRead } = await deliverTo(behave);
    expect(outcome).toMatchObject({ kind: 'response', status, body });
    expect(bytesRead).toBeLessThanOrEqual(256 * 1_024);
  },
);

test('A response body that arrives slowly is read only until the time limit of the delivery attempt', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  // Longer than others, because the response must begin within it, and shorter than the limit of the body.
  const timeoutMs = 900;
  const { outcome } = await deliverTo(begins(`${ok}\r\n`, drips('a', 20)), { timeoutMs });
  expect(outcome).toMatchObject({ kind: 'response', status: 200, body: expect.stringMatching(/^a+$/) });
  expect(Math.max(...timers.mock.calls.map(([, ms = 0]) => ms))).toBe(timeoutMs);
});

test('A delivery attempt whose connection the receiver never accepts ends at its time limit', async () => {
  const { outcome } = await deliver('http://127.0.0.1:4444/', { connector: () => new Socket(), timeoutMs });
  expect(outcome).toMatchObject({
    kind: 'failed',
    errorCode: 'timeout',
    message: 'Within 0.3 seconds the connection was not accepted.',
  });
});

test('When a connection to a webhook host fails, the next IP address of the host is tried, up to three addresses', async () => {
  const { port } = await rawReceiver(responds(ofLength(0, '')));
  // The receiver has only an IPv4 address, but its connection shows the one of IPv6.
  const accepts = () => Object.defineProperty(connect(port, '127.0.0.1'), 'remoteAddress', { value: '::1' });
  const onlyIpv6: Connector = (address) => (address === '::1' ? accepts() : refuses('ECONNREFUSED'));
  const delivery = await deliver(`http://localhost:${port}/`, { connector: onlyIpv6 });
  expect(delivery.outcome).toMatchObject({ kind: 'response', status: 200 });

  const dialled: string[] = [];
  const connector: Connector = (address) => {
    dialled.push(address);
    return refuses('ECONNREFUSED');
  };
  const resolver = async () => ['93.184.216.34', '93.184.216.35', '93.184.216.36', '93.184.216.37'];
  const { outcome } = await deliver('https://hooks.example.com/', { connector, resolver });
  const message = 'The connection was refused.';
  expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'connect_error', message, platformFault: false });
  expect(dialled).toHaveLength(3);
});

test('A DNS answer that arrives after the time limit of a delivery attempt leads to no connection', async () => {
  const connector = vi.fn<Connector>();
  let answer = (_: string[]) => {};
  const late = new Promise<string[]>((resolve) => {
    answer = resolve;
  });
  await deliver('https://hooks.example.com/', { resolver: () => late, connector, timeoutMs });
  answer(['93.184.216.34']);
  await late;
  await new Promise((resolve) => setImmediate(resolve));
  expect(connector).not.toHaveBeenCalled();
});

const localhost = selfSigned(['localhost']);
const trusting = (certificate: { cert: string }) =>
  createSecureContext({ ca: certificate.cert, minVersion: 'TLSv1.2' });

async function deliverOverTls(behave: Behaviour, certificate = localhost, parts: Attempt = {}, tls = {}) {
  const receiver = await rawReceiver(behave, { ...certificate, ...tls });
  const trusted = { secureContext: trusting(certificate), ...parts };
  const sent = await deliver(`https://localhost:${receiver.port}/hook`, trusted);
  await receiver.allClosed();
  return sent.outcome;
}

test.each(['TLSv1.2', 'TLSv1.3'])(
  'A webhook receiver over %s with a trusted certificate gets the message',
  async (version) => {
    const versions = { minVersion: version, maxVersion: version };
    const outcome = await deliverOverTls(responds(ofLength(2, 'ok')), localhost, {}, versions);
    expect(outcome).toMatchObject({ kind: 'response', status: 200, body: 'ok' });
  },
);

test('The TLS handshake names the requested host to the webhook receiver (SNI)', async () => {
  let servername: string | undefined;
  const SNICallback = (name: string, done: (error: null, context: undefined) => void) => {
    servername = name;
    done(null, undefined);
  };
  await deliverOverTls(responds(ofLength(0, '')), localhost, {}, { SNICallback });
  expect(servername).toBe('localhost');
});

const expired = selfSigned(['localhost'], new Date('2020'), new Date('2021'));
const future = selfSigned(['localhost'], new Date('2090'), new Date('2091'));

test.each<[string, ReturnType<typeof selfSigned>, boolean, string]>([
  ['is self-signed', localhost, false, 'The TLS certificate is self-signed.'],
  ['has expired', expired, true, 'The TLS certificate has expired.'],
  ['is not valid yet', future, true, 'The TLS certificate is not valid yet.'],
  ['is for another host', selfSigned(['example.com']), true, 'The TLS certificate is for another host name.'],
])(
  'A webhook receiver whose certificate %s is refused, and nothing is sent',
  async (_, certificate, trusted, message) => {
    let bytes = 0;
    const count: Behaviour = (socket) =>
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
    const context = trusted ? trusting(certificate) : createSecureContext({ minVersion: 'TLSv1.2' });
    const outcome = await deliverOverTls(count, certificate, { secureContext: context });
    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'tls_error', message, platformFault: false });
    expect(bytes).toBe(0);
  },
);

test('A webhook receiver with an untrusted certificate is refused even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const receiver = await rawReceiver(responds(`${ok}\r\n`), localhost);
  const { outcome } = await deliver(`https://localhost:${receiver.port}/`);
  expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'tls_error' });
});

test('A webhook receiver that supports nothing newer than TLS 1.1 is refused', async () => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  const outcome = await deliverOverTls(responds(`${ok}\r\n`), localhost, {}, old);
  expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'tls_error' });
});

test.each<[string, string, Behaviour]>([
  ['never begins the handshake', 'timeout', () => {}],
  ['sends the handshake byte by byte', 'timeout', drips('\u0016\u0003\u0003\u0000\u00ff', 60)],
  ['answers in plain HTTP', 'tls_error', (socket) => socket.once('data', () => socket.write(`${ok}\r\n`))],
  ['closes the connection during the handshake', 'tls_error', (socket) => socket.once('data', () => socket.end())],
  ['resets the connection during the handshake', 'tls_error', (socket) => socket.once('data', () => reset(socket))],
  ['sends endless garbage', 'tls_error', streams(() => Buffer.alloc(65_536, 0xff))],
])('A delivery attempt over TLS to a receiver that %s fails with the error code %s', async (_, errorCode, behave) => {
  const receiver = await rawReceiver(behave);
  const { outcome } = await deliver(`https://localhost:${receiver.port}/`, endingWith(errorCode));
  const inTime = 'Within 0.3 seconds the TLS handshake was not completed.';
  const message = errorCode === 'timeout' ? inTime : expect.stringMatching(/^The .+\.$/);
  expect(outcome).toMatchObject({ kind: 'failed', errorCode, message, platformFault: false });
  await receiver.allClosed();
});

test('A webhook request is one POST with exactly the given headers and body bytes', async () => {
  let seen = Buffer.alloc(0);
  const receiver = await rawReceiver((socket) => {
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk]);
      if (seen.includes('}')) socket.end(ofLength(0, ''));
    });
  });
  const body = '{"name":"Žanete 🙂"}';
  await deliver(`http://127.0.0.1:${receiver.port}/a/b?c=d%20e#f`, {}, body);
  const [head = '', sent] = seen.toString('utf8').split('\r\n\r\n');
  expect(sent).toBe(body);
  expect(head.split('\r\n')).toEqual([
    'POST /a/b?c=d%20e HTTP/1.1',
    'Content-Type: application/json',
    `Host: 127.0.0.1:${receiver.port}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]);
});

test('A delivery attempt that fails because the platform built an invalid header does not count against the receiver', async () => {
  const receiver = await rawReceiver(responds(`${ok}\r\n`));
  const outcome = await send(
    { url: `http://127.0.0.1:${receiver.port}/`, headers: { 'X-A': 'b\r\nc' }, body: '' },
    { allowLoopback: true, timeoutMs },
  );
  expect(outcome).toMatchObject({ kind: 'failed', platformFault: true });
  await receiver.allClosed();
});

test('Each of a hundred concurrent deliveries to four misbehaving receivers gets the result of its own receiver', async () => {
  const behaviours = [() => {}, responds(ofLength(0, '')), floods(much, `${ok}\r\n`), afterRequest(reset)];
  const receivers = await Promise.all(behaviours.map((behave) => rawReceiver(behave)));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const timeoutMs = i % 4 === 0 ? 1_000 : patientMs;
      return post(`http://127.0.0.1:${receivers[i % 4]?.port}/`, undefined, { timeoutMs });
    }),
  );
  expect(outcomes.map((outcome) => (outcome.kind === 'response' ? outcome.status : outcome.errorCode))).toEqual(
    Array.from({ length: 25 }, () => ['timeout', 200, 200, 'connect_error']).flat(),
  );
  await Promise.all(receivers.map((receiver) => receiver.allClosed()));
});
