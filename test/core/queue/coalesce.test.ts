import { afterEach, expect, test } from 'vitest';
import { setWorld } from '../../../core/clock.ts';
import { gather } from '../../../core/queue/coalesce.ts';

afterEach(() => setWorld());

/** Windows close when the test says so. */
function windows(): (() => void)[] {
  const open: (() => void)[] = [];
  setWorld({ sleep: () => new Promise((resolve) => open.push(resolve)) });
  return open;
}

const echo = (runs: number[][]) => (items: readonly number[]) => {
  runs.push([...items]);
  return items.map(async (item) => item * 10);
};

test('it runs once when every member has added or left', async () => {
  windows();
  const runs: number[][] = [];
  const gathering = gather(3, 500, echo(runs));
  const results = [gathering.add(1)];
  gathering.leave();
  expect(runs).toEqual([]);
  results.push(gathering.add(2));
  expect(await Promise.all(results)).toEqual([10, 20]);
  expect(runs).toEqual([[1, 2]]);
});

test('a slow member holds up the others for one window at most', async () => {
  const open = windows();
  const runs: number[][] = [];
  const gathering = gather(3, 500, echo(runs));
  const early = [gathering.add(1), gathering.add(2)];
  expect(open).toHaveLength(1);
  open[0]?.();
  expect(await Promise.all(early)).toEqual([10, 20]);
  expect(await gathering.add(3)).toBe(30);
  expect(runs).toEqual([[1, 2], [3]]);
});

test('a window that was overtaken closes nothing', async () => {
  const open = windows();
  const runs: number[][] = [];
  const gathering = gather(2, 500, echo(runs));
  await Promise.all([gathering.add(1), gathering.add(2)]);
  open[0]?.();
  await Promise.resolve();
  expect(runs).toEqual([[1, 2]]);
});

test("an item's failure is not another's", async () => {
  windows();
  const gathering = gather(2, 500, (items: readonly number[]) =>
    items.map(async (item) => {
      if (item === 1) throw new Error('one');
      return item;
    }),
  );
  const [one, two] = await Promise.allSettled([gathering.add(1), gathering.add(2)]);
  expect(one.status).toBe('rejected');
  expect(two).toEqual({ status: 'fulfilled', value: 2 });
});

test('when all members leave nothing runs', () => {
  const runs: number[][] = [];
  const gathering = gather(2, 500, echo(runs));
  gathering.leave();
  gathering.leave();
  expect(runs).toEqual([]);
});
