/** Tables of their own for tests that count the calls of a client. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { countCalls } from './count-calls.ts';
import { openTables, type Tables } from './tables.ts';

export interface CountedClient {
  readonly client: DynamoDBDocumentClient;
  /** Names of the commands that were sent since the test began, or since it emptied the list. */
  readonly calls: string[];
}

/** Opens the tables before the tests of a file, and stops them after them. What it returns may be used inside a test. */
export function useCountedClient(): () => CountedClient {
  let tables: Tables | undefined;
  let counted: CountedClient | undefined;
  const started = () => {
    if (!counted) throw new Error('The tables are there from the first test on.');
    return counted;
  };
  beforeAll(async () => {
    tables = await openTables();
    const client = tables.connect();
    counted = { client, calls: countCalls(client) };
  });
  beforeEach(() => {
    started().calls.length = 0;
  });
  afterAll(async () => {
    counted?.client.destroy();
    await tables?.stop();
  });
  return started;
}
