/** Runs in a thread of its own: the verbs read the environment and the clock of a function, which the run itself has not. */
import { workerData } from 'node:worker_threads';
import type { Tenant } from './demo.ts';
import { makePast } from './demo-past.ts';

const { tenant, now } = workerData as { readonly tenant: Tenant; readonly now: number };
await makePast(tenant, now);
