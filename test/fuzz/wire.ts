/** Sends requests as bytes on a socket, so that no client library corrects them. */
import { connect } from 'node:net';

export interface WireRequest {
  readonly method: string;
  /** The path and query exactly as sent. */
  readonly target: string;
  /** Complete lines: `Content-Type: application/json`. */
  readonly headers: readonly string[];
  readonly body: Buffer | string;
}

export interface WireAnswer {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Longer than the gateway waits for a function. */
const answerWithinMs = 40_000;

function bytesOf({ method, target, headers, body }: WireRequest): Buffer {
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** Sends the request and reads one response. Rejects if there is none. */
export function send(baseUrl: string, request: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => socket.write(bytesOf(request)));
    socket.setTimeout(answerWithinMs, () => socket.destroy(new Error(`No answer within ${answerWithinMs} ms.`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    // After its response a gateway may reset the connection of a client that is still sending.
    socket.once('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.once('close', () => {
      try {
        resolve(answerIn(Buffer.concat(chunks).toString()));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function answerIn(received: string): WireAnswer {
  // The response to `Expect: 100-continue` begins with a status line and headers of its own.
  const whole = received.replace(/^HTTP\/1\.1 1[0-9]{2}[\s\S]*?\r\n\r\n/, '');
  const end = whole.indexOf('\r\n\r\n');
  if (end === -1) throw new Error('The connection was closed without an answer.');
  const [first = '', ...lines] = whole.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), text: whole.slice(end + 4) };
}
