/** An ordinary HTTP server for messages of webhooks with kept connections. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type SenderParts, type SendOutcome, send } from '../../../../core/webhooks/sender/send.ts';
import { selfSigned } from './certificate.ts';

const certificate = selfSigned(['localhost', 'hooks.example.com']);
const secureContext = createSecureContext({ ca: certificate.cert });

/** The process keeps connections, so every test uses other webhooks. */
let lastWebhook = 0;
export const newWebhook = () => ++lastWebhook;

/** Keeps connections for longer than the sender does. */
export async function receiver(answer: RequestListener, isSecure = false) {
  /** The connection of each request. */
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

export const well: RequestListener = (_, response) => response.end('ok');

export function post(url: string, webhookId?: number, parts: SenderParts = {}): Promise<SendOutcome> {
  return send(
    { url, headers: {}, body: '{}', ...(webhookId && { webhookId }) },
    { allowLoopback: true, secureContext, timeoutMs: 20_000, ...parts },
  );
}

export const success = { kind: 'response', status: 200 };
