/** What DynamoDB would charge for: the units of every call of a client, by the name of its command. */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export interface Spent {
  /** `GetItem`, `TransactWriteItems` and so on. */
  readonly operation: string;
  readonly units: number;
}

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);

export const isRead = ({ operation }: Spent): boolean => reads.has(operation);

export const sum = (spent: readonly Spent[]): number => spent.reduce((total, { units }) => total + units, 0);

/** Counts from here on. An emulator and tables in memory reckon as DynamoDB does: 4 KB a read unit, half for what may be stale, 1 KB a write unit, twice in a transaction. */
export function countUnits(client: DynamoDBDocumentClient): Spent[] {
  const spent: Spent[] = [];
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const { ConsumedCapacity: one = [] } = result.output as {
          ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
        };
        const units = [one].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
        spent.push({ operation: commandName.replace(/Command$/, ''), units });
        return result;
      },
    { step: 'initialize', name: 'countUnits', override: true },
  );
  return spent;
}
