/** A receiver that sends raw bytes, not HTTP, so that it can misbehave; it counts connections. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

export type Behaviour = (socket: Socket) => void;

/** Listens on 127.0.0.1 until the test ends. With `tls` the behaviour starts after the handshake. */
export async function rawReceiver(behave: Behaviour, tls?: TlsOptions) {
  const calmly: Behaviour = (socket) => {
    served.add(socket);
    socket.on('error', () => {});
    behave(socket);
  };
  const served = new Set<Socket>();
  const server: Server = tls ? createTlsServer(tls, calmly) : createServer(calmly);
  const open = new Set<Socket>();
  let connections = 0;
  let whenAllClosed = () => {};
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      if (open.size === 0) whenAllClosed();
    });
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** The number of accepted connections, with or without a handshake. */
    connections: () => connections,
    /** Resolves when every connection is closed, and no socket is left. */
    allClosed: () =>
      new Promise<void>((resolve) => {
        whenAllClosed = resolve;
        // Without reading, a socket does not get the end either.
        for (const socket of served) socket.resume();
        if (open.size === 0) resolve();
      }),
  };
}

/** Waits for the end of the request's head, then behaves. */
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
