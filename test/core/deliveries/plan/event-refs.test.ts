/** What a message of the queue `events` says, in which order its events are planned, and what is handed on. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  chunksInOrder,
  continueLater,
  type EventToPlan,
  eventsTogether,
  furthest,
  pageOf,
  parseEventMessage,
} from '../../../../core/deliveries/plan/event-refs.ts';
import { log } from '../../../../core/log.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
afterEach(() => vi.restoreAllMocks());

const notice = (id: number, tenantId: number, after?: EventToPlan['after'], name = 'booking.created') => ({
  id,
  shard: 0,
  tenantId,
  name,
  after,
});
const notices = (from: number, count: number, tenantId: number, after?: EventToPlan['after']) =>
  Array.from({ length: count }, (_, i) => notice(from + i, tenantId, after));
const at = (keyId: number, webhookId: number) => ({ keyId, webhookId });

describe('a message', () => {
  const event = { id: 5, shard: 0, tenantId: 2 };
  const message = { 'detail-type': 'booking.created', detail: { events: [event] } };

  test('tells of each of its events, and may say more than is understood', () => {
    const other = { ...event, id: 6, shard: 3, occurredAt: 'now' };
    const text = JSON.stringify({ ...message, version: '0', detail: { events: [event, other], after: at(1, 9) } });
    expect(parseEventMessage(text)).toEqual([notice(5, 2, at(1, 9)), { ...notice(6, 2, at(1, 9)), shard: 3 }]);
    expect(parseEventMessage(JSON.stringify(message))).toEqual([notice(5, 2)]);
  });

  const withEvent = (changes: object) => ({ ...message, detail: { events: [{ ...event, ...changes }] } });
  const withPlace = (after: unknown) => ({ ...message, detail: { events: [event], after } });
  test.each<[string, unknown]>([
    ['no object', null],
    ['no name', { ...message, 'detail-type': undefined }],
    ['no detail', { ...message, detail: undefined }],
    ['no events', { ...message, detail: {} }],
    ['an empty list of events', { ...message, detail: { events: [] } }],
    ['an event without an id', withEvent({ id: undefined })],
    ['an event that counts from nothing', withEvent({ id: 0 })],
    ['an event of half an id', withEvent({ id: 1.5 })],
    ['an event without a shard', withEvent({ shard: undefined })],
    ['an event before the first shard', withEvent({ shard: -1 })],
    ['an event between shards', withEvent({ shard: 0.5 })],
    ['an event without a business', withEvent({ tenantId: undefined })],
    ['an event of no business', withEvent({ tenantId: 0 })],
    ['a place without a key', withPlace({ webhookId: 1 })],
    ['a place without a webhook', withPlace({ keyId: 1 })],
    ['a place before the first key', withPlace(at(0, 1))],
    ['a place before the first webhook', withPlace(at(1, 0))],
  ])('with %s is none', (_, body) => {
    expect(() => parseEventMessage(JSON.stringify(body))).toThrow();
  });
});

test.each([
  ['that has begun', [undefined, at(1, 1)], at(1, 1)],
  ['of the later key', [at(2, 1), at(1, 9)], at(2, 1)],
  ['of the later webhook of one key', [at(1, 9), at(1, 2)], at(1, 9)],
])('of two plans of an event the one %s goes on', (_, places, expected) => {
  for (const order of [places, places.toReversed()]) {
    expect(furthest(order.map((after) => notice(1, 1, after)))).toEqual([notice(1, 1, expected)]);
  }
});

test('events are planned together for the webhooks of one business, from one place on', () => {
  const pages = [notice(1, 1), notice(2, 1), notice(3, 2), notice(4, 1, at(1, 2)), notice(5, 1, at(12, 0))].map(pageOf);
  expect(pages[0]).toBe(pages[1]);
  expect(new Set(pages).size).toBe(4);
});

describe('portions', () => {
  test('begin with the first of each business, the fewest first, and keep the order of each', () => {
    const [flood, few, one] = [notices(1, 60, 1), notices(101, 3, 2), notices(201, 1, 3)];
    expect(chunksInOrder([...flood.toReversed(), ...few, ...one])).toEqual([
      [...one, ...few, ...flood.slice(0, 21)],
      flood.slice(21, 25),
      flood.slice(25, 50),
      flood.slice(50, 60),
    ]);
  });

  test('hold of a business the events of one place', () => {
    const [begun, other] = [notices(1, 2, 1), notices(11, 1, 1, at(1, 2))];
    expect(chunksInOrder([...other, ...begun])).toEqual([begun, other]);
  });
});

describe('what is handed on', () => {
  test('goes in messages of one business, place and name, and the answer says which of it was taken', async () => {
    vi.spyOn(log, 'warn').mockReturnValue();
    const pipeline = begin();
    const alike = notices(1, eventsTogether + 1, 1);
    const others = [notice(51, 2), notice(52, 1, at(3, 4)), notice(53, 1, undefined, 'booking.cancelled')];
    // For good.
    pipeline.refuseMessages = [[1], [0], [0], [0]];
    expect(await continueLater([...others, ...alike])).toMatchObject([{ id: 52 }]);
    expect(pipeline.queues.events.bodies.map((body) => JSON.parse(body))).toEqual([
      message([51], 2),
      message([53], 1, undefined, 'booking.cancelled'),
      message(
        alike.slice(0, eventsTogether).map(({ id }) => id),
        1,
      ),
      message([eventsTogether + 1], 1),
    ]);
    pipeline.queues.events.take();
    expect(await continueLater([notice(52, 1, at(3, 4))])).toEqual([]);
    expect(pipeline.queues.events.bodies.map((body) => JSON.parse(body))).toEqual([message([52], 1, at(3, 4))]);
  });

  const message = (ids: readonly number[], tenantId: number, after?: object, name = 'booking.created') => ({
    'detail-type': name,
    detail: { events: ids.map((id) => ({ id, shard: 0, tenantId })), ...(after && { after }) },
  });
});
