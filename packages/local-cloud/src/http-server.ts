/** Serves the HTTP APIs on one port, with the limits of the gateway, and only under a loopback name. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isForeignHost } from './foreign-requests.ts';
import { gatewayAnswer, type HttpApis } from './http-api.ts';
import type { GatewayAnswer } from './http-event.ts';
import { type LocalLog, messageOf } from './log.ts';

/** The limits of the gateway: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const gatewayLimits = { headerBytes: 10_240, bodyBytes: 10 * 1_024 * 1_024 };

export interface HttpServer {
  readonly url: string;
  /** Starts to serve. Earlier requests wait for this. */
  serve(apis: HttpApis): void;
  stop(): Promise<void>;
}

export async function startHttpServer(port: number, log: LocalLog): Promise<HttpServer> {
  const { promise: apis, resolve: serve } = Promise.withResolvers<HttpApis>();

  async function handle(incoming: IncomingMessage): Promise<GatewayAnswer> {
    if (isForeignHost(incoming.headers.host)) {
      log.write('denied', '', `A request for the host ${incoming.headers.host} was refused.`);
      return gatewayAnswer(403, 'Forbidden');
    }
    if (headerBytes(incoming) > gatewayLimits.headerBytes) return gatewayAnswer(431, 'Request Header Fields Too Large');
    const body = await readBody(incoming);
    if (!body) return gatewayAnswer(413, 'Request Entity Too Large');
    const sourceIp = incoming.socket.remoteAddress ?? '127.0.0.1';
    return (await apis).answer(
      {
        requestId: randomUUID(),
        method: incoming.method ?? 'GET',
        target: originForm(incoming.url ?? '/'),
        rawHeaders: [...incoming.rawHeaders, ...forwarded(incoming, sourceIp)],
        body,
        sourceIp,
        protocol: `HTTP/${incoming.httpVersion}`,
        time: Date.now(),
      },
      incoming.headers,
    );
  }

  const server = createServer({ maxHeaderSize: 128 * 1_024, requireHostHeader: false }, (incoming, outgoing) => {
    handle(incoming)
      .then((answer) => write(incoming, outgoing, answer))
      .catch((error: unknown) => {
        log.write('local', '', `The HTTP API failed: ${messageOf(error)}`);
        if (outgoing.headersSent) outgoing.destroy();
        else write(incoming, outgoing, gatewayAnswer(500, 'Internal Server Error'));
      });
  });
  server.on('clientError', refuse);
  await once(server.listen(port, '127.0.0.1'), 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use: stop what listens there, or choose another one with --port.`
        : `Port ${port} cannot be opened (${code}): choose another one with --port.`,
    );
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, serve, stop: () => closed(server) };
}

/** The headers that the gateway adds. */
function forwarded({ socket }: IncomingMessage, sourceIp: string): string[] {
  const port = String(socket.localPort);
  return ['X-Forwarded-For', sourceIp, 'X-Forwarded-Port', port, 'X-Forwarded-Proto', 'http'];
}

/** The gateway counts the request line and the values of the headers. */
function headerBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`.length;
  return rawHeaders.reduce((sum, text, i) => sum + (i % 2 === 1 ? text.length : 0), requestLine);
}

/** Reads the rest of a too large body as well, so that the client gets a response instead of a broken connection. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size <= gatewayLimits.bodyBytes) chunks.push(chunk as Buffer);
  }
  return size <= gatewayLimits.bodyBytes ? Buffer.concat(chunks) : undefined;
}

/** Converts `http://host/path`, as proxies send it, to `/path`. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}

function write(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, cookies, body }: GatewayAnswer,
): void {
  if (outgoing.destroyed) return;
  const bodiless = status === 204 || status === 304;
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    if (bodiless && name === 'content-type') continue;
    try {
      outgoing.setHeader(name, value);
    } catch {
      // The gateway omits invalid headers as well.
    }
  }
  if (cookies.length > 0) outgoing.setHeader('set-cookie', [...cookies]);
  outgoing.setHeader('apigw-requestid', randomUUID());
  if (!bodiless) outgoing.setHeader('content-length', body.length);
  outgoing.end(incoming.method === 'HEAD' || bodiless ? undefined : body);
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Answers a request that Node.js cannot read with a body, as the gateway does. */
function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const [status, message] = clientErrors[code] ?? [400, 'Bad Request'];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Stops the server, including its open connections. */
export function closed(server: Server): Promise<void> {
  const ended = server[Symbol.asyncDispose]();
  server.closeAllConnections();
  return ended;
}
