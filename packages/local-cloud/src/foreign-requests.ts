/**
 * Keeps web pages out of a server that is meant for programs of this machine. A page names itself by `Origin`, and one
 * that reaches loopback by a name of its own (DNS rebinding) brings that name as `Host`.
 */
import type { IncomingMessage } from 'node:http';

/** Whether the request comes from a page, or asks for another address than the one that the server listens at. */
export function isForeign({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  return headers.origin !== undefined || !own.includes(String(headers.host).toLowerCase());
}
