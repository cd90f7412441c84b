/** Query parameters of screens. */
import { expect, test } from 'vitest';
import { day, words } from '../../console/src/app/search.ts';

test.each(['2026-13-45', '2026-02-31', '2026-11', '9999-12-31', '0001-01-01', 20_261_124])(
  'The date %s in an address of the console is ignored, because it is malformed or centuries away',
  (value) => {
    expect(day(value)).toBeUndefined();
  },
);

test('Search text in an address of the console stays text, even if it looks like a number', () => {
  expect([words('Anna'), words(371), words('')]).toEqual(['Anna', '371', undefined]);
});
