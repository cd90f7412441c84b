/** A proxy with faults between a client and the system. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** `cut` drops the response and the connection; `limit` replaces the response by a refusal for a second. */
export type ProxyFault = 'cut' | 'limit' | undefined;

const limited = { statusCode: 429, error: 'Too Many Requests', message: 'Too many.', code: 'rate_limit_exceeded' };

/** Listens on a free port until the running test ends. Returns its origin. */
export async function serveDuringTest(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An origin that forwards all requests to another one, with the fault that `faultOf` returns for each response. */
export function faultyProxy(origin: string, faultOf: (request: IncomingMessage) => ProxyFault): Promise<string> {
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
      ) as Record<string, string>,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const text = await answer.text();
    const fault = faultOf(request);
    if (fault === 'cut') request.socket.destroy();
    else if (fault === 'limit') {
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
      response.end(JSON.stringify({ ...limited, retryAfter: 1 }));
    } else {
      // `fetch` has already decompressed the body.
      const headers = [...answer.headers].filter(([name]) => !['content-encoding', 'content-length'].includes(name));
      response.writeHead(answer.status, Object.fromEntries(headers)).end(text);
    }
  };
  // A call that waits may end after the system.
  return serveDuringTest((...call) => void forward(...call).catch(() => call[0].destroy()));
}
