import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isTurn } from '../../../core/events/sweep.ts';
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
});
