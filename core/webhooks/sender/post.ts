/** Sends one request over a kept connection or a new one, and reads the status and headers of the response. */
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { limits } from '../../../contract/limits.ts';
import type { SendAttempt } from './attempt.ts';
import { Connections, type Wanted } from './connections.ts';
import { codeOf, SendFailure, sendFailure } from './failures.ts';

/** The maximum of interim responses (1xx) before a response; more are treated as a flood. */
const interimResponses = 8;

interface Exchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const keepAliveConnections = new Connections(true);
const single = new Connections(false);

/**
 * How a request ends whose connection was closed. It is unknown whether it was closed while it was idle or because of
 * the request.
 */
const gone: readonly string[] = ['ECONNRESET', 'EPIPE'];

class ConnectionGone extends Error {}

/**
 * Sends a POST and resolves with the response when its headers are complete. Redirects and upgrades are not followed.
 * If a kept connection is closed before the headers of the response are complete, the request is sent once more on a
 * new connection.
 */
export async function exchange(attempt: SendAttempt, wanted: Wanted, message: Exchange): Promise<IncomingMessage> {
  try {
    return await post(attempt, wanted, message);
  } catch (error) {
    if (!(error instanceof ConnectionGone)) throw error;
    return await post(attempt, { ...wanted, owner: undefined }, message);
  }
}

/**
 * If the promise rejects, the request may still be running; it ends with its attempt. `https` accepts any socket, so it
 * also sends plain http to receivers on a developer's machine; `node:http` would load much more code.
 */
function post(attempt: SendAttempt, wanted: Wanted, { url, headers, body }: Exchange): Promise<IncomingMessage> {
  const connections = wanted.owner === undefined ? single : keepAliveConnections;
  return new Promise((resolve, reject) => {
    // A new connection passes through the earlier stages first.
    attempt.enter('exchange');
    const request = httpsRequest({
      ...connections.asWanted(wanted),
      method: 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, Host: url.host, 'Content-Length': String(body.byteLength) },
      maxHeaderSize: limits.responseHeaderBytes,
    });
    request.once('socket', (socket) => connections.lend(socket, attempt));
    const refuse = (why: string) => reject(new SendFailure('protocol_error', why));
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > interimResponses) refuse('The receiver sent too many interim responses.');
    });
    const switched = () => refuse('The receiver switched to another protocol.');
    request.once('upgrade', switched);
    // A 101 without a protocol arrives as a response.
    request.once('response', (response) => (response.statusCode === 101 ? switched() : resolve(response)));
    // The listener is never removed, because an error without a listener ends the process. After a response, errors do
    // not matter.
    request.on('error', (error) => {
      const isGone = request.reusedSocket && interim === 0 && gone.includes(codeOf(error));
      reject(isGone ? new ConnectionGone() : sendFailure(error, 'exchange'));
    });
    request.end(body);
  });
}
