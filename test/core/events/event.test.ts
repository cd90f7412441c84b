import { expect, test } from 'vitest';
import { type EventData, events } from '../../../contract/events.ts';
import { eventOf, type OutboxItem, outboxPut, raise } from '../../../core/events/event.ts';
import { outboxShards } from '../../../core/table-keys.ts';

process.env.TABLE_RECORDS = 'test-records';

const data = events['booking.created'].example as EventData<'booking.created'>;

test('An event contains its name, data, business, time and an id of its own', () => {
  const at = Date.UTC(2026, 10, 24, 8, 30);
  const [one, other] = [1, 2].map(() => raise(7, 'booking.created', data, at));
  expect(one).toEqual({
    id: expect.any(Number),
    shard: expect.any(Number),
    tenantId: 7,
    name: 'booking.created',
    occurredAt: '2026-11-24T08:30:00.000Z',
    data,
  });
  expect(Number.isSafeInteger(one?.id)).toBe(true);
  expect(one?.id).not.toBe(other?.id);
});

test('The outbox stores an event only once and returns the event unchanged', () => {
  const event = raise(7, 'booking.created', data, 0);
  const { Put } = outboxPut(event);
  expect(Put).toMatchObject({ TableName: 'test-records', ConditionExpression: 'attribute_not_exists(pk)' });
  expect(Put.Item.pk).toBe(`OUTBOX#${event.shard}`);
  expect(event.shard).toBeLessThan(outboxShards);
  expect(eventOf({ ...Put.Item, allPlanned: true } as unknown as OutboxItem)).toEqual(event);
});
