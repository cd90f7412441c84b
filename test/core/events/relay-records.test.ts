/** Which records of the stream are events, whatever else there is in it. */
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EventData, events } from '../../../contract/events.ts';
import { schedules } from '../../../contract/system/schedules.ts';
import { serving } from '../../../core/cause.ts';
import { eventBridge } from '../../../core/clients.ts';
import { firstIdAt, setRuntime } from '../../../core/clock.ts';
import { isLeftToSweeper, outboxPut, overdueMs, raise } from '../../../core/events/event.ts';
import { relay } from '../../../core/events/relay.ts';
import { log } from '../../../core/log.ts';
import { idsOf } from '../../support/backlog.ts';
import { streamEvent } from '../../support/queue-and-bus.ts';

const bus = mockClient(eventBridge());
const data: EventData<'service.deleted'> = events['service.deleted'].example;
const raised = () => raise(7, 'service.deleted', data, 0);
const put = (event: ReturnType<typeof raised>) => outboxPut(event).Put.Item;
const sent = () => bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? []);

beforeEach(() => {
  Object.assign(process.env, { EVENT_BUS: 'bus', TABLE_RECORDS: 'test-records' });
  setRuntime({ sleep: async () => {} });
  bus.reset();
  bus.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
});
afterEach(() => {
  setRuntime();
  vi.restoreAllMocks();
});
afterAll(() => bus.restore());

test.each<[string, Partial<DynamoDBRecord>]>([
  ['without a change', { dynamodb: undefined as never }],
  ['without an image', { dynamodb: { SequenceNumber: '1' } }],
  ['without a key', { dynamodb: { NewImage: {} } }],
  ['with another kind of key', { dynamodb: { NewImage: { pk: { N: '1' } } } }],
  ['of another partition', { dynamodb: { NewImage: { pk: { S: 'T#OUTBOX#1' }, sk: { S: 'BUSINESS' } } } }],
])('A stream record %s is skipped without an error, and the next event is published', async (_, record) => {
  const said = vi.spyOn(log, 'error').mockReturnValue();
  const event = raised();
  const { Records } = streamEvent([put(event)]);
  expect(await relay({ Records: [{ eventName: 'INSERT', ...record }, ...Records] })).toEqual({ batchItemFailures: [] });
  expect(idsOf(sent())).toEqual([event.id]);
  expect(said).not.toHaveBeenCalled();
});

test('Each event is published with the id of the request that caused it', async () => {
  const events = [serving('asked', raised), raised()];
  await relay(streamEvent(events.map(put)));
  const [{ Detail = '' } = {}] = sent();
  expect(JSON.parse(Detail).events.map((one: { requestId?: string }) => one.requestId)).toEqual(['asked', undefined]);
});

test('The relay leaves an event to the sweeper from when the sweeper counts it as overdue', () => {
  const at = Date.UTC(2026, 10, 24);
  const oldest = at - overdueMs - schedules.sweep.everyMinutes * 60_000;
  expect(isLeftToSweeper({ id: firstIdAt(oldest) - 1 }, at)).toBe(true);
  expect(isLeftToSweeper({ id: firstIdAt(oldest) }, at)).toBe(false);
});
