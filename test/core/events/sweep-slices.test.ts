/** How much of a backlog is under way at once, how long a run waits for it, and what it leaves to the next. */
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isTurn, slice } from '../../../core/events/sweep.ts';
import { log } from '../../../core/log.ts';
import { records } from '../../../core/table-keys.ts';
import { useBacklog } from '../../support/backlog.ts';

vi.mock('../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../core/table-keys.ts')>()),
  outboxShards: 2,
}));

const scene = useBacklog();
const hour = 3_600_000;
afterEach(() => vi.restoreAllMocks());

/** Events that are overdue and read at once. Without chance the first of each part of a slice is looked up. */
function backlog(count: number, tenantId = 7): number[] {
  const ids = scene.some(count, tenantId);
  scene.setChance(0);
  scene.table.on(QueryCommand).callsFake((asked) => scene.query({ ...asked, Limit: count }));
  scene.at = scene.start + hour;
  return ids;
}
/** All but these are planned when they are published. */
function leaving(ids: readonly (number | undefined)[]): void {
  const left = new Set(ids);
  scene.planning = (id) => !left.has(id);
}

describe('the second slice and the third', () => {
  test.each([
    ['twice as large while a tenth stays behind', 10, [100, 200]],
    ['as large while more does', 11, [100, 100]],
    ['as large while more than half does, where it is the fewest', 51, [100, 100]],
  ])('is %s', async (_, left, sizes) => {
    const ids = backlog(1_000);
    leaving(ids.slice(0, left));
    await scene.sweep();
    expect(scene.sizes.slice(0, 2)).toEqual(sizes);
  });

  test.each([
    ['twice as large while a tenth stays behind', 10, [100, 200, 400]],
    ['as large while more does', 11, [100, 200, 200]],
    ['as large while half does', 50, [100, 200, 200]],
    ['half as large while more than half does', 51, [100, 200, 100]],
  ])('after one of two hundred is %s', async (_, left, sizes) => {
    const ids = backlog(1_000);
    // Every second event of the slice is looked up; of those at its end so many stay behind.
    leaving(ids.slice(100, 300).filter((_id, i) => i % 2 === 0 && i >= 200 - 2 * left));
    await scene.sweep();
    expect(scene.sizes.slice(0, 3)).toEqual(sizes);
  });

  test('is never larger than the largest', async () => {
    vi.spyOn(slice as { most: number }, 'most', 'get').mockReturnValue(300);
    const ids = backlog(1_500);
    await scene.sweep();
    expect(scene.sizes).toEqual([100, 200, 300, 300, 300, 300]);
    expect(scene.published).toEqual(ids);
  });
});

test('of each part of a slice one event is looked up, whatever chance comes to', async () => {
  const ids = backlog(700);
  scene.setChance(254);
  const began = scene.at;
  await scene.sweep();
  // Three slices were published, and none was waited for.
  expect(scene.at - began).toBe(3 * 200);
  const looked = scene.table
    .commandCalls(BatchGetCommand)
    .map(({ args }) => args[0].input.RequestItems?.['test-records']?.Keys?.map(({ sk }) => Number(sk)));
  const lastOfEach = (from: number, part: number) =>
    Array.from({ length: 100 }, (_, i) => ids[from + (i + 1) * part - 1]);
  expect(looked).toEqual([lastOfEach(0, 1), lastOfEach(100, 2)]);
});

test('what is left of a slice is waited for some seconds, and then the next one is its turn', async () => {
  const ids = backlog(200);
  leaving(ids.slice(0, 20));
  scene.setChance(255);
  const published: number[] = [];
  vi.spyOn(log, 'info').mockImplementation(() => void published.push(scene.at));
  await scene.sweep();
  const waits = 400 + 800 + 1_600 + 4 * 3_000 + 200;
  const [began = 0, , ended = 0] = published.map((at) => at - scene.start - hour);
  // The first and the last line are of metrics.
  expect([began, Math.round(ended)]).toEqual([0, 200 + waits]);
  expect(scene.looks.slice(1)).toEqual(Array(7).fill(20));
});

test('a tenth that is left of a slice is not waited for', async () => {
  const ids = backlog(200);
  leaving(ids.slice(0, 10));
  await scene.sweep();
  expect(scene.looks).toEqual([100]);
});

test('the last slice is waited for by nobody, and a few events are no matter for the log', async () => {
  const ids = backlog(100);
  leaving(ids);
  const said = vi.spyOn(log, 'info').mockReturnValue();
  await scene.sweep();
  expect(scene.published).toEqual(ids);
  expect([scene.looks, scene.at]).toEqual([[], scene.start + hour + 200]);
  expect(said.mock.calls.map(([words]) => words)).toEqual(['Metrics', 'Metrics']);
});

test('the log says after each slice how far a larger backlog is', async () => {
  backlog(400);
  const said = vi.spyOn(log, 'info').mockReturnValue();
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  await scene.sweep();
  expect(said.mock.calls.filter(([words]) => words !== 'Metrics').map(([, more]) => more)).toEqual([
    { published: 100, together: 200 },
    { published: 300, together: 400 },
  ]);
  expect(warned.mock.calls.map(([, more]) => more)).toEqual([{ published: 400 }]);
});

test('a backlog that is handed out by the hundred is no matter for the log', async () => {
  for (let i = 0; i < 300; i++) scene.raised(7, { pk: records.outboxShard(0) });
  scene.at = scene.start + hour;
  const said = vi.spyOn(log, 'info').mockReturnValue();
  await scene.sweep();
  expect(scene.sizes).toEqual([100, 100, 100]);
  expect(said.mock.calls.map(([words]) => words)).toEqual(['Metrics', 'Metrics']);
});

test('of nothing that is overdue the log has no line', async () => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  await scene.sweep();
  expect(warned).not.toHaveBeenCalled();
  expect(scene.sizes).toEqual([]);
});

test('once the time of a run is up nothing more is read or published', async () => {
  scene.some(2_000);
  scene.at = scene.start + hour;
  scene.endsAt = scene.at + 25_000 + 1;
  await scene.sweep();
  expect(scene.sizes).toEqual([100]);
  expect(scene.looks).toEqual([100]);
  // One page of each shard for the first events, and one more call at most.
  expect(scene.table.commandCalls(QueryCommand).length).toBeLessThanOrEqual(2 * 2);
  scene.bus.resetHistory();
  scene.endsAt = scene.at + 25_000;
  await scene.sweep();
  expect(scene.sizes).toEqual([]);
});

test('while the bus takes nothing it is tried until it takes some, and the pauses are no longer than nine seconds', async () => {
  const ids = backlog(100);
  scene.setChance(255);
  const tries: number[] = [];
  const take = scene.at + 60_000;
  scene.bus.on(PutEventsCommand).callsFake(() => {
    tries.push(scene.at);
    if (scene.at < take) throw new Error('no bus');
    return { FailedEntryCount: 0 };
  });
  await scene.sweep();
  expect(scene.published.slice(-100)).toEqual(ids);
  const pauses = tries.map((at, i) => Math.round(at - (tries[i - 1] ?? at))).filter((ms) => ms >= 1_000);
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 9_000, 9_000, 9_000, 9_000, 9_000]);
});

describe('a business that is stuck', () => {
  test('costs no time when it is not its turn, and is not looked at again', async () => {
    const ids = backlog(600, 1);
    leaving(ids);
    for (const id of ids.slice(200)) if (isTurn(id, scene.at)) scene.outbox.delete(records.outboxId(id));
    scene.setChance(255);
    const began = scene.at;
    const warned = vi.spyOn(log, 'warn').mockReturnValue();
    await scene.sweep();
    expect(scene.sizes).toEqual([100, 100]);
    // Both were waited for in vain, and with the second what was left of the first: that is two calls a look.
    expect([scene.looks.length, Math.round(scene.at - began)]).toEqual([8 + 2 * 8, 2 * (200 + 14_800)]);
    expect(warned.mock.calls.map(([, said]) => said)).toEqual([{ published: 200 }]);
  });

  test('is as any other once something of it is planned', async () => {
    const ids = backlog(900, 1);
    leaving(ids.slice(0, 200));
    await scene.sweep();
    expect(scene.sizes.slice(0, 2)).toEqual([100, 100]);
    expect(scene.published).toEqual(expect.arrayContaining(ids.slice(400)));
  });
});

test('what cannot be looked up is told to the log, and counts as not planned', async () => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  backlog(200);
  const error = new Error('throttled');
  scene.table.on(BatchGetCommand).rejects(error);
  await scene.sweep();
  expect(scene.sizes).toEqual([100, 100]);
  expect(warned).toHaveBeenCalledWith(expect.any(String), { error });
});
