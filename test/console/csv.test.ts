/** Exports of lists as CSV. */
import { expect, test } from 'vitest';
import { csvLine } from '../../console/src/format/csv.ts';
import { isoIn } from '../../console/src/format/zone.ts';

test.each(['=1+1', '+371 20000000', '-cmd', '@SUM(A1)', '\t=1', ' =1', '\r=1'])(
  'The value %j, which a spreadsheet would read as a formula, is exported to CSV as text',
  (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^\s*'/);
  },
);

/** Reads a line like Excel with a separator other than the comma: a quote counts only at the beginning of a cell. */
function cellsOf(csv: string, separator: string): string[] {
  const cell = new RegExp(`"((?:[^"]|"")*)"([^${separator}\r\n]*)|([^${separator}\r\n]*)`, 'y');
  const cells: string[] = [];
  for (let at = 0; at <= csv.length; at = cell.lastIndex + 1) {
    cell.lastIndex = at;
    const [, quoted, rest = '', plain = ''] = cell.exec(csv) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest);
  }
  return cells;
}

const isFormula = (text: string) => /^[\s"]*[=+\-@＝＋－＠]/.test(text) && !/^-?[\d.]+$/.test(text);
const hidden = [
  'Anna;=1+1',
  "Anna;=cmd|' /C calc'!A0",
  'a; =1',
  'a;"=1+1"',
  'a,b;@SUM(A1)',
  'two\r\n=1+1',
  'two\n\t+1',
  'a\t-1+1',
  '＝1+1',
];

test.each(hidden)('A CSV export of the text %j contains no formula, whichever separator a spreadsheet uses', (text) => {
  const formulas = (csv: string) => [',', ';', '\t'].flatMap((separator) => cellsOf(csv, separator).filter(isFormula));
  expect(formulas(csvLine([7, text, 'x,y']))).toEqual([]);
  // Negative control: the same text with quotes only.
  expect(formulas(`7,"${text.replaceAll('"', '""')}","x,y"\r\n`)).not.toEqual([]);
});

test('A negative number stays a number in a CSV export', () => {
  expect(csvLine([-5, '-12.50'])).toBe('-5,-12.50\r\n');
});

test('A CSV export quotes commas, quotes and line ends, and writes a missing value as an empty cell', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\r\nlines', null, undefined, 'plain'])).toBe(
    '"a,b","say ""x""","two\r\nlines",,,plain\r\n',
  );
});

test('A formula that contains a quote is exported to CSV as quoted text', () => {
  expect(csvLine(['=HYPERLINK("http://a.example","b")'])).toBe('"\'=HYPERLINK(""http://a.example"",""b"")"\r\n');
});

test.each([
  ['2026-11-24T12:30:00.900Z', 'Europe/Riga', '2026-11-24T14:30:00+02:00'],
  ['2026-07-01T22:30:00Z', 'Europe/Riga', '2026-07-02T01:30:00+03:00'],
  ['2026-01-01T02:00:00Z', 'America/St_Johns', '2025-12-31T22:30:00-03:30'],
])('The time %s in %s is exported to CSV as a local time with its UTC offset', (instant, zone, text) => {
  expect(isoIn(instant, zone)).toBe(text);
});
