/**
 * Independent conditional writes: up to 25 in one call, each of which succeeds or fails alone, at the price of a single
 * write. A transaction costs twice as much (Amazon DynamoDB developer guide, "Capacity consumption for transactions"),
 * and BatchWriteItem has no conditions; PartiQL statements have both batches and conditions.
 */
import type { BatchStatementResponse } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../../contract/system/needs.ts';
import { chunksOf, forEachConcurrently } from '../chunks.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';
import type { Key } from './key.ts';

export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/** `refused`: the condition was false. `failed`: the result is unknown; read again. */
type WriteOutcome = 'done' | 'refused' | 'failed';

/** Puts an item that does not exist yet. The item contains no undefined values. */
export function insert(store: Store, item: object): Statement {
  const fields = Object.entries(item);
  return {
    Statement: `INSERT INTO "${env.table(store)}" VALUE {${fields.map(([name]) => `'${name}': ?`).join(', ')}}`,
    Parameters: fields.map(([, value]) => value),
  };
}

/** Sets fields of an item that has the expected values. */
export function update(store: Store, key: Key, fields: object, expected: object): Statement {
  const set = Object.entries(fields);
  const where = Object.entries({ pk: key.pk, sk: key.sk, ...expected });
  const equals = ([name]: [string, unknown]) => `"${name}" = ?`;
  return {
    Statement: `UPDATE "${env.table(store)}" SET ${set.map(equals).join(', ')} WHERE ${where.map(equals).join(' AND ')}`,
    Parameters: [...set, ...where].map(([, value]) => value),
  };
}

/** DynamoDB's limit of one BatchExecuteStatement. */
const statementsPerCall = 25;
/** Few attempts, because every caller reads and writes again what has failed. */
const retryPolicy: RetryPolicy = { attempts: 3, firstPauseMs: 50 };

/** Returns the result of each statement, in order. Never rejects. No two statements may write to the same item. */
export async function writeEach(statements: readonly Statement[]): Promise<readonly WriteOutcome[]> {
  const written = statements.map((): WriteOutcome => 'failed');
  const chunks = chunksOf([...statements.entries()], statementsPerCall);
  await forEachConcurrently(chunks, (chunk) => writeChunk(chunk, written));
  return written;
}

/** A statement and its position among all of them. */
type Positioned = readonly [number, Statement];

async function writeChunk(chunk: readonly Positioned[], written: WriteOutcome[]): Promise<void> {
  let left = chunk;
  await retrying(retryPolicy, async () => {
    for (const [position, end] of await execute(left)) written[position] = end;
    left = left.filter(([position]) => written[position] === 'failed');
    return left.length > 0 ? RETRY : undefined;
  });
}

/** The codes of DynamoDB for a statement whose condition was false. */
const conditionCodes: readonly unknown[] = ['ConditionalCheckFailed', 'DuplicateItem'];

async function execute(chunk: readonly Positioned[]): Promise<readonly (readonly [number, WriteOutcome])[]> {
  try {
    const { Responses = [] } = await dynamo().send(
      new BatchExecuteStatementCommand({ Statements: chunk.map(([, statement]) => statement) }),
    );
    const failed = Responses.flatMap(({ Error: one }) => (one && !conditionCodes.includes(one.Code) ? [one.Code] : []));
    if (failed.length > 0) log.warn('DynamoDB refused some writes of a batch', { reasons: [...new Set(failed)] });
    return chunk.map(([position], i) => [position, endOf(Responses[i])]);
  } catch (error) {
    log.warn('Writing a batch to DynamoDB failed', { error });
    return [];
  }
}

function endOf(response: BatchStatementResponse | undefined): WriteOutcome {
  if (!response) return 'failed';
  if (!response.Error) return 'done';
  return conditionCodes.includes(response.Error.Code) ? 'refused' : 'failed';
}
