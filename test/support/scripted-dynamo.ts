/**
 * DynamoDB whose calls follow a script: a table of rows, each of which says which calls it is for and what happens to them.
 *
 * @example Another request commits between the reads of `book` and its commit.
 * await scripted([{ when: 'TransactWriteItems', nth: 1, before: () => bookTheSameHour() }], book);
 *
 * @example Until the test ends, no batch is read, and of each other call it is recorded what it takes.
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

/** What a call asks for: the fields of its operation, and none of the others. */
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
  /** `TransactWriteItems`. */
  readonly operation: string;
  readonly input: Input;
}

export interface Row {
  /** An operation, or which calls. All of them, if left out. */
  readonly when?: string | ((call: Call) => boolean);
  /** Of those calls only this one, counted from 1, or these. All of them, if left out. */
  readonly nth?: number | ((nth: number) => boolean);
  /** Comes before the call: a change of another request, or time that passes. With `nth`, its own calls pass. */
  readonly before?: (call: Call) => unknown;
  /** The call never arrives: the error, or the name of one. */
  readonly fail?: string | ((call: Call) => Error);
  /**
   * Answers in the call's place. `send` makes the call, or another one: an answer that is stale, an answer that is lost,
   * an injected bug in what is written.
   */
  readonly answer?: (call: Call, send: (input?: Input) => Promise<Output>) => Output | Promise<Output>;
  /** Comes after the call's answer and before its caller sees it. */
  readonly after?: (call: Call, output: Output) => unknown;
}

export interface ScriptOptions {
  /** Whose calls: those of `core/clients.ts`, if left out. */
  readonly client?: DynamoDBDocumentClient;
  /** Counts and fails what is really sent: a call that the SDK repeats is several. */
  readonly attempts?: boolean;
  /** Records what each call takes. */
  readonly units?: boolean;
}

export interface RecordedCall extends Call {
  /** Capacity units, in `units` alone: 4 KB a read unit, half for what may be stale, 1 KB a write unit, twice in a transaction. */
  units: number;
}

export interface Script extends Disposable {
  /** What was called since the script began, or since a test emptied the list; failed calls too. */
  readonly calls: RecordedCall[];
  /** Their operations. */
  readonly operations: readonly string[];
  /** The units of all calls, of those that read, or of those that write. */
  units(kind?: 'read' | 'write'): number;
  /** Calls do as they please again. `using` does the same at the end of its block. */
  end(): void;
}

/** Whether an operation reads. All others write. */
export const isRead = (operation: string): boolean => /^(BatchGet|Get|Query|Scan|TransactGet)/.test(operation);

/** What `scripted` runs in: one token for each script around it. */
const scopes = new AsyncLocalStorage<readonly symbol[]>();

/** Begins a script for every call of a client. End it, or declare it with `using`. */
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
  // Below the SDK's own retries, in the one case, so that those are made as they would be.
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

/** Runs a verb by a script of its own: calls of others at the same time, over the same client, follow none of it. */
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
