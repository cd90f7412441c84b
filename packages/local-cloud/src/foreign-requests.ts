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

/** Whether this is `http:` at a loopback address, and at the port of `own` where that is named. */
export function isLoopbackUrl(url: string, own?: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  const isHere = protocol === 'http:' && loopbackNames.includes(hostname) && username + password === '';
  return isHere && (own === undefined || port === new URL(own).port);
}
