/**
 * Scripts of faults between a function and its tables. Each run of a function of `core/` has its own faults, so that
 * many can run concurrently over one shared client.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Write } from '../../core/store/write.ts';
import { tableName } from './dynamo.ts';
import { type Call, isRead, type Row, scripted } from './scripted-dynamo.ts';

export const faults = {
  /** Another transaction conflicts with the last item; the other calls are refused as throttled. */
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
  /** The call takes effect, but its response is lost. */
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
  /** Whether the call with this number, from 0, fails. The SDK's own retries count as calls. */
  readonly hits: (call: number, isCommit: boolean) => boolean;
}

/** The time that passes for this run after the response to the call with this number, from 0. */
interface Delay {
  readonly after: number;
  readonly ms: number;
}

/** Runs a function of `core/` with faults, and returns how many calls it sent. */
export function withFaults<T>(plan: Plan | undefined, verb: () => Promise<T>): Promise<{ calls: number; value: T }> {
  let call = 0;
  const rows: Row[] = plan
    ? [
        {
          when: ({ input }) => plan.hits(call++, input.TransactItems !== undefined),
          answer: async ({ input }, send) => {
            if (plan.fault === 'LostAnswer') await send();
            throw faults[plan.fault](input.TransactItems?.length ?? 0);
          },
        },
      ]
    : [];
  return scripted(rows, async ({ calls }) => ({ value: await verb(), calls: calls.length }), { attempts: true });
}

const lateness = new AsyncLocalStorage<{ ms: number }>();

/**
 * Runs a function of `core/` for which time passes, and returns whether it wrote before and after. The clock must be
 * `lateClock`.
 */
export function withDelay<T>(
  delay: Delay,
  verb: () => Promise<T>,
): Promise<{ value: T; calls: number; hasWritten: boolean; hasWrittenLate: boolean }> {
  const late = { ms: 0 };
  const written = new Set<'in time' | 'late'>();
  const rows: Row[] = [
    {
      when: isWrite,
      answer: async (_, send) => {
        const isLate = late.ms > 0;
        const output = await send();
        written.add(isLate ? 'late' : 'in time');
        return output;
      },
    },
    {
      nth: delay.after + 1,
      after: () => {
        late.ms = delay.ms;
      },
    },
  ];
  return lateness.run(late, () =>
    scripted(
      rows,
      async ({ calls }) => {
        const value = await verb();
        return { value, calls: calls.length, hasWritten: written.has('in time'), hasWrittenLate: written.has('late') };
      },
      { attempts: true },
    ),
  );
}

/** The clock that `withDelay` moves. For all other code it stays at `base`, in epoch milliseconds. */
export function lateClock(base: number): () => number {
  return () => base + (lateness.getStore()?.ms ?? 0);
}

/** Returns a function whose promises resolve when it was called this often: all commits then use the same state. */
export function barrierOf(runs: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived >= runs) resolve();
    return promise;
  };
}

type Change = (writes: Write[]) => Write[] | Promise<Write[]>;

/** An injected bug: `change` replaces the writes of each commit. */
export const writing = (change: Change): Row => ({
  when: 'TransactWriteItems',
  answer: async ({ input }, send) => send({ ...input, TransactItems: await change([...(input.TransactItems ?? [])]) }),
});

/**
 * Runs a function of `core/` whose first commit waits at the barrier. `change` is an injected bug in the writes of each
 * commit.
 */
export function atBarrier<T>(arrive: () => Promise<void>, verb: () => Promise<T>, change?: Change): Promise<T> {
  const waits: Row = { when: 'TransactWriteItems', before: arrive };
  return scripted([waits, ...(change ? [writing(change)] : [])], verb);
}

/** Runs functions of `core/` with an injected bug: `change` replaces the writes of each commit. */
export const withBug = <T>(change: Change, verb: () => Promise<T>): Promise<T> => scripted([writing(change)], verb);

/** Request counters do not count: they are updates of the keys table. */
function isWrite({ operation, input }: Call): boolean {
  return operation === 'UpdateItem' ? input.TableName !== tableName('keys') : !isRead(operation);
}
