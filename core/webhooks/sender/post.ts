/** One request and the head of its response, over a connection that was kept or is opened for it. */
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { limits } from '../../../contract/limits.ts';
import type { Attempt } from './attempt.ts';
import { Connections, type Wanted } from './connections.ts';
import { codeOf, SendFailure, sendFailure } from './failures.ts';

/** Interim responses (1xx) of one answer. More is a flood. */
const interimResponses = 8;

export interface Exchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const kept = new Connections({ keepAlive: true });
const single = new Connections({ keepAlive: false });

/** How a request ends over a connection that was closed while it was kept, when the news of it had not come yet. */
const gone: readonly string[] = ['ECONNRESET', 'EPIPE'];

/**
 * POSTs and resolves with the response once its head is complete. Redirects and upgrades are not followed. Where a kept
 * connection turns out to be gone before an answer has come, the request is made once more, over one of its own.
 *
 * `https` speaks over whatever socket it is given, so it serves plain http to this machine too; `node:http` would load
 * much more.
 */
export function exchange(attempt: Attempt, wanted: Wanted, message: Exchange): Promise<IncomingMessage> {
  const { url, headers, body } = message;
  const connections = wanted.owner === undefined ? single : kept;
  return new Promise((resolve, reject) => {
    attempt.enter('begin');
    const request = httpsRequest({
      ...connections.asWanted(wanted),
      method: 'POST',
      path: url.pathname + url.search,
      setHost: false,
      headers: { ...headers, Host: url.host, 'Content-Length': String(body.byteLength) },
      maxHeaderSize: limits.responseHeaderBytes,
    });
    if (request.reusedSocket) attempt.enter('exchange');
    request.once('socket', (socket) => connections.lend(socket, attempt));
    let isOver = false;
    let interim = 0;
    const stop = (failure: SendFailure) => {
      isOver = true;
      reject(failure);
      request.destroy();
    };
    const fail = (error: unknown) => {
      // An error after the answer is nobody's concern.
      if (isOver) return;
      if (!request.reusedSocket || interim > 0 || !gone.includes(codeOf(error))) {
        return stop(sendFailure(error, 'exchange'));
      }
      isOver = true;
      resolve(exchange(attempt, { ...wanted, owner: undefined }, message));
    };
    request.on('information', () => {
      interim += 1;
      if (interim <= interimResponses) return;
      stop(new SendFailure('protocol_error', 'The receiver sent too many interim responses.'));
    });
    const switched = () => stop(new SendFailure('protocol_error', 'The receiver switched to another protocol.'));
    request.once('upgrade', switched);
    // A 101 that names no protocol arrives as a response.
    request.once('response', (response) => {
      if (response.statusCode === 101) return switched();
      isOver = true;
      resolve(response);
    });
    // Stays for good, because an error that nobody hears ends the process.
    request.on('error', fail);
    // Every request closes in the end. An error that is made in vain costs more, with its stack, than the signatures.
    request.once('close', () => (isOver ? undefined : fail(closed())));
    request.end(body);
  });
}

function closed(): Error {
  return Object.assign(new Error('closed'), { code: 'ECONNRESET' });
}
