import { expect, test } from 'vitest';
import { succeeded } from '../src/queue-sources.ts';
import type { StreamRecord } from '../src/stream-reader.ts';
import { unfinished } from '../src/stream-sources.ts';

const failures = (...ids: unknown[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

const messages = ['a', 'b', 'c'].map((MessageId) => ({ MessageId }));
const done = (answer: unknown) => succeeded(messages, answer).map(({ MessageId }) => MessageId);

test.each<[string, unknown, string[]]>([
  ['no answer', null, ['a', 'b', 'c']],
  ['an empty object', {}, ['a', 'b', 'c']],
  ['no failures', failures(), ['a', 'b', 'c']],
  ['null for failures', { batchItemFailures: null }, ['a', 'b', 'c']],
  ['one failure', failures('b'), ['a', 'c']],
  ['an unknown id', failures('b', 'x'), []],
  ['an empty id', failures(''), []],
  ['a null id', failures(null), []],
  ['another name for the id', { batchItemFailures: [{ id: 'a' }] }, []],
  ['text', 'ok', []],
])(
  'After a function responds to a batch of queue messages with %s, the local queue deletes the same messages as AWS',
  (_, answer, expected) => {
    expect(done(answer)).toEqual(expected);
  },
);

const batch: StreamRecord[] = ['1', '2', '3'].map((SequenceNumber) => ({
  eventID: SequenceNumber,
  dynamodb: { SequenceNumber },
}));
const left = (answer: unknown, reports = true) =>
  unfinished(batch, answer, { FunctionResponseTypes: reports ? ['ReportBatchItemFailures'] : undefined }).map(
    ({ eventID }) => eventID,
  );

test.each<[string, unknown, string[]]>([
  ['no failures', failures(), []],
  ['no answer', null, []],
  ['one failure: it and all after it', failures('2'), ['2', '3']],
  ['several failures: from the first', failures('3', '2'), ['2', '3']],
  ['an unknown id: all of it', failures('9'), ['1', '2', '3']],
])(
  'After a function responds to a batch of stream records with %s, the same records are read again as in AWS',
  (_, answer, expected) => {
    expect(left(answer)).toEqual(expected);
  },
);

test('Failed items that a function lists are ignored unless the event source mapping asks for partial batch failures', () => {
  expect(left(failures('2'), false)).toEqual([]);
});
