/** Writes API keys directly to the keys table. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { scopeNames } from '../../contract/scopes.ts';
import { newId, now } from '../../core/clock.ts';
import { createKeyValue, parseKeyValue } from '../../core/keys/key-value.ts';
import { windowsAt } from '../../core/limits/windows.ts';
import type { Admin } from '../../local/admin.ts';
import { tableName } from './dynamo.ts';

/** An active key with every scope, usable by agents, with no origins and unused limits, unless `attributes` differ. */
export async function issueKey(client: DynamoDBDocumentClient, attributes: Readonly<Record<string, unknown>> = {}) {
  const value = createKeyValue({ test: false });
  const hash = parseKeyValue(value)?.hash ?? '';
  const id = newId();
  const Item = {
    pk: hash,
    id,
    tenantId: 7,
    status: 'active',
    scopes: scopeNames,
    origins: [],
    test: false,
    agents: true,
    ...attributes,
  };
  await client.send(new PutCommand({ TableName: tableName('keys'), Item }));
  return { value, hash, id };
}

/** The item with a principal's request counters in the keys table. */
export async function readCounted(client: DynamoDBDocumentClient, pk: string): Promise<Record<string, unknown>> {
  const { Item } = await client.send(new GetCommand({ TableName: tableName('keys'), Key: { pk } }));
  return Item ?? {};
}

/**
 * Sets how many requests a key has made in this minute and day; 0 keeps the limits from interfering. Throws for a key
 * that is not active, because no function of `core/` writes counters without a key.
 */
export async function setUse({ db, table }: Admin, pk: string, requests: number): Promise<void> {
  const { minuteName, dayName } = windowsAt(now());
  await db.send(
    new UpdateCommand({
      TableName: table('keys'),
      Key: { pk },
      UpdateExpression: 'SET #minute = :requests, #day = :requests',
      ConditionExpression: '#status = :active',
      ExpressionAttributeNames: { '#minute': minuteName, '#day': dayName, '#status': 'status' },
      ExpressionAttributeValues: { ':requests': requests, ':active': 'active' },
    }),
  );
}
