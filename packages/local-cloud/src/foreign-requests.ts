/**
 * Keeps web pages of other origins from accessing the local run. A page is identified by `Origin`. A page that reaches
 * a loopback address by its own name (DNS rebinding) sends that name as `Host`.
 */
import type { IncomingMessage } from 'node:http';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns whether the request comes from a page, or names another address than the server's. */
export function isForeign({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  return headers.origin !== undefined || !own.includes(String(headers.host).toLowerCase());
}

/** Returns whether `Host` names another machine. Every browser sends `Host`; a program may omit it. */
export function isForeignHost(host: string | undefined): boolean {
  return host !== undefined && !loopbackNames.includes(host.toLowerCase().replace(/:\d+$/, ''));
}

/** Returns whether this is `http:` at a loopback address, and at the port of `own` if given. */
export function isLoopbackUrl(url: string, own?: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  const isHere = protocol === 'http:' && loopbackNames.includes(hostname) && username + password === '';
  return isHere && (own === undefined || port === new URL(own).port);
}
