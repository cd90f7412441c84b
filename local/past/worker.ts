/** Runs in its own thread, because it needs the environment and clock of a function, which the run itself lacks. */
import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { demoBusiness } from '../demo.ts';

export interface PastOptions {
  readonly receiverUrl: string;
  readonly now: number;
  /** The folder of this process's compile cache, which a thread does not inherit. */
  readonly compiled: string | undefined;
}

const { receiverUrl, now, compiled } = workerData as PastOptions;
if (compiled !== undefined) module.enableCompileCache(compiled);
const { makePast } = await import('./make-past.ts');
parentPort?.postMessage(await makePast(demoBusiness(now), receiverUrl, now));
