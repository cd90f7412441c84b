/**
 * JSON for files that people compare: an object or array is on one line if that has at most 120 characters. In a longer
 * one as many members share a line as fit, so that an example is as short as a paragraph.
 */

const width = 120;

/** The text omits undefined values like `JSON.stringify`, and ends with a line break. */
export function compactJson(value: unknown): string {
  return `${lines(JSON.parse(JSON.stringify(value)), '', 0)}\n`;
}

/** `before` is the length of the text before the value on its line, without indentation; a comma may follow it. */
function lines(value: unknown, indent: string, before: number): string {
  const line = oneLine(value);
  if (!isTree(value) || indent.length + before + line.length < width) return line;
  const inner = `${indent}  `;
  const rows: string[] = [];
  let isOpen = false;
  for (const [name, one] of Object.entries(value)) {
    const key = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    const member = `${key}${lines(one, inner, key.length)}`;
    const row = `${rows.at(-1)}, ${member}`;
    const isShort = !member.includes('\n');
    if (isOpen && isShort && row.length < width) rows[rows.length - 1] = row;
    else rows.push(`${inner}${member}`);
    isOpen = isShort;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${rows.join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (!isTree(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const fields = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${oneLine(one)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
