/** Rows as CSV (RFC 4180) that spreadsheets open as text: what a client typed never becomes a formula. */

/** A spreadsheet reads a cell that begins so as a formula, also behind white space. */
const formulaStart = /^\s*[=+\-@\t\r]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** The mark of UTF-8, without which Excel reads letters beyond ASCII wrongly. */
export const csvStart = '\uFEFF';

export type Cell = string | number | null | undefined;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const guarded = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
