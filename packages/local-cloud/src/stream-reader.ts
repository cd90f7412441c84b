/** Reads the emulator's streams as long as they last: past iterators that end, records that are gone, and shards that close. */
import type { EmulatorClient } from './emulator-client.ts';

export interface StreamRecord {
  readonly eventID: string;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime?: number };
}

/** From the oldest record that there is, from now on, or after a sequence number. */
export type Position = 'TRIM_HORIZON' | 'LATEST' | { readonly after: string };

export interface Cursor {
  readonly streamArn: string;
  readonly shardId: string;
  readonly iterator: string;
  /** Where the iterator stands, for when it is of no use any more. */
  readonly position: Position;
}

interface Page {
  readonly records: readonly StreamRecord[];
  readonly next: Cursor;
}

/** Streams by the arns that templates know. */
export interface StreamReader {
  open(streamArn: string, position: Position): Promise<Cursor>;
  read(cursor: Cursor, limit: number): Promise<Page>;
  /** Where the mapping had got to in an earlier run on the same data. */
  checkpoint(mappingName: string): string | undefined;
  saveCheckpoint(mappingName: string, sequenceNumber: string): void;
}

export interface Checkpoints {
  get(name: string): string | undefined;
  set(name: string, sequenceNumber: string): void;
}

interface Shard {
  readonly ShardId: string;
  readonly SequenceNumberRange?: { readonly StartingSequenceNumber?: string };
}

export function streamReader(
  emulator: Pick<EmulatorClient, 'raw'>,
  streams: ReadonlyMap<string, string>,
  checkpoints: Checkpoints,
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

  /** Where records after that position are gone, from the oldest that there is. */
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
   * What an iterator is replaced by when the emulator refuses it. It is good for fifteen minutes, which a sleeping laptop
   * outlasts. Amazon's emulator numbers the writes of all tables in one row, and takes an iterator from before the first
   * record of a stream for one of a record that is gone, unless that record is the first of all.
   */
  const instead: Readonly<Record<string, (cursor: Cursor) => Promise<Cursor>>> = {
    ExpiredIteratorException: ({ streamArn, shardId, position }) => openShard(streamArn, shardId, position),
    TrimmedDataAccessException: ({ streamArn, shardId }) => openShard(streamArn, shardId, 'TRIM_HORIZON'),
    ResourceNotFoundException: ({ streamArn }) => open(streamArn, 'TRIM_HORIZON'),
  };

  /** Amazon's emulator closes a shard after four hours, and opens the next one. */
  async function shardAfter({ streamArn, shardId }: Cursor): Promise<Cursor | undefined> {
    const shards = await shardsOf(streamArn);
    const following = shards[shards.findIndex(({ ShardId }) => ShardId === shardId) + 1];
    return following && openShard(streamArn, following.ShardId, 'TRIM_HORIZON');
  }

  return {
    open,
    async read(asked, limit) {
      let cursor = asked;
      const { records, next } = await getRecords(cursor, limit).catch(async (error: Error) => {
        const replace = instead[error.name];
        if (!replace) throw error;
        cursor = await replace(asked);
        return getRecords(cursor, limit);
      });
      const last = records.at(-1)?.dynamodb.SequenceNumber;
      const position = last === undefined ? cursor.position : { after: last };
      if (next !== undefined) return { records, next: { ...cursor, iterator: next, position } };
      // Its iterator would bring the same records again.
      const { streamArn, shardId } = cursor;
      return { records, next: (await shardAfter(cursor)) ?? (await openShard(streamArn, shardId, position)) };
    },
    checkpoint: (name) => checkpoints.get(name),
    saveCheckpoint: (name, sequenceNumber) => checkpoints.set(name, sequenceNumber),
  };
}

/** Shards follow each other. The one that a sequence number is of is the last that begins no later. */
function shardAt(shards: readonly Shard[], position: Position): Shard | undefined {
  if (position === 'TRIM_HORIZON') return shards[0];
  if (position === 'LATEST') return shards.at(-1);
  const begun = shards.filter(
    ({ SequenceNumberRange: range }) => BigInt(range?.StartingSequenceNumber ?? 0) <= BigInt(position.after),
  );
  return begun.at(-1) ?? shards[0];
}
