/** An engine of its own for tests that count the calls of a client. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { countCalls } from './count-calls.ts';
import { connect, connectFunctions, createTables, type Engine, startDynamo } from './dynamo.ts';

export interface CountedClient {
  readonly client: DynamoDBDocumentClient;
  /** Names of the commands that were sent since the test began, or since it emptied the list. */
  readonly calls: string[];
}

/** Starts the engine before the tests of a file, and stops it after them. What it returns may be used inside a test. */
export function useCountedClient(): () => CountedClient {
  let engine: Engine | undefined;
  let counted: CountedClient | undefined;
  const started = () => {
    if (!counted) throw new Error('The engine starts with the first test.');
    return counted;
  };
  beforeAll(async () => {
    engine = await startDynamo();
    await createTables(engine.endpoint);
    connectFunctions(engine.endpoint);
    const client = connect(engine.endpoint);
    counted = { client, calls: countCalls(client) };
  });
  beforeEach(() => {
    started().calls.length = 0;
  });
  afterAll(async () => {
    counted?.client.destroy();
    await engine?.stop();
  });
  return started;
}
