/**
 * The simplest receiver, in its own thread: reads a request and responds with 200, after the milliseconds in the query
 * `after`. Posts its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

const server = createServer((request, response) => {
  const afterMs = Number(/\?after=(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
  const answer = () => response.writeHead(200).end();
  request.resume().once('end', () => (afterMs > 0 ? setTimeout(answer, afterMs) : answer()));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () =>
  parentPort?.postMessage((server.address() as AddressInfo).port),
);
