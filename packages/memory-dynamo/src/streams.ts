/** The streams of tables: one shard each, whose iterators never expire. */
import { storedSize } from './capacity.ts';
import { invalid, missing, trimmed } from './refusals.ts';
import type { Storage } from './storage.ts';
import type { Change, Table } from './table.ts';
import { equal } from './value.ts';
import { toWireItem } from './wire.ts';

const shardId = 'shardId-00000000000000000000-00000000';
const pageMax = 1_000;

/** Returns the content of the stream record of a change, or undefined if the change changes nothing. */
export function recordOf({ before, after }: Change, table: Table, viewType: string): object | undefined {
  if (equal(before, after)) return undefined;
  const item = after ?? before ?? {};
  const shows = (image: 'NEW' | 'OLD') => [`${image}_IMAGE`, 'NEW_AND_OLD_IMAGES'].includes(viewType);
  return {
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      Keys: toWireItem(Object.fromEntries(table.shape.key.map((name) => [name, item[name]]))),
      ...(after && shows('NEW') && { NewImage: toWireItem(after) }),
      ...(before && shows('OLD') && { OldImage: toWireItem(before) }),
      SizeBytes: storedSize(before) + storedSize(after),
      StreamViewType: viewType,
    },
  };
}

type Operation = (input: Record<string, unknown>) => object;

/** The operations of DynamoDB Streams. An iterator is a stream's ARN with the number of the record before it. */
export function streamOperations(
  storage: Storage,
  viewTypeOf: (table: string) => string | undefined,
): Readonly<Record<string, Operation>> {
  function tableOf(streamArn: unknown): string {
    const [, table = ''] = /:table\/([^/]+)\/stream\//.exec(String(streamArn)) ?? [];
    if (viewTypeOf(table) === undefined) throw missing(`There is no stream ${streamArn}`);
    return table;
  }

  return {
    DescribeStream: ({ StreamArn }) => {
      const [first] = storage.records(tableOf(StreamArn), 0, 1);
      const StartingSequenceNumber = sequenceNumber(first?.number ?? storage.lastRecord + 1);
      const Shards = [{ ShardId: shardId, SequenceNumberRange: { StartingSequenceNumber } }];
      const StreamViewType = viewTypeOf(tableOf(StreamArn));
      return { StreamDescription: { StreamArn, StreamStatus: 'ENABLED', StreamViewType, Shards } };
    },
    GetShardIterator: ({ StreamArn, ShardIteratorType, SequenceNumber }) => {
      tableOf(StreamArn);
      const given = Number(SequenceNumber);
      const positions = new Map([
        ['TRIM_HORIZON', 0],
        ['LATEST', storage.lastRecord],
        ['AT_SEQUENCE_NUMBER', given - 1],
        ['AFTER_SEQUENCE_NUMBER', given],
      ]);
      const after = positions.get(String(ShardIteratorType));
      if (!Number.isSafeInteger(after)) throw invalid('The type of the iterator or its sequence number is invalid');
      // The number is of another emulator, which used the data folder before.
      if (Number(after) > storage.lastRecord) throw trimmed(`There is no record ${SequenceNumber}`);
      return { ShardIterator: `${StreamArn}|${after}` };
    },
    GetRecords: ({ ShardIterator, Limit = pageMax }) => {
      const [arn, after] = String(ShardIterator).split('|');
      const limit = Number(Limit);
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > pageMax)
        throw invalid(`The limit must be an integer from 1 to ${pageMax}`);
      if (!Number.isSafeInteger(Number(after))) throw invalid('The iterator is invalid');
      const found = storage.records(tableOf(arn), Number(after), limit);
      const Records = found.map(({ number, at, record }) => ({
        ...record,
        eventID: number.toString(16).padStart(32, '0'),
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        dynamodb: {
          ...(record as { readonly dynamodb: object }).dynamodb,
          ApproximateCreationDateTime: at,
          SequenceNumber: sequenceNumber(number),
        },
      }));
      return { Records, NextShardIterator: `${arn}|${found.at(-1)?.number ?? after}` };
    },
  };
}

/** A sequence number of DynamoDB has at least 21 digits. */
function sequenceNumber(number: number): string {
  return String(number).padStart(21, '0');
}
