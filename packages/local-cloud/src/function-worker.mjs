// @ts-check
/**
 * Runs in a worker as one container of a function. It loads the bundle as Lambda does, then handles one invocation at a
 * time. Events and results are passed as JSON text, so that only values pass that could pass in the account.
 *
 * Between a result and the next invocation the container is frozen: no timer, promise or socket makes progress. Work
 * that the function did not await stops where it is.
 *
 * This is plain JavaScript with types in comments and loads no file of ours: each thread would strip the types of
 * TypeScript again, which took a third of a container's start.
 */
import { createRequire, findPackageJSON, registerHooks } from 'node:module';
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
 * Sends the result last; then the thread sleeps until the pool has the next invocation.
 *
 * @param {WorkerMessage} message
 */
function answerAndFreeze(message) {
  Atomics.store(state, 0, frozen);
  post(message);
  Atomics.wait(state, 0, frozen);
}

// A worker's streams need its event loop to flush, and a frozen worker has none.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (/** @type {Uint8Array | string} */ chunk, /** @type {unknown[]} */ ...more) => {
    post({ kind: 'output', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    const done = more.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
}

/** @param {string | undefined} url */
const isInCode = (url = '') => url.startsWith(container.folderUrl);

/** @param {string} url */
const isCommonJs = (url) => {
  if (!url.endsWith('.js') || !isInCode(url)) return false;
  const packageFile = findPackageJSON(url);
  return packageFile === undefined || !isInCode(pathToFileURL(packageFile).href);
};

/** Lambda's runtime has these packages. */
const ofRuntime = /\/node_modules\/@(?:aws-sdk|smithy)\//;

// In the account no project surrounds the code: neither its node_modules nor its package.json applies to the function.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isBeside = found.url.includes('/node_modules/') && !isInCode(found.url) && !ofRuntime.test(found.url);
    if (isBeside && isInCode(context.parentURL) && !container.hasLayers)
      throw new Error(`The code of ${container.functionName} does not contain the package ${specifier}.`);
    return found;
  },
  load(url, context, next) {
    return isCommonJs(url)
      ? { ...next(url, { ...context, format: 'commonjs' }), format: 'commonjs' }
      : next(url, context);
  },
});

const fileUrl = pathToFileURL(container.file).href;
/** @type {Record<string, unknown>} */
const loaded = isCommonJs(fileUrl) ? createRequire(fileUrl)(container.file) : await import(fileUrl);
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
    // Lambda's runtime logs the exception of a handler.
    console.error(error);
    answerAndFreeze(describe(error));
  }
});

post({ kind: 'ready' });
