/** Writes rows as CSV (RFC 4180) that spreadsheets open as text: input of clients never becomes a formula. */
import { withoutIsolation } from './isolation.ts';

/**
 * A spreadsheet reads a cell with such a start as a formula, also after white space or a quote, and with the wide signs
 * of East Asian keyboards. If the decimal separator is a comma, as in Latvian or German, Excel separates cells by
 * semicolons. It ignores quotes inside a line, so a cell may start after any separator in a text.
 */
const beforeFormula = /(?:^|[;\t\r\n])[\s"]*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** The byte order mark, without which Excel decodes characters beyond ASCII wrongly. */
export const csvStart = '\uFEFF';

export type Cell = string | number | null | undefined;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  const text = withoutIsolation(String(value ?? ''));
  const guarded = plainNumber.test(text) ? text : text.replace(beforeFormula, "$&'");
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
