import { expect, test } from 'vitest';
import { chunksOf, someAtATime } from '../../core/chunks.ts';
import { compressText, decompressText } from '../../core/compressed-text.ts';

test('A list is split into chunks that keep every entry once and in order', () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([], 2)).toEqual([]);
});

test('Of many calls at most ten run at the same time, and all are made', async () => {
  let underWay = 0;
  let most = 0;
  const made: number[] = [];
  await someAtATime([...Array(95).keys()], async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    made.push(item);
  });
  expect(most).toBe(10);
  expect(made.sort((a, b) => a - b)).toEqual([...Array(95).keys()]);
});

test('When one of many calls fails, the whole fails', async () => {
  const calls = someAtATime([1, 2, 3], async (item) => {
    if (item === 2) throw new Error('two');
  });
  await expect(calls).rejects.toThrow('two');
});

test('A compressed body keeps no more memory than its bytes', () => {
  const packed = compressText('x'.repeat(5_000));
  expect(packed.buffer.byteLength).toBe(packed.byteLength);
  expect(packed.byteLength).toBeLessThan(100);
  expect(decompressText(packed)).toBe('x'.repeat(5_000));
});
