/**
 * Repeats recorded responses in its own thread, so that a call waits for DynamoDB's response time, and not for an
 * emulator that handles one item after the other. Posts its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { questionOf, type Taught } from './taught.ts';

const answers = new Map<string, Taught[]>();
let afterMs = 0;

parentPort?.on('message', ({ taught, ms }: { readonly taught: readonly Taught[]; readonly ms: number }) => {
  const unasked = [...answers.values()].flat().length;
  answers.clear();
  for (const one of taught) answers.set(one.question, [...(answers.get(one.question) ?? []), one]);
  afterMs = ms;
  parentPort?.postMessage(unasked);
});

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.once('end', async () => {
    const question = questionOf(String(request.headers['x-amz-target']), Buffer.concat(parts).toString());
    const answer = answers.get(question)?.shift();
    if (!answer) return response.writeHead(400).end(JSON.stringify({ __type: 'NotTaught', message: question }));
    await pause(afterMs);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
});
server.listen({ port: 0, host: '127.0.0.1' }, () => parentPort?.postMessage((server.address() as AddressInfo).port));
