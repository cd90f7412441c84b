import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { ApiError, createClient } from '../../client/src/index.ts';

const bounds = { timeoutMs: 5_000, deadlineMs: 20_000, maxRetries: 2, backoffMs: 10 };
/** A timeout in milliseconds for servers that do not respond, short enough for a quick test. */
const shortTimeoutMs = 150;

const json = { 'Content-Type': 'application/json' };
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Responds to the first data with any bytes. */
const raw = (answer: (socket: Socket) => void) =>
  createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
const http = (listener: RequestListener) => createHttpServer(listener);
/** Answers every request with the same response. */
const answering = (status: number, body: string, type = 'application/json') =>
  http((_, response) => response.writeHead(status, { 'Content-Type': type }).end(body));
/** Writes until the client has closed the connection. */
const drip = (socket: Socket, everyMs: number, text: string) => {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(timer));
};

const opened: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(opened.map((close) => close())));

interface Expected {
  readonly code: string;
  readonly status: number | undefined;
  readonly attempts: number;
}

type Row = readonly [name: string, server: () => ReturnType<typeof createServer>, expected: Expected];

const failing = { code: 'connection_failed', status: undefined, attempts: 3 };
const waiting = { code: 'timeout', status: undefined, attempts: 3 };
const strange = { code: 'unexpected_response', status: 200, attempts: 1 };

const servers: readonly Row[] = [
  ['cuts the connection before the head of the response', () => raw((socket) => socket.destroy()), failing],
  [
    'cuts the connection in the middle of the body',
    () => raw((socket) => socket.end(`${head}Content-Length: 99\r\n\r\n{"id":1,`)),
    failing,
  ],
  ['speaks another protocol', () => raw((socket) => socket.end('220 mail.example.com ESMTP\r\n')), failing],
  ['never answers', () => raw(() => {}), waiting],
  [
    'sends the head of the response a byte at a time',
    () =>
      raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Padding: ');
        drip(socket, 20, 'a');
      }),
    waiting,
  ],
  ['sends early hints for ever', () => raw((socket) => drip(socket, 20, 'HTTP/1.1 103 Early Hints\r\n\r\n')), waiting],
  [
    'sends the body of the response a byte at a time',
    () =>
      http((_, response) => {
        response.writeHead(200, json).write('{"name":"');
        if (response.socket) drip(response.socket, 20, '1\r\na\r\n');
      }),
    waiting,
  ],
  ['answers broken JSON', () => answering(200, '{"id":1,'), strange],
  ['answers no body', () => answering(200, ''), strange],
  ['answers JSON that is no object', () => answering(200, '"ok"'), strange],
  ['answers another content type', () => answering(200, '{"id":1}', 'text/plain'), strange],
  [
    'is a proxy with an error page',
    () => answering(502, '<h1>Bad Gateway</h1>', 'text/html'),
    { ...strange, status: 502, attempts: 3 },
  ],
  [
    'is a gateway whose errors have no code',
    () => answering(500, '{"message":"Internal Server Error"}'),
    { ...strange, status: 500, attempts: 3 },
  ],
];

test.concurrent.each(servers)(
  'A call of the client library does not hang, but ends with an ApiError, when the server %s',
  async (_name, make, expected) => {
    const { baseUrl } = await listening(make());
    let attempts = 0;
    const counting: typeof fetch = (...of) => {
      attempts += 1;
      return fetch(...of);
    };
    const client = createClient({ baseUrl, apiKey: 'bk_test_key', fetch: counting, ...bounds });
    const options = expected.code === 'timeout' ? { timeoutMs: shortTimeoutMs } : {};
    const { code, status } = await failureOf(client.getService({ id: 1 }, options));
    expect({ code, status, attempts }).toEqual(expected);
  },
);

test('A call of the client library ends with an ApiError that contains the reason when the port is closed', async () => {
  const { baseUrl, close } = await listening(createServer());
  await close();
  const error = await failureOf(createClient({ baseUrl, apiKey: 'bk_test_key', ...bounds }).getBusiness());
  expect(error).toMatchObject({ code: 'connection_failed', status: undefined });
  expect(error.message).toContain('ECONNREFUSED');
});

test('The client library stops reading a response that is too large', async () => {
  const chunk = ' '.repeat(1024 * 1024);
  const { baseUrl } = await listening(
    http((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.writeHead(200, json).on('drain', more);
      more();
    }),
  );
  const client = createClient({ baseUrl, apiKey: 'bk_test_key', maxRetries: 0 });
  expect(await failureOf(client.getBusiness())).toMatchObject({ code: 'unexpected_response', status: 200 });
});

test("If the base URL belongs to a web page, the client library's error advises to check the base URL", async () => {
  const { baseUrl } = await listening(answering(200, '<title>Console</title>', 'text/html'));
  const error = await failureOf(createClient({ baseUrl, apiKey: 'bk_test_key', ...bounds }).getBusiness());
  expect(error.message).toContain('is text/html instead of JSON: check the base URL.');
});

test('The client library does not follow a redirect, so that the API key is sent to no other host', async () => {
  const elsewhere = await listening(answering(200, '{}'));
  const { baseUrl } = await listening(
    http((_, response) => response.writeHead(308, { Location: elsewhere.baseUrl }).end()),
  );
  const error = await failureOf(createClient({ baseUrl, apiKey: 'bk_test_key', ...bounds }).getBusiness());
  expect(error).toMatchObject({ code: 'unexpected_response', status: 308 });
  expect(elsewhere.connections()).toBe(0);
});

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    (value) => new Error(`It answered ${JSON.stringify(value)}.`),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

async function listening(server: ReturnType<typeof createServer>) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  opened.push(close);
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1/integration`, connections: () => sockets.size, close };
}
