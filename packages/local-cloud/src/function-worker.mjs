// @ts-check
/**
 * Runs inside a worker: one container of one function. Loads the bundle as Lambda does, then answers one invocation at
 * a time. Events and answers travel as JSON text, so that nothing crosses that could not cross in the account.
 *
 * Between an answer and the next invocation the container is frozen: no timer runs, no promise goes on, no socket is
 * read. What a function has not awaited is left where it stood.
 *
 * Plain JavaScript with its types in comments, and no file of ours is loaded: each thread would strip the types of
 * TypeScript again, and that took a third of a container's start.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** @import { Container, Invocation, WorkerMessage } from './container.ts' */

/** The same as in `container.ts`, or the types do not compile. @type {typeof import('./container.ts').frozen} */
const frozen = 0;

/** @param {WorkerMessage} message */
function post(message) {
  parentPort?.postMessage(message);
}

/**
 * @param {unknown} error
 * @returns {WorkerMessage}
 */
function describe(error) {
  return error instanceof Error
    ? { kind: 'error', errorType: error.name, errorMessage: error.message }
    : { kind: 'error', errorType: typeof error, errorMessage: String(error) };
}

/** @type {Container} */
const container = workerData;
const state = new Int32Array(container.state);

/**
 * The answer is the last thing that leaves the container; the thread sleeps until the pool has the next invocation.
 *
 * @param {WorkerMessage} message
 */
function answerAndFreeze(message) {
  Atomics.store(state, 0, frozen);
  post(message);
  Atomics.wait(state, 0, frozen);
}

// A worker's own streams need its event loop to get rid of what was written, and a frozen one has none.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (/** @type {Uint8Array | string} */ chunk, /** @type {unknown[]} */ ...more) => {
    post({ kind: 'output', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    const done = more.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
}

/** @type {Record<string, unknown>} */
const loaded = await import(pathToFileURL(container.file).href);
const handler = loaded[container.exportName];
if (typeof handler !== 'function') throw new Error(`${container.file} exports no function ${container.exportName}`);

parentPort?.on('message', async (/** @type {Invocation} */ { requestId, event, deadline }) => {
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
    const answer = await handler(JSON.parse(event), context);
    answerAndFreeze({ kind: 'answer', payload: JSON.stringify(answer) ?? 'null' });
  } catch (error) {
    // Lambda's runtime logs what a handler throws.
    console.error(error);
    answerAndFreeze(describe(error));
  }
});

post({ kind: 'ready' });
