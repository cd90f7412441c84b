import { expect, test } from 'vitest';
import { cutPage } from '../../core/page.ts';

const rows = Array.from({ length: 45 }, (_, i) => i + 1);

test.each([
  ['the first twenty without a word', {}, [1, 20], 20],
  ['as many as are asked for', { limit: 3 }, [1, 3], 3],
  ['the second page by its own limit', { page: 2, limit: 30 }, [31, 45], 15],
  ['nothing behind the end', { page: 4 }, [undefined, undefined], 0],
])('A page of a list contains %s, and the total counts all entries', (_, query, ends, length) => {
  const { data, total } = cutPage(rows, query);
  expect([[data.at(0), data.at(-1)], data.length, total]).toEqual([ends, length, 45]);
});
