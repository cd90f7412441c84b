/** A client of empty tables, for tests that need no business. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { openTables, type Tables } from './tables.ts';

/** Opens the tables before the tests of a file, and closes them after. Call the result inside a test only. */
export function useClient(): () => DynamoDBDocumentClient {
  let tables: Tables;
  let client: DynamoDBDocumentClient;
  beforeAll(async () => {
    tables = await openTables();
    client = tables.connect();
  });
  afterAll(async () => {
    client?.destroy();
    await tables?.stop();
  });
  return () => client;
}
