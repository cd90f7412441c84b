/** One request and the head of its response, over a connection that is already there. */
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { limits } from '../../../contract/limits.ts';
import { SendFailure, sendFailure } from './failures.ts';

/** Interim responses (1xx) of one answer. More is a flood. */
const interimResponses = 8;

export interface Exchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * POSTs and resolves with the response once its head is complete. Redirects and upgrades are not followed.
 *
 * No `agent` is passed: `agent: false` would make Node ignore `createConnection` and dial by name. `https` speaks over
 * whatever socket it is given, so it serves plain http to this machine too; `node:http` would load much more.
 */
export function exchange(socket: Socket, { url, headers, body }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      setHost: false,
      headers: { ...headers, Host: url.host, 'Content-Length': String(body.byteLength), Connection: 'close' },
      maxHeaderSize: limits.responseHeaderBytes,
    });
    const stop = (failure: SendFailure) => {
      reject(failure);
      socket.destroy();
    };
    let interim = 0;
    let isAnswered = false;
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
      isAnswered = true;
      resolve(response);
    });
    // Stays for good: an error after the answer is nobody's concern.
    request.on('error', (error) => stop(sendFailure(error, 'exchange')));
    // Every request closes in the end. An error that nobody hears costs more, with its stack, than the signatures.
    request.once('close', () => (isAnswered ? undefined : stop(sendFailure(closed(), 'exchange'))));
    request.end(body);
  });
}

function closed(): Error {
  return Object.assign(new Error('closed'), { code: 'ECONNRESET' });
}
