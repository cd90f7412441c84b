import { describe, expect, test } from 'vitest';
import { succeeded } from '../src/queue-sources.ts';
import type { StreamRecord } from '../src/stream-reader.ts';
import { unfinished } from '../src/stream-sources.ts';

const failures = (...ids: unknown[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe('a batch of messages', () => {
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
    'The answer of a function to a batch of messages with %s decides which messages are deleted',
    (_, answer, expected) => {
      expect(done(answer)).toEqual(expected);
    },
  );
});

describe('a batch of stream records', () => {
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
    'The answer of a function to a batch of stream records with %s decides which are read again',
    (_, answer, expected) => {
      expect(left(answer)).toEqual(expected);
    },
  );

  test('Failed items of a batch are ignored unless the event source mapping asks for partial failures', () => {
    expect(left(failures('2'), false)).toEqual([]);
  });
});
