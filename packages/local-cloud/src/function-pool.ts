/**
 * The containers of one function: workers that each handle one invocation at a time. A pool starts empty, grows with
 * the load up to its limit, queues further invocations, and ends all but one of its idle workers.
 */
import { randomUUID } from 'node:crypto';
import inspector from 'node:inspector';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { type Container, type Invocation, thawed, type WorkerMessage } from './container.ts';
import type { LocalLog } from './log.ts';

export interface FunctionSettings extends Omit<Container, 'state'> {
  /** The complete environment of the function. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly maxWorkers: number;
}

export type Outcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly errorType: string; readonly errorMessage: string };

export interface FunctionPool {
  readonly maxWorkers: number;
  invoke(event: unknown): Promise<Outcome>;
  /** Replaces the containers after a change of the code; a busy one ends when it is idle. */
  renew(): void;
  stop(): Promise<void>;
}

interface Job {
  readonly event: string;
  readonly finish: (outcome: Outcome) => void;
}

const idleMsBeforeRelease = 30_000;
/** A longer queue is more than one machine can handle; Lambda would throttle as well. */
const queuedInvocationsMax = 10_000;

export function functionPool(settings: FunctionSettings, log: LocalLog): FunctionPool {
  const { maxWorkers } = settings;
  const waiting: Job[] = [];
  const all = new Set<PooledWorker>();
  const idle: PooledWorker[] = [];
  /** Busy workers with old code. */
  const outdated = new Set<PooledWorker>();
  let stopped = false;

  function next(): void {
    while (waiting.length > 0) {
      const worker = idleOne() ?? (all.size < maxWorkers ? grow() : undefined);
      if (!worker) return;
      const job = waiting.shift();
      if (job) run(worker, job);
    }
  }

  /** A worker that was started ahead may have failed to load its code. */
  function idleOne(): PooledWorker | undefined {
    let worker = idle.pop();
    while (worker && !worker.alive) {
      all.delete(worker);
      worker = idle.pop();
    }
    return worker;
  }

  function grow(): PooledWorker {
    const worker = new PooledWorker(settings, log);
    all.add(worker);
    return worker;
  }

  async function run(worker: PooledWorker, job: Job): Promise<void> {
    const outcome = await worker.run(job.event);
    if (worker.alive && !stopped && all.has(worker)) {
      idle.push(worker);
      worker.whenIdleFor(idleMsBeforeRelease, () => release(worker));
    } else {
      all.delete(worker);
      if (outdated.delete(worker)) void worker.end();
    }
    job.finish(outcome);
    next();
  }

  function release(worker: PooledWorker): void {
    const at = idle.indexOf(worker);
    if (at === -1 || all.size === 1) return;
    idle.splice(at, 1);
    all.delete(worker);
    void worker.end();
  }

  return {
    maxWorkers,
    invoke: (event) =>
      new Promise((finish) => {
        if (stopped) return finish(failed('Local.Stopped', 'The local run has stopped.'));
        if (waiting.length >= queuedInvocationsMax) return finish(failed('TooManyRequestsException', 'Rate Exceeded.'));
        waiting.push({ event: JSON.stringify(event), finish });
        next();
      }),
    renew() {
      const wasWarm = idle.length > 0;
      for (const worker of idle.splice(0)) {
        all.delete(worker);
        void worker.end();
      }
      for (const worker of all) outdated.add(worker);
      all.clear();
      if (wasWarm) idle.push(grow());
    },
    async stop() {
      stopped = true;
      for (const job of waiting.splice(0)) job.finish(failed('Local.Stopped', 'The local run has stopped.'));
      // A debugger may hold a thread, and ending it would wait for the debugger. These threads end with the process.
      const isHeld = inspector.url() !== undefined;
      await Promise.all([...all, ...outdated].map((worker) => (isHeld ? worker.forget() : worker.end())));
    },
  };
}

function failed(errorType: string, errorMessage: string): Outcome {
  return { ok: false, errorType, errorMessage };
}

class PooledWorker {
  alive = true;
  readonly #settings: FunctionSettings;
  readonly #log: LocalLog;
  readonly #worker: Worker;
  readonly #state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #ready: Promise<void>;
  #finish: ((outcome: Outcome) => void) | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(settings: FunctionSettings, log: LocalLog) {
    this.#settings = settings;
    this.#log = log;
    this.#worker = new Worker(new URL('./function-worker.mjs', import.meta.url), {
      env: { ...settings.environment },
      execArgv: settings.environment.NODE_OPTIONS?.includes('--enable-source-maps') ? ['--enable-source-maps'] : [],
      name: settings.functionName,
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb },
      stdout: true,
      stderr: true,
      workerData: { ...settings, state: this.#state.buffer } satisfies Container,
    });
    const output = new PassThrough();
    this.#logLines(output);
    // The thread prints why it dies, for example that its heap is full.
    this.#logLines(this.#worker.stdout);
    this.#logLines(this.#worker.stderr);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    this.#worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'output') output.write(message.text);
      else if (message.kind === 'answer') this.#settle({ ok: true, payload: JSON.parse(message.payload) });
      else this.#settle(failed(message.errorType, message.errorMessage));
    });
    // An uncaught exception, a full heap or an early exit ends the container, as in Lambda.
    this.#worker.on('error', (error) =>
      this.#die('Runtime.ExitError', error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    this.#worker.on('exit', () => this.#die('Runtime.ExitError', 'The container ended.'));
  }

  async run(event: string): Promise<Outcome> {
    clearTimeout(this.#idleTimer);
    const requestId = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#finish = resolve;
    await Promise.race([this.#ready, promise]);
    if (!this.alive) return promise;
    const timeoutMs = this.#settings.timeoutSeconds * 1_000;
    const timer = setTimeout(() => {
      this.#die(
        'Sandbox.Timedout',
        `RequestId: ${requestId} Error: Task timed out after ${this.#settings.timeoutSeconds.toFixed(2)} seconds`,
      );
      void this.#worker.terminate();
    }, timeoutMs);
    this.#worker.postMessage({ requestId, event, deadline: Date.now() + timeoutMs } satisfies Invocation);
    Atomics.store(this.#state, 0, thawed);
    Atomics.notify(this.#state, 0);
    const outcome = await promise;
    clearTimeout(timer);
    return outcome;
  }

  whenIdleFor(ms: number, act: () => void): void {
    this.#idleTimer = setTimeout(act, ms).unref();
  }

  forget(): void {
    clearTimeout(this.#idleTimer);
    this.#die('Local.Stopped', 'The local run has stopped.');
  }

  async end(): Promise<void> {
    this.forget();
    await this.#worker.terminate();
  }

  #settle(outcome: Outcome): void {
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.(outcome);
  }

  #die(errorType: string, errorMessage: string): void {
    if (!this.alive) return;
    this.alive = false;
    if (errorType !== 'Local.Stopped') {
      this.#log.write('local', this.#settings.functionName, `${errorType}: ${errorMessage}`);
    }
    this.#settle(failed(errorType, errorMessage));
  }

  #logLines(stream: Readable): void {
    createInterface({ input: stream }).on('line', (text) =>
      this.#log.write('function', this.#settings.functionName, text),
    );
  }
}
