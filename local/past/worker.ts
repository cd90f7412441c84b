/** Runs in a thread of its own: the verbs read the environment and the clock of a function, which the run itself has not. */
import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { demoBusiness } from '../demo.ts';

export interface PastAsked {
  readonly receiverUrl: string;
  readonly now: number;
  /** Where this process keeps code that it compiled before. A thread does not know by itself. */
  readonly compiled: string | undefined;
}

const { receiverUrl, now, compiled } = workerData as PastAsked;
if (compiled !== undefined) module.enableCompileCache(compiled);
const { makePast } = await import('./make-past.ts');
parentPort?.postMessage(await makePast(demoBusiness(now), receiverUrl, now));
