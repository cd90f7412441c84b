import { expect, test } from 'vitest';
import { cutPage } from '../../core/page.ts';

const rows = Array.from({ length: 45 }, (_, i) => i + 1);

test.each([
  ['twenty entries by default', {}, [1, 20], 20],
  ['the requested number of entries', { limit: 3 }, [1, 3], 3],
  ['the entries of page two at the requested page size', { page: 2, limit: 30 }, [31, 45], 15],
  ['no entry after the last page', { page: 4 }, [undefined, undefined], 0],
])('A page of a list contains the requested entries and the total of all entries (%s)', (_, query, ends, length) => {
  const { data, total } = cutPage(rows, query);
  expect([[data.at(0), data.at(-1)], data.length, total]).toEqual([ends, length, 45]);
});
