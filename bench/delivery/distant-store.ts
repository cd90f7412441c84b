/**
 * Simulates DynamoDB at a distance. The emulator on this machine handles one item after the other: a batch of a hundred
 * would wait for it, and not for the network. So each batch is delivered twice. First the emulator responds, and its
 * responses are recorded; then a thread repeats them, each after a fixed number of milliseconds.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type RecordedResponse, requestKey } from './recorded-responses.ts';

export interface DistantStore {
  /** Records the emulator's responses. */
  listen(): void;
  /** Repeats the recorded responses, each once and after this number of milliseconds. */
  repeat(ms: number): Promise<void>;
  /** Uses the emulator again. Throws if a recorded response was not requested. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

export async function distantStore(client: DynamoDBDocumentClient): Promise<DistantStore> {
  const worker = new Worker(new URL('./recorded-thread.ts', import.meta.url));
  const [port] = (await once(worker, 'message')) as [number];
  const replaceResponses = async (responses: readonly RecordedResponse[], ms: number): Promise<number> => {
    worker.postMessage({ responses, ms });
    const [unrequested] = (await once(worker, 'message')) as [number];
    return unrequested;
  };
  const requestHandler = client.config.requestHandler;
  const handle: typeof requestHandler.handle = requestHandler.handle.bind(requestHandler);
  let responses: RecordedResponse[] = [];

  const keeping: typeof handle = async (request, options) => {
    const { response } = await handle(request, options);
    const body = await bytesOf(response.body);
    const key = requestKey(request.headers['x-amz-target'] ?? '', Buffer.from(request.body).toString());
    responses.push({ key, status: response.statusCode, headers: response.headers, body });
    return { response: Object.assign(response, { body }) };
  };
  const distant: typeof handle = (request, options) =>
    handle(Object.assign(request, { hostname: '127.0.0.1', port }), options);
  const answeredBy = (by: typeof handle) => Object.assign(requestHandler, { handle: by });

  return {
    listen() {
      responses = [];
      answeredBy(keeping);
    },
    async repeat(ms) {
      await replaceResponses(responses, ms);
      answeredBy(distant);
    },
    async pass() {
      deepStrictEqual(await replaceResponses([], 0), 0, 'The two deliveries of a batch made different requests');
      answeredBy(handle);
    },
    async close() {
      await worker.terminate();
    },
  };
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}
