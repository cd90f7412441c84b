import { expect, test } from 'vitest';
import { eventExamples } from '../../../contract/event-examples.ts';
import { eventOf, type OutboxItem, outboxPut, raise } from '../../../core/events/event.ts';
import { outboxShards } from '../../../core/table-keys.ts';

process.env.TABLE_RECORDS = 'test-records';

const data = eventExamples['booking.created'];

test('An event is stored in the outbox of unsent events only once, and is read back unchanged', () => {
  const event = raise(7, 'booking.created', data, 0);
  const { Put } = outboxPut(event);
  expect(Put).toMatchObject({ TableName: 'test-records', ConditionExpression: 'attribute_not_exists(pk)' });
  expect(Put.Item.pk).toBe(`OUTBOX#${event.shard}`);
  expect(event.shard).toBeLessThan(outboxShards);
  expect(eventOf({ ...Put.Item, allPlanned: true } as unknown as OutboxItem)).toEqual(event);
});
