/** The content of a message in the queue `events`, and which of two plans continues. */
import { expect, onTestFinished, test } from 'vitest';
import {
  chunksInOrder,
  continueLater,
  type EventToPlan,
  eventsTogether,
  oncePerEvent,
  parseEventMessage,
} from '../../../../core/deliveries/plan/event-refs.ts';
import { intercept, queueAndBusEnvironment, sendBatch } from '../../../support/queue-and-bus.ts';

const notice = (id: number, tenantId: number, after?: EventToPlan['after'], name = 'booking.created') => ({
  id,
  shard: 0,
  tenantId,
  name,
  after,
});
const ids = (events: readonly EventToPlan[]) => events.map(({ id }) => id);
const at = (keyId: number, webhookId: number) => ({ keyId, webhookId });

const event = { id: 5, shard: 0, tenantId: 2 };
const message = { 'detail-type': 'booking.created', detail: { events: [event] } };

const withEvent = (changes: object) => ({ ...message, detail: { events: [{ ...event, ...changes }] } });
const withPosition = (after: unknown) => ({ ...message, detail: { events: [event], after } });
test.each<[string, unknown]>([
  ['no content', null],
  ['no event name', { ...message, 'detail-type': undefined }],
  ['an empty list of events', { ...message, detail: { events: [] } }],
  ['an event without an id', withEvent({ id: undefined })],
  ['an event with a negative outbox shard', withEvent({ shard: -1 })],
  ['an event of a business with the id 0', withEvent({ tenantId: 0 })],
  ['a position in the list of webhooks without an API key', withPosition({ webhookId: 1 })],
  ['a position in the list of webhooks with the webhook id 0', withPosition(at(1, 0))],
])('A queue message about an event is refused if it has %s', (_, body) => {
  expect(() => parseEventMessage(JSON.stringify(body))).toThrow();
});

test.each([
  ['the other is at the start of the list', [undefined, at(1, 1)], at(1, 1)],
  ['the other is at an earlier API key', [at(2, 1), at(1, 9)], at(2, 1)],
  ['the other is at an earlier webhook of the API key', [at(1, 9), at(1, 2)], at(1, 9)],
])(
  'If two queue messages continue one event at different webhooks, only the later webhook in the list counts (%s)',
  (_, positions, expected) => {
    for (const order of [positions, positions.toReversed()]) {
      expect(oncePerEvent(order.map((after) => notice(1, 1, after)))).toEqual([notice(1, 1, expected)]);
    }
  },
);

test('A flood of events of one business does not delay the first events of another business', () => {
  const flood = Array.from({ length: 900 }, (_, i) => notice(i + 1, 1));
  const others = Array.from({ length: 20 }, (_, i) => notice(10_000 + i, 2 + i));
  const portions = chunksInOrder([...flood, ...others]);
  expect(ids(portions[0] ?? []).slice(0, 20)).toEqual(ids(others));
  expect(Math.max(...portions.map(({ length }) => length))).toBe(eventsTogether);
  expect(ids(portions.flat()).sort((a, b) => a - b)).toEqual(ids([...flood, ...others]));
});

test('If deliveries were created for only some webhooks of several events, queue messages state for each event where to continue', async () => {
  const events = [notice(1, 1, at(1, 1)), notice(2, 1, at(1, 2)), notice(3, 2, at(1, 1))];
  expect(chunksInOrder(events.slice(0, 2)).map(ids)).toEqual([[1], [2]]);
  const sent: EventToPlan[] = [];
  Object.assign(process.env, queueAndBusEnvironment);
  const accept = (body: string) => void sent.push(...parseEventMessage(body));
  onTestFinished(
    intercept({ toBus: async () => ({}), toQueue: async (_, entries) => sendBatch(entries, () => true, accept) }),
  );
  expect(await continueLater(events)).toEqual([]);
  expect(sent).toEqual(events);
});
