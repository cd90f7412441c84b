/**
 * Repeats recorded responses in its own thread, so that a call waits for DynamoDB's response time, and not for an
 * emulator that handles one item after the other. Posts its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type RecordedResponse, requestKey } from './recorded-responses.ts';

const answers = new Map<string, RecordedResponse[]>();
let afterMs = 0;

parentPort?.on(
  'message',
  ({ responses, ms }: { readonly responses: readonly RecordedResponse[]; readonly ms: number }) => {
    const unrequested = [...answers.values()].flat().length;
    answers.clear();
    for (const one of responses) answers.set(one.key, [...(answers.get(one.key) ?? []), one]);
    afterMs = ms;
    parentPort?.postMessage(unrequested);
  },
);

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.once('end', async () => {
    const key = requestKey(String(request.headers['x-amz-target']), Buffer.concat(parts).toString());
    const answer = answers.get(key)?.shift();
    if (!answer) return response.writeHead(400).end(JSON.stringify({ __type: 'NotRecorded', message: key }));
    await pause(afterMs);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
});
server.listen({ port: 0, host: '127.0.0.1' }, () => parentPort?.postMessage((server.address() as AddressInfo).port));
