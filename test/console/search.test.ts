/** What screens read from their address. */
import { expect, test } from 'vitest';
import { day, words } from '../../console/src/app/search.ts';

test.each(['2026-13-45', '2026-02-31', '2026-11', '9999-12-31', '0001-01-01', 20_261_124])(
  'A filter of an address is left out if it is no day of this calendar and its neighbouring centuries: %s',
  (value) => {
    expect(day(value)).toBeUndefined();
  },
);

test('A search of an address is read as text, also where the router parses it as a number', () => {
  expect([words('Anna'), words(371), words('')]).toEqual(['Anna', '371', undefined]);
});
