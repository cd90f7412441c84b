/** What the bus took is not sent again, and what it left in the end is returned. */
import { PutEventsCommand, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventBridge } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import type { EventRef } from '../../../core/events/event.ts';
import { publish } from '../../../core/events/publish.ts';
import { log } from '../../../core/log.ts';

const bus = mockClient(eventBridge());
const pauses: number[] = [];
const notice = (id: number, name: EventRef['name'], more: Partial<EventRef> = {}): EventRef => ({
  id,
  name,
  shard: 3,
  tenantId: 7,
  occurredAt: '2026-11-24T08:30:00.000Z',
  ...more,
});
/** One entry each, for the names differ. */
const three = [notice(1, 'booking.created'), notice(2, 'booking.confirmed'), notice(3, 'booking.cancelled')];
const eventsIn = (Detail: string | undefined) => JSON.parse(Detail ?? '').events as EventRef[];
const sent = () =>
  bus
    .commandCalls(PutEventsCommand)
    .map(({ args }) => (args[0].input.Entries ?? []).flatMap(({ Detail }) => eventsIn(Detail).map(({ id }) => id)));

beforeEach(() => {
  process.env.EVENT_BUS = 'bus';
  bus.reset();
  pauses.length = 0;
  setRuntime({
    randomBytes: (size) => new Uint8Array(size).fill(255),
    sleep: async (ms) => {
      pauses.push(Math.round(ms));
    },
  });
});
afterEach(() => {
  setRuntime();
  vi.restoreAllMocks();
});
afterAll(() => bus.restore());

test('Events that the bus refuses are sent up to four times with growing pauses, and then returned', async () => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  const [taken, throttled, failed] = [{ EventId: 'x' }, { ErrorCode: 'Throttling' }, { ErrorCode: 'InternalFailure' }];
  bus
    .on(PutEventsCommand)
    .resolvesOnce({ FailedEntryCount: 2, Entries: [throttled, taken, failed] })
    .resolvesOnce({ FailedEntryCount: 2, Entries: [throttled, throttled] })
    .resolvesOnce({ FailedEntryCount: 1, Entries: [throttled, taken] })
    .resolves({ FailedEntryCount: 1, Entries: [throttled] });
  expect((await publish(three)).map(({ id }) => id)).toEqual([1]);
  expect(sent()).toEqual([[1, 2, 3], [1, 3], [1, 3], [1]]);
  expect(pauses).toEqual([100, 200, 400]);
  expect(warned.mock.calls.map(([, said]) => said)).toEqual([
    { refused: [1, 3], reasons: ['Throttling', 'InternalFailure'] },
    { refused: [1, 3], reasons: ['Throttling'] },
    { refused: [1], reasons: ['Throttling'] },
    { refused: [1], reasons: ['Throttling'] },
  ]);
});

test.each<[string, PutEventsResultEntry[] | undefined, string[]]>([
  ['no entry', undefined, []],
  ['fewer entries than it was sent', [{ ErrorCode: 'InternalFailure' }], ['InternalFailure']],
])('When the bus counts failures but answers with %s, all events count as refused', async (_, Entries, reasons) => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  bus.on(PutEventsCommand).resolves({ FailedEntryCount: 3, ...(Entries && { Entries }) });
  expect(await publish(three)).toEqual(three);
  expect(warned).toHaveBeenLastCalledWith(expect.any(String), { refused: [1, 2, 3], reasons });
});

test('A published event carries the id of its request; an operational event also carries its data', async () => {
  bus.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  const reported = notice(2, 'webhook.failing', { data: { webhookId: 5 } as never });
  expect(await publish([notice(1, 'booking.created', { requestId: 'asked' }), reported])).toEqual([]);
  const { name: _, ...rest } = reported;
  expect(bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? [])).toEqual([
    {
      EventBusName: 'bus',
      Source: 'booking',
      DetailType: 'booking.created',
      Detail: JSON.stringify({
        events: [{ id: 1, shard: 3, tenantId: 7, occurredAt: '2026-11-24T08:30:00.000Z', requestId: 'asked' }],
      }),
    },
    {
      EventBusName: 'bus',
      Source: 'booking',
      DetailType: 'webhook.failing',
      Detail: JSON.stringify({ events: [rest] }),
    },
  ]);
});
