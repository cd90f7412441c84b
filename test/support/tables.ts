/**
 * Empty tables for the tests of a file. By default they are in memory: the SDK's clients are real, with their retries, their
 * middlewares and the deadlines of `core/time-left.ts`. Only the way to an emulator is left out, and with it time-outs and
 * aborts of requests. `npm test -- --emulator=dynoxide` or `amazon` serves them all from an emulator, and a test whose subject
 * is what an emulator does, such as races, asks for one by itself. What a call takes is the same in memory:
 * `packages/memory-dynamo/test` holds it to an emulator, command by command.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../core/clients.ts';
import { tableShapes } from '../../local/table-shapes.ts';
import { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { connect, connectFunctions, createTables, type StartEmulator, startDynamo, tableName } from './dynamo.ts';

export interface Tables {
  /** A document client of their own. Destroy it in `afterAll`. */
  connect(): DynamoDBDocumentClient;
  stop(): Promise<void>;
}

/** Verbs and handlers talk to these tables from then on. Stop them in `afterAll`. */
export type OpenTables = () => Promise<Tables>;

export function onEmulator(start: StartEmulator = startDynamo): OpenTables {
  return async () => {
    const { endpoint, stop } = await start();
    await createTables(endpoint);
    connectFunctions(endpoint);
    return { connect: () => connect(endpoint), stop };
  };
}

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9';

export const inMemory: OpenTables = async () => {
  const store = new MemoryDynamo(tableShapes(tableName));
  connectFunctions(nowhere);
  serve(dynamo(), store);
  return { connect: () => serve(connect(nowhere), store), stop: async () => undefined };
};

export const openTables: OpenTables = process.env.DYNAMODB_EMULATOR ? onEmulator() : inMemory;

/** A request ends where the client would write it to its socket, and is neither serialised nor signed on the way there. */
function serve(client: DynamoDBDocumentClient, store: MemoryDynamo): DynamoDBDocumentClient {
  const stack = client.middlewareStack;
  const asked = new WeakMap<object, object>();
  stack.add(
    (next, context) => (args) => {
      asked.set(context, args.input);
      return next(args);
    },
    { name: 'asked', step: 'initialize', priority: 'low', override: true },
  );
  for (const name of ['serializerMiddleware', 'httpSigningMiddleware']) {
    stack.remove(name);
  }
  stack.add((next) => (args) => next({ ...args, request: { headers: {} } }), {
    // Others of the client stand beside it by this name.
    name: 'serializerMiddleware',
    step: 'serialize',
  });
  stack.add(
    (_next, context) => async () => {
      const name = context.commandName?.replace(/(Items?)?Command$/, 'Command');
      // As an answer over a socket would, it lets everything else run that is due.
      await new Promise(setImmediate);
      const output = store.execute({ input: asked.get(context) ?? {}, constructor: { name: String(name) } });
      return { output: { ...output, $metadata: {} }, response: {} };
    },
    { name: 'tablesInMemory', step: 'deserialize', priority: 'high', override: true },
  );
  return client;
}
