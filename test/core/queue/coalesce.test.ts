/** What several callers want done, each in its own time, is done in few calls. */
import { afterEach, expect, test } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { coalesce } from '../../../core/queue/coalesce.ts';

afterEach(() => setRuntime());

/** Windows close when the test closes them. */
function windows(): (() => void)[] {
  const open: (() => void)[] = [];
  setRuntime({ sleep: () => new Promise((resolve) => open.push(resolve)) });
  return open;
}

/** A coalesced function that multiplies by ten, and the runs that it took. */
function timesTen() {
  const runs: number[][] = [];
  const join = coalesce(500, (items: readonly number[]) => {
    runs.push([...items]);
    return items.map(async (item) => item * 10);
  });
  return { join, runs };
}

test('Items that arrive together are handled in one run, and a rejected item delays nothing', async () => {
  windows();
  const { join, runs } = timesTen();
  const later = Promise.withResolvers<number>();
  const results = Promise.allSettled([
    join(Promise.resolve(1)),
    join(Promise.reject(new Error('no item'))),
    join(later.promise),
  ]);
  later.resolve(2);
  const [one, none, two] = await results;
  expect([one, two]).toMatchObject([{ value: 10 }, { value: 20 }]);
  expect(none).toMatchObject({ reason: { message: 'no item' } });
  expect(runs).toEqual([[1, 2]]);
});

test('A slow item delays the others for at most one collecting period and is handled later', async () => {
  const open = windows();
  const { join, runs } = timesTen();
  const slow = Promise.withResolvers<number>();
  const early = [join(Promise.resolve(1)), join(Promise.resolve(2))];
  const late = join(slow.promise);
  await Promise.resolve();
  open[0]?.();
  expect(await Promise.all(early)).toEqual([10, 20]);
  slow.resolve(3);
  expect(await late).toBe(30);
  expect(runs).toEqual([[1, 2], [3]]);
});
