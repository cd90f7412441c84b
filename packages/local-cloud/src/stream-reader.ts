/** Reads the emulator's streams beyond expired iterators, trimmed records and closed shards. */
import type { EmulatorClient } from './emulator-client.ts';

export interface StreamRecord {
  readonly eventID: string;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime?: number };
}

/** The oldest record, the end of the stream, or the record after a sequence number. */
export type Position = 'TRIM_HORIZON' | 'LATEST' | { readonly after: string };

export interface Cursor {
  readonly streamArn: string;
  readonly shardId: string;
  readonly iterator: string;
  /** The position of the iterator, for when the iterator is no longer valid. */
  readonly position: Position;
}

interface Page {
  readonly records: readonly StreamRecord[];
  readonly next: Cursor;
}

/** Reads streams by the ARNs of the templates. */
export interface StreamReader {
  open(streamArn: string, position: Position): Promise<Cursor>;
  read(cursor: Cursor, limit: number): Promise<Page>;
}

interface Shard {
  readonly ShardId: string;
  readonly SequenceNumberRange?: { readonly StartingSequenceNumber?: string };
}

export function streamReader(
  emulator: Pick<EmulatorClient, 'raw'>,
  streams: ReadonlyMap<string, string>,
): StreamReader {
  async function call(operation: string, body: object): Promise<Record<string, unknown>> {
    const answer = await emulator.raw(`DynamoDBStreams_20120810.${operation}`, Buffer.from(JSON.stringify(body)));
    const result = JSON.parse(answer.body.toString()) as Record<string, unknown>;
    if (answer.status === 200) return result;
    const refusal = new Error(`${operation}: ${String(result.message ?? result.__type)}`);
    throw Object.assign(refusal, { name: String(result.__type).split('#').at(-1) });
  }

  function emulatorArn(streamArn: string): string {
    const arn = streams.get(streamArn);
    if (!arn) throw new Error(`The templates have no stream ${streamArn}.`);
    return arn;
  }

  async function shardsOf(streamArn: string): Promise<readonly Shard[]> {
    const { StreamDescription } = await call('DescribeStream', { StreamArn: emulatorArn(streamArn) });
    return (StreamDescription as { Shards: readonly Shard[] }).Shards;
  }

  async function openShard(streamArn: string, shardId: string, position: Position): Promise<Cursor> {
    const { ShardIterator } = await call('GetShardIterator', {
      StreamArn: emulatorArn(streamArn),
      ShardId: shardId,
      ...(typeof position === 'string'
        ? { ShardIteratorType: position }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position.after }),
    });
    return { streamArn, shardId, iterator: String(ShardIterator), position };
  }

  /** If the records after the position are trimmed, starts with the oldest record. */
  async function open(streamArn: string, position: Position): Promise<Cursor> {
    const shards = await shardsOf(streamArn);
    return openShard(streamArn, shardAt(shards, position)?.ShardId ?? '', position).catch((error: Error) => {
      if (error.name !== 'TrimmedDataAccessException') throw error;
      return openShard(streamArn, shards[0]?.ShardId ?? '', 'TRIM_HORIZON');
    });
  }

  async function getRecords({ iterator }: Cursor, limit: number) {
    const { Records, NextShardIterator } = await call('GetRecords', { ShardIterator: iterator, Limit: limit });
    return {
      records: (Array.isArray(Records) ? Records : []) as readonly StreamRecord[],
      next: typeof NextShardIterator === 'string' ? NextShardIterator : undefined,
    };
  }

  /**
   * Replaces an iterator that the emulator rejects. An iterator expires after fifteen minutes, which happens when a
   * laptop sleeps. Amazon's emulator numbers the writes of all tables in one sequence, and treats an iterator from
   * before the first record of a stream as one of a trimmed record, unless that record is the first of all.
   */
  const instead: Readonly<Record<string, (cursor: Cursor) => Promise<Cursor>>> = {
    ExpiredIteratorException: ({ streamArn, shardId, position }) => openShard(streamArn, shardId, position),
    TrimmedDataAccessException: ({ streamArn, shardId }) => openShard(streamArn, shardId, 'TRIM_HORIZON'),
    ResourceNotFoundException: ({ streamArn }) => open(streamArn, 'TRIM_HORIZON'),
  };

  /** Amazon's emulator closes a shard after four hours and opens the next one. */
  async function shardAfter({ streamArn, shardId }: Cursor): Promise<Cursor | undefined> {
    const shards = await shardsOf(streamArn);
    const following = shards[shards.findIndex(({ ShardId }) => ShardId === shardId) + 1];
    return following && openShard(streamArn, following.ShardId, 'TRIM_HORIZON');
  }

  return {
    open,
    async read(from, limit) {
      let cursor = from;
      const { records, next } = await getRecords(cursor, limit).catch(async (error: Error) => {
        const replace = instead[error.name];
        if (!replace) throw error;
        cursor = await replace(cursor);
        return getRecords(cursor, limit);
      });
      const last = records.at(-1)?.dynamodb.SequenceNumber;
      const position = last === undefined ? cursor.position : { after: last };
      if (next !== undefined) return { records, next: { ...cursor, iterator: next, position } };
      // The iterator would return the same records again.
      const { streamArn, shardId } = cursor;
      return { records, next: (await shardAfter(cursor)) ?? (await openShard(streamArn, shardId, position)) };
    },
  };
}

/** Shards form a sequence. A sequence number belongs to the last shard that starts no later. */
function shardAt(shards: readonly Shard[], position: Position): Shard | undefined {
  if (position === 'TRIM_HORIZON') return shards[0];
  if (position === 'LATEST') return shards.at(-1);
  const begun = shards.filter(
    ({ SequenceNumberRange: range }) => BigInt(range?.StartingSequenceNumber ?? 0) <= BigInt(position.after),
  );
  return begun.at(-1) ?? shards[0];
}
