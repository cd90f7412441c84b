/**
 * Runs inside a worker: one container of one function. Loads the bundle as Lambda does, then answers one invocation at
 * a time. Events and answers travel as JSON text, so that nothing crosses that could not cross in the account.
 *
 * Between an answer and the next invocation the container is frozen: no timer runs, no promise goes on, no socket is
 * read. What a function has not awaited is left where it stood.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { type Container, frozen, type Invocation, type WorkerMessage } from './container.ts';

type Handler = (event: unknown, context: object) => unknown;

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function describe(error: unknown): WorkerMessage {
  return error instanceof Error
    ? { kind: 'error', errorType: error.name, errorMessage: error.message }
    : { kind: 'error', errorType: typeof error, errorMessage: String(error) };
}

const container = workerData as Container;
const state = new Int32Array(container.state);

/** The answer is the last thing that leaves the container; the thread sleeps until the pool has the next invocation. */
function answerAndFreeze(message: WorkerMessage): void {
  Atomics.store(state, 0, frozen);
  post(message);
  Atomics.wait(state, 0, frozen);
}

// A worker's own streams need its event loop to get rid of what was written, and a frozen one has none.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: Uint8Array | string, ...more: unknown[]) => {
    post({ kind: 'said', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    const done = more.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
}

const loaded = (await import(pathToFileURL(container.file).href)) as Record<string, unknown>;
const handler = loaded[container.exportName];
if (typeof handler !== 'function') throw new Error(`${container.file} exports no function ${container.exportName}`);

parentPort?.on('message', async ({ requestId, event, deadline }: Invocation) => {
  const context = {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: container.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: container.functionArn,
    memoryLimitInMB: String(container.memoryMb),
    logGroupName: `/aws/lambda/${container.functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    const answer = await (handler as Handler)(JSON.parse(event), context);
    answerAndFreeze({ kind: 'answer', payload: JSON.stringify(answer) ?? 'null' });
  } catch (error) {
    // Lambda's runtime logs what a handler throws.
    console.error(error);
    answerAndFreeze(describe(error));
  }
});

post({ kind: 'ready' });
