import { expect, test } from 'vitest';
import { succeeded } from '../src/queue-sources.ts';
import type { StreamRecord } from '../src/stream-reader.ts';
import { unfinished } from '../src/stream-sources.ts';

const failures = (...ids: unknown[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

const messages = ['a', 'b', 'c'].map((MessageId) => ({ MessageId }));
const done = (answer: unknown) => succeeded(messages, answer).map(({ MessageId }) => MessageId);

test.each<[string, unknown, string[]]>([
  ['null', null, ['a', 'b', 'c']],
  ['an empty object', {}, ['a', 'b', 'c']],
  ['an empty list of failed items', failures(), ['a', 'b', 'c']],
  ['null as list of failed items', { batchItemFailures: null }, ['a', 'b', 'c']],
  ['one failed item', failures('b'), ['a', 'c']],
  ['a failed item with an unknown id', failures('b', 'x'), []],
  ['a failed item with an empty id', failures(''), []],
  ['a failed item with the id null', failures(null), []],
  ['a failed item without an id', { batchItemFailures: [{ id: 'a' }] }, []],
  ['text', 'ok', []],
])(
  'If a function returns %s for a batch of queue messages, the local queue deletes the messages that AWS would delete',
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
  ['an empty list of failed items', failures(), []],
  ['null', null, []],
  ['one failed item', failures('2'), ['2', '3']],
  ['several failed items', failures('3', '2'), ['2', '3']],
  ['a failed item with an unknown id', failures('9'), ['1', '2', '3']],
])(
  'If a function returns %s for a batch of stream records, the local run retries the records that AWS would retry',
  (_, answer, expected) => {
    expect(left(answer)).toEqual(expected);
  },
);

test('Without `ReportBatchItemFailures`, a local event source mapping ignores the failed items that a function returns', () => {
  expect(left(failures('2'), false)).toEqual([]);
});
