/** The messages between a pool and the worker of one container. */

/** The data that a worker starts with. */
export interface Container {
  /** The file of the bundle; `exportName` is its exported handler. */
  readonly file: string;
  readonly exportName: string;
  /** The folder of the code, with a slash at the end. */
  readonly folderUrl: string;
  /** Whether layers may contain packages that the code lacks. */
  readonly hasLayers: boolean;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  /** One 32-bit integer, `frozen` or `thawed`, shared by the pool and the worker. */
  readonly state: SharedArrayBuffer;
}

export const frozen = 0;
export const thawed = 1;

export interface Invocation {
  readonly requestId: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'answer'; readonly payload: string }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string };
