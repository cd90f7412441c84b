import { readFileSync } from 'node:fs';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventExamples } from '../../../contract/event-examples.ts';
import type { EventName } from '../../../contract/events.ts';
import { type WebhookEventData, webhookEventData } from '../../../contract/system/operational-events.ts';
import { schedules } from '../../../contract/system/schedules.ts';
import { runWithRequestId } from '../../../core/cause.ts';
import { chunksOf } from '../../../core/chunks.ts';
import { eventBridge } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import {
  type Event,
  type OperationalEvent,
  outboxPut,
  overdueMs,
  raise,
  raiseOperational,
} from '../../../core/events/event.ts';
import { relay } from '../../../core/events/relay.ts';
import { log } from '../../../core/log.ts';
import { streamEvent } from '../../support/queue-and-bus.ts';

const bus = () => mockClient(eventBridge());
let mock: ReturnType<typeof bus>;
const taken = { FailedEntryCount: 0, Entries: [] };

beforeEach(() => {
  Object.assign(process.env, { TABLE_RECORDS: 'test-records', EVENT_BUS: 'the-bus' });
  log.setLogLevel('SILENT');
  setRuntime({ sleep: () => Promise.resolve() });
  mock = bus();
  mock.on(PutEventsCommand).resolves(taken);
});
afterEach(() => {
  mock.restore();
  setRuntime();
});

const data = eventExamples['review.created'];
const raised = (count: number, changes: Partial<typeof data> = {}) =>
  Array.from({ length: count }, () => raise(7, 'review.created', { ...data, ...changes }, 0) as Event);
const various = () =>
  Object.entries(eventExamples).map(([name, example]) => raise(7, name as EventName, example as never, 0) as Event);
const items = (some: readonly (Event | OperationalEvent)[]) => some.map((event) => outboxPut(event).Put.Item);
const entries = () => mock.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries ?? []);
const idsIn = (Detail: string | undefined): number[] =>
  JSON.parse(Detail ?? '').events.map(({ id }: { id: number }) => id);
const published = () =>
  entries()
    .flat()
    .flatMap(({ Detail }) => idsIn(Detail));

test('Events from the DynamoDB stream are published in order, up to a hundred in an event bus entry of at most 16 KB', async () => {
  const some = raised(250);
  expect(await relay(streamEvent(items(some)))).toEqual({ batchItemFailures: [] });
  expect(entries()).toHaveLength(1);
  const [all = []] = entries();
  expect(all.map(({ Detail }) => idsIn(Detail).length)).toEqual([100, 100, 50]);
  expect(published()).toEqual(some.map(({ id }) => id));
  // AWS bills an entry of up to 64 KB as one event.
  expect(all[0]?.Detail?.length).toBeLessThan(16 * 1_024);
  expect(all[0]).toMatchObject({ EventBusName: 'the-bus', Source: 'booking', DetailType: 'review.created' });
});

test('Events of different types are published in separate entries of the event bus, up to ten entries in a request', async () => {
  const some = [...various(), ...various()];
  expect(await relay(streamEvent(items(some)))).toEqual({ batchItemFailures: [] });
  const all = entries().flat();
  expect(all).toHaveLength(various().length);
  expect(entries().map(({ length }) => length)).toEqual(chunksOf(all, 10).map(({ length }) => length));
  for (const { Detail, DetailType } of entries().flat()) {
    expect(idsIn(Detail)).toEqual(some.filter(({ name }) => name === DetailType).map(({ id }) => id));
  }
});

test('Events about a thousand webhooks that fail at once are sent to EventBridge in requests of less than 256 KB', async () => {
  const health: WebhookEventData = {
    webhookId: 372418265088007,
    apiKeyId: 372418265088003,
    mode: 'live',
    status: 'active',
    consecutiveFailures: 3,
    failingSince: '2026-11-30T21:04:11.312Z',
    errorCode: 'connect_error',
  };
  const some = runWithRequestId('f2a1c0de-0000-4000-8000-000000000000', () =>
    Array.from({ length: 1_000 }, () => raiseOperational(372418265088001, 'webhook.failing', health, Date.now())),
  );
  await relay(streamEvent(items(some)));
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html
  const sizes = entries().map((request) =>
    request
      .map(({ Source = '', DetailType = '', Detail = '' }) => Buffer.byteLength(Source + DetailType + Detail))
      .reduce((sum, size) => sum + size, 0),
  );
  expect(Math.max(...sizes)).toBeLessThan(256 * 1_024);
  // Otherwise the test would not reach the limit.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(256 * 1_024);
  expect(published()).toEqual(some.map(({ id }) => id));
});

test('A message on the event bus names the event but contains none of its data', async () => {
  const [event] = raised(1, { text: 'x'.repeat(300_000) });
  expect(await relay(streamEvent(items(event ? [event] : [])))).toEqual({ batchItemFailures: [] });
  const { id, shard, tenantId, occurredAt } = event ?? {};
  expect(
    entries()
      .flat()
      .map(({ Detail }) => JSON.parse(Detail ?? '')),
  ).toEqual([{ events: [{ id, shard, tenantId, occurredAt }] }]);
});

test('The example of an operational event in docs/operating.md has the fields of the events on the event bus', async () => {
  const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  const example = JSON.parse(/```json\n(\{\n.*?)```/s.exec(page)?.[1] ?? '');
  const health = webhookEventData.parse(example.data);
  await relay(streamEvent(items([raiseOperational(372418265088001, 'webhook.disabled', health, Date.now())])));
  const { events } = JSON.parse(entries()[0]?.[0]?.Detail ?? '');
  expect(Object.keys(events[0])).toEqual(Object.keys(example));
});

test('If the event bus keeps refusing events, the batch of DynamoDB stream records is retried from the earliest refused event', async () => {
  const some = various();
  mock
    .on(PutEventsCommand)
    .callsFake(({ Entries }) => ({
      FailedEntryCount: 1,
      Entries: (Entries as { Detail: string }[]).map(({ Detail }) =>
        idsIn(Detail).some((id) => [some[4]?.id, some[8]?.id].includes(id))
          ? { ErrorCode: 'InternalFailure' }
          : { EventId: 'x' },
      ),
    }));
  expect(await relay(streamEvent(items(some)))).toEqual({ batchItemFailures: [{ itemIdentifier: '5' }] });
});

test('If the event bus does not respond, the whole batch of DynamoDB stream records is retried', async () => {
  mock.on(PutEventsCommand).rejects(new Error('no bus'));
  expect(await relay(streamEvent(items(raised(3))))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
});

test('Of the records in the DynamoDB stream, only new events are published, and no updates, deletions or items of other kinds', async () => {
  const event = streamEvent([...items(raised(2)), { pk: 'T#7', sk: 'BUSINESS', id: 7 }]);
  for (const [i, name] of (['MODIFY', 'REMOVE'] as const).entries()) {
    const record = event.Records[i];
    if (record) record.eventName = name;
  }
  expect(await relay(event)).toEqual({ batchItemFailures: [] });
  expect(entries()).toEqual([]);
});

test('An event that the stream delivers minutes late is not published, because the search for lost events publishes it', async () => {
  let at = Date.now();
  setRuntime({ sleep: () => Promise.resolve(), now: () => at });
  const [old] = raised(1);
  at += 1;
  const [fresh] = raised(1);
  at += overdueMs + schedules.sweep.everyMinutes * 60_000;
  expect(await relay(streamEvent(items([old as Event, fresh as Event])))).toEqual({ batchItemFailures: [] });
  expect(published()).toEqual([fresh?.id]);
});

test('A DynamoDB stream record that cannot be read does not block the other records of its batch', async () => {
  const [one, other] = raised(2);
  const event = streamEvent([
    { ...outboxPut(one as Event).Put.Item, data: '{' },
    outboxPut(other as Event).Put.Item,
    outboxPut(other as Event).Put.Item,
  ]);
  const image = event.Records[2]?.dynamodb?.NewImage;
  if (image) image.id = { X: 'no type of DynamoDB' } as never;
  expect(await relay(event)).toEqual({ batchItemFailures: [] });
  expect(published()).toEqual([other?.id]);
});
