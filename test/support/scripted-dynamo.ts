/**
 * Scripts calls to DynamoDB with a table of rows: each row selects calls and defines what happens to them.
 *
 * @example Another request commits between the reads of `book` and its commit.
 * await scripted([{ when: 'TransactWriteItems', nth: 1, before: () => bookTheSameHour() }], book);
 *
 * @example Until the test ends, batch reads fail, and the capacity units of all other calls are recorded.
 * using script = scriptDynamo([{ when: 'BatchGetItem', fail: 'ThrottlingException' }], { units: true });
 * await list();
 * expect(script.operations).toEqual(['Query', 'BatchGetItem']);
 * expect(script.units()).toBeLessThanOrEqual(2);
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../core/clients.ts';
import type { Write } from '../../core/store/write.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** The input of a call: the fields of its operation, and none of the others. */
export interface Input extends Attributes {
  readonly TableName?: string;
  readonly Key?: Readonly<Record<string, string>>;
  readonly Item?: Attributes;
  readonly ConsistentRead?: boolean;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  // Values of unlike types, of which a test knows its own.
  // biome-ignore lint/suspicious/noExplicitAny: as the document client has them
  readonly ExpressionAttributeValues?: Readonly<Record<string, any>>;
  readonly RequestItems?: Readonly<Record<string, object>>;
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters?: readonly unknown[] }[];
  readonly TransactItems?: readonly Write[];
}

export interface Output extends Attributes {
  readonly Items?: readonly Attributes[];
  readonly Item?: Attributes;
}

export interface Call {
  /** The name of the operation, such as `TransactWriteItems`. */
  readonly operation: string;
  readonly input: Input;
}

export interface Row {
  /** An operation, or a condition for calls. By default all calls match. */
  readonly when?: string | ((call: Call) => boolean);
  /** The number of the matching call, counted from 1, or a condition for it. By default all match. */
  readonly nth?: number | ((nth: number) => boolean);
  /** Runs before the call: another request, or time that passes. With `nth`, its own calls are not scripted. */
  readonly before?: (call: Call) => unknown;
  /** The call never arrives and fails with this error, or with an error of this name. */
  readonly fail?: string | ((call: Call) => Error);
  /**
   * Replaces the call. `send` makes it, or a different one: for a stale or lost response, or an injected bug in a
   * write.
   */
  readonly answer?: (call: Call, send: (input?: Input) => Promise<Output>) => Output | Promise<Output>;
  /** Runs after the response and before the caller receives it. */
  readonly after?: (call: Call, output: Output) => unknown;
}

export interface ScriptOptions {
  /** The client whose calls are scripted. By default those of `core/clients.ts`. */
  readonly client?: DynamoDBDocumentClient;
  /** Counts and fails each HTTP request: the SDK's retries are calls of their own. */
  readonly attempts?: boolean;
  /** Records the capacity of each call. */
  readonly units?: boolean;
}

export interface RecordedCall extends Call {
  /**
   * Set with `units`. A read unit is 4 KB, half if eventually consistent; a write unit 1 KB, twice in a transaction.
   */
  units: number;
}

export interface Script extends Disposable {
  /** All calls since the script began or a test emptied the list, including failed ones. */
  readonly calls: RecordedCall[];
  readonly operations: readonly string[];
  /** The units of all calls, of reads, or of writes. */
  units(kind?: 'read' | 'write'): number;
  /** Ends the script. `using` does this at the end of its block. */
  end(): void;
}

export const isRead = (operation: string): boolean => /^(BatchGet|Get|Query|Scan|TransactGet)/.test(operation);

/** The async context of `scripted`: one token for each enclosing script. */
const scopes = new AsyncLocalStorage<readonly symbol[]>();

/** Starts a script for every call of a client. End it, or declare it with `using`. */
export function scriptDynamo(rows: readonly Row[] = [], options: ScriptOptions = {}, scope?: symbol): Script {
  const { client = dynamo(), attempts = false, units = false } = options;
  const calls: RecordedCall[] = [];
  const steps = rows.map(stepOf);

  const middleware: Middleware =
    (next, { commandName = '' }) =>
    async (args) => {
      if (scope && !scopes.getStore()?.includes(scope)) return next(args);
      const input = args.input as Input;
      const recorded = { operation: commandName.replace(/Command$/, ''), input, units: 0 };
      calls.push(recorded);
      let result: Awaited<ReturnType<typeof next>> | undefined;
      const send: Send = async ({ input: sent }) => {
        result = await next({ ...args, input: units ? { ...sent, ReturnConsumedCapacity: 'TOTAL' } : sent });
        const output = result.output as Output & { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
        const { ConsumedCapacity: consumed = [] } = output;
        for (const { CapacityUnits = 0 } of [consumed].flat()) recorded.units += CapacityUnits;
        return output;
      };
      const follow = steps.reduceRight<Send>((inner, step) => (call) => step(call, inner), send);
      const output = await follow(recorded);
      return { response: {}, ...result, output };
    };
  // With `attempts` the middleware is below the SDK's retries, so that they still happen.
  if (attempts) client.middlewareStack.add(middleware as never, { step: 'finalizeRequest', priority: 'low' });
  else client.middlewareStack.add(middleware as never, { step: 'initialize' });
  const end = () => void client.middlewareStack.remove(middleware as never);
  return {
    calls,
    get operations() {
      return calls.map(({ operation }) => operation);
    },
    units: (kind) =>
      calls
        .filter(({ operation }) => !kind || isRead(operation) === (kind === 'read'))
        .reduce((sum, call) => sum + call.units, 0),
    end,
    [Symbol.dispose]: end,
  };
}

/** Runs a function with its own script. Concurrent calls of other functions over the same client do not follow it. */
export async function scripted<T>(
  rows: readonly Row[],
  verb: (script: Script) => Promise<T>,
  options?: ScriptOptions,
): Promise<T> {
  const scope = Symbol('script');
  using script = scriptDynamo(rows, options, scope);
  return await scopes.run([...(scopes.getStore() ?? []), scope], () => verb(script));
}

type Send = (call: Call) => Promise<Output>;
type Args = { readonly input: object };
type Result = { readonly output: object; readonly response: unknown };
type Middleware = (
  next: (args: Args) => Promise<Result>,
  context: { readonly commandName?: string },
) => (args: Args) => Promise<Result>;

function stepOf({ when, nth, before, fail, answer, after }: Row): (call: Call, send: Send) => Promise<Output> {
  let count = 0;
  const isFor = (call: Call) => {
    if (when !== undefined && !(typeof when === 'string' ? when === call.operation : when(call))) return false;
    count += 1;
    return nth === undefined || (typeof nth === 'number' ? nth === count : nth(count));
  };
  return async (call, send) => {
    if (!isFor(call)) return send(call);
    await before?.(call);
    if (fail) throw typeof fail === 'string' ? Object.assign(new Error(fail), { name: fail }) : fail(call);
    const sent = (input = call.input) => send({ ...call, input });
    const output = await (answer ? answer(call, sent) : sent());
    await after?.(call, output);
    return output;
  };
}
