/**
 * Runs inside a worker: one container of one function. Loads the bundle as Lambda does, then answers one invocation at
 * a time. Events and answers travel as JSON text, so that nothing crosses that could not cross in the account.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** What the worker is started with. */
export interface Container {
  /** File of the bundle, and the name of the export that handles. */
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
}

export interface Invocation {
  readonly requestId: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly payload: string }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string };

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
    post({ kind: 'answer', payload: JSON.stringify(answer) ?? 'null' });
  } catch (error) {
    // Lambda's runtime logs what a handler throws.
    console.error(error);
    post(describe(error));
  }
});

post({ kind: 'ready' });
