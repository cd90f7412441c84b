/** Rows as CSV (RFC 4180) that spreadsheets open as text: what a client typed never becomes a formula. */

/**
 * A spreadsheet reads a cell that begins so as a formula, also behind white space or a quote, and with the wide signs of East
 * Asian keyboards. Where the decimal separator is a comma, as in Latvian or German, Excel separates cells by semicolons. Then
 * quotes inside a line mean nothing to it, so a cell may begin after any separator within a text.
 */
const beforeFormula = /(?:^|[;\t\r\n])[\s"]*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** The mark of UTF-8, without which Excel reads letters beyond ASCII wrongly. */
export const csvStart = '\uFEFF';

export type Cell = string | number | null | undefined;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const guarded = plainNumber.test(text) ? text : text.replace(beforeFormula, "$&'");
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
