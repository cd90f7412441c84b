/**
 * Empty tables for the tests of a file. By default, the tables are in memory. The SDK's clients are real, with their
 * retries, their middlewares and the deadlines of `core/time-left.ts`; but no request leaves the process, so there are
 * no time-outs and aborts. `npm test -- --emulator=dynoxide` or `amazon` uses an emulator for all tables. A test about
 * the emulator's behaviour, such as races, always uses one. Consumed capacity is the same in memory:
 * `packages/memory-dynamo/test` compares it with an emulator for every command.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../core/clients.ts';
import { tableShapes } from '../../local/table-shapes.ts';
import { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { connect, connectFunctions, createTables, type StartEmulator, startDynamo, tableName } from './dynamo.ts';

export interface Tables {
  /** A new document client. Destroy it in `afterAll`. */
  connect(): DynamoDBDocumentClient;
  stop(): Promise<void>;
}

/** Opens tables and connects functions of `core/` and handlers to them. Stop them in `afterAll`. */
export type OpenTables = () => Promise<Tables>;

export function onEmulator(start: StartEmulator = startDynamo): OpenTables {
  return async () => {
    const { endpoint, stop } = await start();
    await createTables(endpoint);
    connectFunctions(endpoint);
    return { connect: () => connect(endpoint), stop };
  };
}

/** Nothing listens at this address. */
const nowhere = 'http://127.0.0.1:9';

export const inMemory: OpenTables = async () => {
  const store = new MemoryDynamo(tableShapes(tableName));
  connectFunctions(nowhere);
  serve(dynamo(), store);
  return { connect: () => serve(connect(nowhere), store), stop: async () => undefined };
};

export const openTables: OpenTables = process.env.DYNAMODB_EMULATOR ? onEmulator() : inMemory;

/** Intercepts a request where the client would write it to its socket, so that it is not serialised or signed. */
function serve(client: DynamoDBDocumentClient, store: MemoryDynamo): DynamoDBDocumentClient {
  const stack = client.middlewareStack;
  const inputs = new WeakMap<object, object>();
  stack.add(
    (next, context) => (args) => {
      inputs.set(context, args.input);
      return next(args);
    },
    { name: 'asked', step: 'initialize', priority: 'low', override: true },
  );
  for (const name of ['serializerMiddleware', 'httpSigningMiddleware']) {
    stack.remove(name);
  }
  stack.add((next) => (args) => next({ ...args, request: { headers: {} } }), {
    // Other middlewares of the client refer to this name.
    name: 'serializerMiddleware',
    step: 'serialize',
  });
  stack.add(
    (_next, context) => async () => {
      const name = context.commandName?.replace(/(Items?)?Command$/, 'Command');
      // Like a response over a socket, this lets all other due work run first.
      await new Promise(setImmediate);
      const output = store.execute({ input: inputs.get(context) ?? {}, constructor: { name: String(name) } });
      return { output: { ...output, $metadata: {} }, response: {} };
    },
    { name: 'tablesInMemory', step: 'deserialize', priority: 'high', override: true },
  );
  return client;
}
