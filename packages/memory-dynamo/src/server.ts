/**
 * `node server.ts HOST PORT [FILE]` serves the HTTP API of DynamoDB until it is ended, and keeps its tables in the file.
 * Web pages get no response: a browser sends `Origin`.
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Endpoint } from './endpoint.ts';

const [, , host = '127.0.0.1', port = '0', file] = process.argv;
const endpoint = new Endpoint(file);

createServer({ keepAliveTimeout: 60_000 }, async (incoming, outgoing) => {
  if (incoming.headers.origin !== undefined) return outgoing.writeHead(403).end();
  const body = await buffer(incoming).catch(() => undefined);
  // The client has gone.
  if (!body) return;
  const answer = endpoint.answer(String(incoming.headers['x-amz-target']), body.toString());
  outgoing.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer.body);
}).listen(Number(port), host);
