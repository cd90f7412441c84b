import { expect, test } from 'vitest';
import { type Cursor, type Position, streamReader } from '../src/stream-reader.ts';

type Answer = Readonly<Record<string, unknown>>;

const record = (nth: number) => ({ eventID: `e${nth}`, dynamodb: { SequenceNumber: `00${nth}` } });
const refusal = (name: string): Answer => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}` });

/**
 * Two shards of a stream, of which the first may be closed. Iterators are `shard/number`; these shard iterators or places
 * are refused.
 */
function emulator(refused: Readonly<Record<string, string>>, closed: boolean) {
  const shards = { old: closed ? [record(1), record(2)] : [record(1), record(2), record(3)], new: [record(4)] };
  const answers: Readonly<Record<string, (body: Answer) => Answer>> = {
    DescribeStream: () => ({
      StreamDescription: {
        Shards: [
          { ShardId: 'old', SequenceNumberRange: { StartingSequenceNumber: '001' } },
          ...(closed ? [{ ShardId: 'new', SequenceNumberRange: { StartingSequenceNumber: '003' } }] : []),
        ],
      },
    }),
    GetShardIterator: ({ ShardId, ShardIteratorType, SequenceNumber }) => ({
      ShardIterator: `${ShardId}/${SequenceNumber ?? ShardIteratorType}`,
    }),
    GetRecords: ({ ShardIterator }) => {
      const [shard = '', position = ''] = String(ShardIterator).split('/');
      const all = shards[shard as keyof typeof shards];
      const Records = all.filter(({ dynamodb }) => !/\d/.test(position) || dynamodb.SequenceNumber > position);
      const isOver = closed && shard === 'old';
      return { Records, ...(!isOver && { NextShardIterator: `${shard}/009` }) };
    },
  };
  return {
    raw: async (target: string, body: Buffer) => {
      const operation = target.split('.')[1] ?? '';
      const answer = answers[operation]?.(JSON.parse(body.toString())) ?? {};
      const why = refused[String(JSON.parse(body.toString()).ShardIterator ?? answer.ShardIterator)];
      const shown = why === undefined ? answer : refusal(why);
      return { status: why === undefined ? 200 : 400, headers: {}, body: Buffer.from(JSON.stringify(shown)) };
    },
  };
}

/** The records of three reads from this position. */
async function readFrom(position: Position, refused: Readonly<Record<string, string>>, closed = false) {
  const reader = streamReader(emulator(refused, closed), new Map([['arn', 'arn']]));
  let cursor: Cursor = await reader.open('arn', position);
  const read: string[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const { records, next } = await reader.read(cursor, 10);
    read.push(...records.map(({ eventID }) => eventID));
    cursor = next;
  }
  return read;
}

test.each<[string, Position, Record<string, string>, boolean, string[]]>([
  ['from the beginning of an open shard', 'TRIM_HORIZON', {}, false, ['e1', 'e2', 'e3']],
  ['from a closed shard into its successor', 'TRIM_HORIZON', {}, true, ['e1', 'e2', 'e4']],
  ['from a stored position in a closed shard', { after: '001' }, {}, true, ['e2', 'e4']],
  ['from a stored position in the open shard', { after: '003' }, {}, true, ['e4']],
  [
    'from the oldest stored record if the emulator refuses the position LATEST',
    'LATEST',
    { 'old/LATEST': 'TrimmedDataAccessException' },
    false,
    ['e1', 'e2', 'e3'],
  ],
  [
    'from the oldest stored record if the record of a stored position has expired',
    { after: '002' },
    { 'old/002': 'TrimmedDataAccessException' },
    false,
    ['e1', 'e2', 'e3'],
  ],
])('A local run reads each record of a DynamoDB stream once, %s', async (_, position, refused, closed, expected) => {
  expect(await readFrom(position, refused, closed)).toEqual(expected);
});

test('If a DynamoDB stream shard closes before its successor exists, a local run reads the two shards once and in order', async () => {
  const refused = {};
  const [open, closed] = [emulator(refused, false), emulator(refused, true)];
  let isNextThere = false;
  const raw: typeof closed.raw = (target, body) =>
    (target.endsWith('DescribeStream') && !isNextThere ? open : closed).raw(target, body);
  const reader = streamReader({ raw }, new Map([['arn', 'arn']]));
  const first = await reader.read(await reader.open('arn', 'TRIM_HORIZON'), 10);
  const second = await reader.read(first.next, 10);
  isNextThere = true;
  const third = await reader.read(second.next, 10);
  const last = await reader.read(third.next, 10);
  const read = [first, second, third, last].map(({ records }) => records.map(({ eventID }) => eventID));
  expect(read).toEqual([['e1', 'e2'], [], [], ['e4']]);
});

test('After a DynamoDB shard iterator has expired, a local run reads no record of the stream twice', async () => {
  const refused: Record<string, string> = {};
  const reader = streamReader(emulator(refused, false), new Map([['arn', 'arn']]));
  const { next } = await reader.read(await reader.open('arn', { after: '001' }), 1);
  refused[next.iterator] = 'ExpiredIteratorException';
  expect(next.position).toEqual({ after: '003' });
  expect((await reader.read(next, 10)).records).toEqual([]);
});

test('If reading a DynamoDB stream fails with an unknown error, a local run passes this error on', async () => {
  await expect(readFrom('LATEST', { 'old/LATEST': 'InternalServerError' })).rejects.toThrow('InternalServerError');
});
