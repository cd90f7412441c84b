/**
 * What goes wrong between a function and its tables, put where a test wants it. Each run of a verb has its own faults,
 * so that many run at once over the one client that they share.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { dynamo } from '../../core/clients.ts';
import type { Write } from '../../core/store/transact.ts';
import { tableName } from './dynamo.ts';

export const faults = {
  /** Another transaction is in the way of the last item; the rest of the calls are refused as if they were throttled. */
  TransactionConflict: (items: number) =>
    items > 0
      ? new TransactionCanceledException({
          message: 'Transaction cancelled',
          $metadata: { httpStatusCode: 400 },
          CancellationReasons: Array.from({ length: items }, (_, i) => ({
            Code: i === items - 1 ? 'TransactionConflict' : 'None',
          })),
        })
      : refusal('ThrottlingException'),
  ProvisionedThroughputExceeded: () => refusal('ProvisionedThroughputExceededException'),
  Throttling: () => refusal('ThrottlingException'),
  InternalServerError: () => refusal('InternalServerError', 500),
  /** The call takes effect and its answer never arrives. */
  LostAnswer: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
  /** The call never arrives. */
  Unreachable: () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
} as const satisfies Record<string, (items: number) => Error>;

export type Fault = keyof typeof faults;

function refusal(name: string, httpStatusCode = 400): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode }, $fault: 'client' as const });
}

interface Plan {
  readonly fault: Fault;
  /** Whether the call with this number, from 0, goes wrong. The SDK's own retries are calls as well. */
  readonly hits: (call: number, isCommit: boolean) => boolean;
}

/** After the answer of the call with this number, from 0, so much time passes for this run. */
interface Delay {
  readonly after: number;
  readonly ms: number;
}

interface Run {
  readonly plan?: Plan | undefined;
  readonly delay?: Delay | undefined;
  readonly barrier?: Barrier | undefined;
  readonly change?: ((writes: Write[]) => Write[] | Promise<Write[]>) | undefined;
  /** Sent so far. */
  calls: number;
  /** Whether a call of it has written anything but its count of requests: before time passed, and after it did. */
  hasWritten?: boolean;
  hasWrittenLate?: boolean;
  /** How much later it is for this run than for all others. */
  lateMs?: number;
}

const runs = new AsyncLocalStorage<Run>();

/** Runs a verb with faults, and says how many calls it sent. */
export async function withFaults<T>(
  plan: Plan | undefined,
  verb: () => Promise<T>,
): Promise<{ calls: number; value: T }> {
  const run: Run = { plan, calls: 0 };
  const value = await within(run, verb);
  return { calls: run.calls, value };
}

/** Runs a verb for which time passes, and says whether it wrote anything before and after. `world.now` must be `lateClock`. */
export async function withDelay<T>(
  delay: Delay,
  verb: () => Promise<T>,
): Promise<{ value: T; calls: number; hasWritten: boolean; hasWrittenLate: boolean }> {
  const run: Run = { delay, calls: 0 };
  const value = await within(run, verb);
  const { calls, hasWritten = false, hasWrittenLate = false } = run;
  return { value, calls, hasWritten, hasWrittenLate };
}

/** The clock that `withDelay` moves: everybody else's stands at `base`, in epoch milliseconds. */
export function lateClock(base: number): () => number {
  return () => base + (runs.getStore()?.lateMs ?? 0);
}

/** Lets nobody commit until `parties` are about to: each decided on what was there before all of them. */
export interface Barrier {
  arrive(): Promise<void>;
}

export function barrierOf(parties: number): Barrier {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return {
    arrive: () => {
      arrived += 1;
      if (arrived >= parties) resolve();
      return promise;
    },
  };
}

/** Runs a verb whose first commit waits at the barrier. `change` plants a bug in what each of its commits writes. */
export function atBarrier<T>(barrier: Barrier, verb: () => Promise<T>, change?: Run['change']): Promise<T> {
  return within({ barrier, change, calls: 0 }, verb);
}

/** Runs verbs whose commits write what `change` makes of them: a planted bug. */
export function withBug<T>(change: NonNullable<Run['change']>, verb: () => Promise<T>): Promise<T> {
  return within({ change, calls: 0 }, verb);
}

function within<T>(run: Run, verb: () => Promise<T>): Promise<T> {
  install();
  return runs.run(run, verb);
}

let installed = false;

function install(): void {
  if (installed) return;
  installed = true;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const run = runs.getStore();
        if (!run || commandName !== 'TransactWriteItemsCommand') return next(args);
        await run.barrier?.arrive();
        const { change } = run;
        if (!change) return next(args);
        const input = args.input as { TransactItems: Write[] };
        return next({ ...args, input: { ...input, TransactItems: await change(input.TransactItems) } });
      },
    { name: 'atBarrier', step: 'initialize' },
  );
  // Below the SDK's own retries, so that those are made as they would be.
  dynamo().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const run = runs.getStore();
        if (!run) return next(args);
        const call = run.calls++;
        const { TransactItems = [], TableName } = args.input as { TransactItems?: unknown[]; TableName?: string };
        if (!run.plan?.hits(call, TransactItems.length > 0)) {
          const isLate = run.lateMs !== undefined;
          const answer = await next(args);
          if (isWrite(commandName, TableName)) run[isLate ? 'hasWrittenLate' : 'hasWritten'] = true;
          if (run.delay?.after === call) run.lateMs = run.delay.ms;
          return answer;
        }
        if (run.plan.fault === 'LostAnswer') await next(args);
        throw faults[run.plan.fault](TransactItems.length);
      },
    { name: 'withFaults', step: 'finalizeRequest', priority: 'low' },
  );
}

/** Counts of requests are updates of a table of their own. */
function isWrite(commandName: string, table: string | undefined): boolean {
  if (commandName === 'UpdateItemCommand') return table !== tableName('keys');
  return !/^(BatchGet|Get|Query|Scan|TransactGet)/.test(commandName);
}
