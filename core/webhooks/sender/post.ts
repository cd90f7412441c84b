/** One request and the head of its response, over a connection that was kept or is opened for it. */
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { limits } from '../../../contract/limits.ts';
import type { SendAttempt } from './attempt.ts';
import { Connections, type Wanted } from './connections.ts';
import { codeOf, SendFailure, sendFailure } from './failures.ts';

/** Interim responses (1xx) of one answer. More is a flood. */
const interimResponses = 8;

interface Exchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const kept = new Connections(true);
const single = new Connections(false);

/** How a request ends whose connection was closed. Whether while it was kept or because of the request, nobody can tell. */
const gone: readonly string[] = ['ECONNRESET', 'EPIPE'];

class ConnectionGone extends Error {}

/**
 * POSTs and resolves with the response once its head is complete. Redirects and upgrades are not followed. Where a kept
 * connection is closed before the head of an answer was complete, the request is made once more, over one of its own.
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
 * What it rejects may still be under way, and ends with its attempt. `https` speaks over whatever socket it is given, so it
 * serves plain http to this machine too; `node:http` would load much more.
 */
function post(attempt: SendAttempt, wanted: Wanted, { url, headers, body }: Exchange): Promise<IncomingMessage> {
  const connections = wanted.owner === undefined ? single : kept;
  return new Promise((resolve, reject) => {
    // A new connection goes through the stages before this one first.
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
    // A 101 that names no protocol arrives as a response.
    request.once('response', (response) => (response.statusCode === 101 ? switched() : resolve(response)));
    // Stays for good, because an error without a listener ends the process. After an answer it is nobody's concern.
    request.on('error', (error) => {
      const isGone = request.reusedSocket && interim === 0 && gone.includes(codeOf(error));
      reject(isGone ? new ConnectionGone() : sendFailure(error, 'exchange'));
    });
    request.end(body);
  });
}
