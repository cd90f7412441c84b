/** Lists as CSV. */
import { expect, test } from 'vitest';
import { csvLine } from '../../console/src/format/csv.ts';

test.each(['=1+1', '+371 20000000', '-cmd', '@SUM(A1)', '\t=1', ' =1', '\r=1'])(
  'A cell that a spreadsheet would read as a formula is text in CSV: %j',
  (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
  },
);

test('A negative number stays a number in CSV', () => {
  expect(csvLine([-5, '-12.50'])).toBe('-5,-12.50\r\n');
});

test('Commas, quotes and line ends are quoted in CSV, and nothing is an empty cell', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\r\nlines', null, undefined, 'plain'])).toBe(
    '"a,b","say ""x""","two\r\nlines",,,plain\r\n',
  );
});

test('A formula with a quote is guarded and quoted in CSV', () => {
  expect(csvLine(['=HYPERLINK("http://a.example","b")'])).toBe('"\'=HYPERLINK(""http://a.example"",""b"")"\r\n');
});
