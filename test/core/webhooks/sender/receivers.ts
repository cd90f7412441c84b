/** Receivers of webhook messages on this machine. They end with the test and count their connections. */
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type SenderParts, type SendOutcome, send } from '../../../../core/webhooks/sender/send.ts';
import { selfSigned } from './certificate.ts';

const certificate = selfSigned(['localhost', 'hooks.example.com']);
const secureContext = createSecureContext({ ca: certificate.cert });

export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
export const success = { kind: 'response', status: 200 };

async function listening(server: Server, connectionEvent: 'connection' | 'secureConnection') {
  const sockets: Socket[] = [];
  const open = () => sockets.filter(({ closed }) => !closed).length;
  let onClose = () => {};
  server.on(connectionEvent, (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('close', () => onClose());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    open,
    /** Resolves when at most this many connections are open. */
    atMostOpen: (count: number) =>
      new Promise<void>((resolve) => {
        onClose = () => {
          if (open() <= count) resolve();
        };
        onClose();
      }),
  };
}

/** An HTTP server that keeps connections for longer than the sender does. */
export async function receiver(answer: RequestListener, isSecure = false) {
  const came: number[] = [];
  const listener: RequestListener = (request, response) => {
    came.push(listens.sockets.indexOf(request.socket));
    request.resume().once('end', () => answer(request, response));
  };
  const server = isSecure ? createHttpsServer(certificate, listener) : createHttpServer(listener);
  server.keepAliveTimeout = 60_000;
  const listens = await listening(server, isSecure ? 'secureConnection' : 'connection');
  return { ...listens, came };
}

export const well: RequestListener = (_, response) => response.end('ok');

/** The process keeps connections, so every test uses other webhooks. */
let lastWebhook = 0;
export const newWebhook = () => ++lastWebhook;

export function post(url: string, webhookId?: number, parts: SenderParts = {}): Promise<SendOutcome> {
  return send(
    { url, headers: {}, body: '{}', ...(webhookId && { webhookId }) },
    { allowLoopback: true, secureContext, timeoutMs: 20_000, ...parts },
  );
}

export type Behaviour = (socket: Socket) => void;

/** Sends raw bytes, not HTTP, so that it can misbehave. With `tls` the behaviour starts after the handshake. */
export async function rawReceiver(behave: Behaviour, tls?: TlsOptions) {
  const served = new Set<Socket>();
  const calmly: Behaviour = (socket) => {
    served.add(socket);
    socket.on('error', () => {});
    behave(socket);
  };
  const server: Server = tls ? createTlsServer(tls, calmly) : createServer(calmly);
  server.on('tlsClientError', () => {});
  const { port, sockets, atMostOpen } = await listening(server, 'connection');
  return {
    port,
    /** The number of accepted connections, with or without a handshake. */
    connections: () => sockets.length,
    /** Resolves when every connection is closed, and no socket is left. */
    allClosed: () => {
      // Without reading, a socket does not get the end either.
      for (const socket of served) socket.resume();
      return atMostOpen(0);
    },
  };
}

/** Waits for the end of the request's headers, then runs the behaviour. */
export function afterRequest(behave: Behaviour): Behaviour {
  return (socket) => {
    let seen = '';
    const onData = (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      if (!seen.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      socket.resume();
      behave(socket);
    };
    socket.on('data', onData);
  };
}

/** Answers the first request with 200, and then behaves like this on its connection and on later ones. */
export function afterFirstRequest(behave: Behaviour): Behaviour {
  let isFirst = true;
  return (socket) => {
    if (!isFirst) return behave(socket);
    isFirst = false;
    afterRequest(() => {
      socket.write(ok);
      behave(socket);
    })(socket);
  };
}

/** Sends a text as soon as a request has arrived. */
export function responds(text: string | Buffer): Behaviour {
  return afterRequest((socket) => socket.write(text));
}

/** Sends the results of `next` as fast as the peer reads them, as long as the connection lives. */
export function streams(next: () => string | Buffer): Behaviour {
  return (socket) => {
    const pump = () => {
      while (!socket.destroyed && socket.write(next())) {
        // The loop ends when the buffer is full.
      }
    };
    socket.on('drain', pump);
    pump();
  };
}

/** Sends a text byte by byte, as long as the connection lives. */
export function drips(text: string, everyMs: number): Behaviour {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

/** A connection that fails with this code at once. */
export function refuses(code: string): Socket {
  return new Socket().destroy(Object.assign(new Error(code), { code }));
}
