/**
 * Keeps web pages of other origins out of what runs on this machine. A page names itself by `Origin`. One that reaches a
 * loopback address by a name of its own (DNS rebinding) sends that name as `Host`.
 */
import type { IncomingMessage } from 'node:http';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether the request comes from a page, or asks for another address than the one that the server listens at. */
export function isForeign({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  return headers.origin !== undefined || !own.includes(String(headers.host).toLowerCase());
}

/** Whether `Host` names another machine. Every browser sends one; a program may leave it out. */
export function isForeignHost(host: string | undefined): boolean {
  return host !== undefined && !loopbackNames.includes(host.toLowerCase().replace(/:\d+$/, ''));
}

/** Whether this is `http:` at a loopback address, at any port: every run may have another (RFC 8252, section 7.3). */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  return protocol === 'http:' && loopbackNames.includes(hostname) && username + password === '';
}
