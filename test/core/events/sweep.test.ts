import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { schedules } from '../../../contract/system/schedules.ts';
import { type EventRef, overdueMs } from '../../../core/events/event.ts';
import { inTurns, slice } from '../../../core/events/sweep.ts';
import { records } from '../../../core/table-keys.ts';
import { idsOf, useBacklog } from '../../support/backlog.ts';

vi.mock('../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../core/table-keys.ts')>()),
  outboxShards: 64,
}));

const scene = useBacklog();
const { start } = scene;
const hour = 3_600_000;

test('The sweeper asks every outbox shard for events that are older than two minutes', async () => {
  const old = scene.raised();
  const young = scene.raised();
  scene.at = start + overdueMs + 1;
  await scene.sweep();
  expect(scene.published).toEqual([old.id]);
  const asked = scene.table.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues);
  expect(asked.map((values) => values?.[':shard'])).toEqual(Array.from({ length: 64 }, (_, i) => `OUTBOX#${i}`));
  expect([...scene.outbox.values()].map(({ id }) => id)).toEqual([young.id]);
});

test('The sweeper publishes a backlog of 12 000 events in one run, each event once and oldest first', async () => {
  const backlog = scene.some(12_000);
  scene.at += hour;
  await scene.sweep();
  expect(scene.published).toEqual(backlog);
  expect(scene.outbox.size).toBe(0);
});

test('A sweeper run stops when its time is over, and the next run continues with the oldest event', async () => {
  const backlog = scene.some(5_000);
  scene.at += hour;
  scene.endsAt = scene.at + 25_500;
  await scene.sweep();
  const first = scene.published;
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(5_000);
  scene.endsAt = scene.at + 290_000;
  await scene.sweep();
  expect(scene.published).toEqual(backlog);
});

test('While the event bus is down, the sweeper retries only the oldest events, and sends all events once the bus is back', async () => {
  const backlog = scene.some(1_000);
  scene.at += hour;
  const isBackAt = scene.at + 120_000;
  scene.bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    if (scene.at < isBackAt) throw new Error('no bus');
    for (const id of idsOf(Entries)) scene.outbox.delete(records.outboxId(id));
    return { FailedEntryCount: 0 };
  });
  scene.endsAt = scene.at + 290_000;
  await scene.sweep();
  expect(scene.outbox.size).toBe(0);
  const tried = scene.published;
  expect(tried.length).toBeLessThan(40 * 4 * 100 + 1_000);
  expect(new Set(tried.slice(0, -1_000)).size).toBe(100);
  expect(tried.slice(-1_000)).toEqual(backlog);
});

test('A few events of one business do not wait behind hundreds of another business', () => {
  const notice = (id: number, tenantId: number): EventRef => ({
    id,
    tenantId,
    shard: 0,
    name: 'client.created',
    occurredAt: '',
  });
  const notices = [...Array.from({ length: 300 }, (_, i) => notice(i, 1)), notice(300, 2)];
  expect(
    inTurns(notices)
      .map(({ id }) => id)
      .indexOf(300),
  ).toBe(100);
});

test('A business whose events cannot be planned does not delay other businesses, and each of its events is retried', async () => {
  const stuck = scene.some(900, 1);
  const fine = scene.some(300, 2);
  scene.planning = (id) => !stuck.includes(id);
  scene.at += hour;
  await scene.sweep();
  expect([...scene.outbox.values()].every(({ tenantId }) => tenantId === 1)).toBe(true);
  expect(scene.published.filter((id) => fine.includes(id))).toHaveLength(300);

  const everyMs = schedules.sweep.everyMinutes * 60_000;
  scene.bus.resetHistory();
  for (let run = 0; run < 6; run++) {
    scene.at = start + 2 * hour + run * everyMs;
    await scene.sweep();
  }
  expect(new Set(scene.published).size).toBe(900);
  expect(scene.published.length).toBeLessThan(900 + 6 * 300);
});

test('An outbox shard that cannot be read does not block the other shards, and the sweeper run ends with an error', async () => {
  const backlog = Array.from({ length: 500 }, () => scene.raised());
  scene.at += hour;
  const broken = [3, 17, 40];
  scene.table.on(QueryCommand).callsFake((asked) => {
    if (broken.some((shard) => asked.ExpressionAttributeValues[':shard'] === records.outboxShard(shard))) {
      throw new Error('ProvisionedThroughputExceeded');
    }
    return scene.query(asked);
  });
  await expect(scene.sweep()).rejects.toThrow(`${broken}`);
  const readable = backlog.filter(({ shard }) => !broken.includes(shard)).map(({ id }) => id);
  expect(readable.length).toBeGreaterThan(400);
  expect(scene.published).toEqual(readable);

  scene.table.on(QueryCommand).callsFake((asked) => scene.query(asked));
  await scene.sweep();
  expect(scene.outbox.size).toBe(0);
});

test('While the sweeper cannot see which events are planned, it publishes at most a hundred events at once', async () => {
  const backlog = scene.some(1_000);
  scene.at += hour;
  scene.table.on(BatchGetCommand).rejects(new Error('ProvisionedThroughputExceeded'));
  await scene.sweep();
  expect(Math.max(...scene.sizes)).toBe(slice.least);
  expect(scene.published.slice(0, 200)).toEqual(backlog.slice(0, 200));
  expect(backlog).toEqual(expect.arrayContaining(scene.published));
});

test('An event that cannot be read stays in the outbox, and the other events are published', async () => {
  scene.raised(7, { data: '{' });
  const fine = scene.raised();
  scene.at += hour;
  await scene.sweep();
  expect(scene.published).toEqual([fine.id]);
});
