/** One line of a benchmark's table. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The row that `ratio` is relative to, and its goal; both are empty without a goal. */
  readonly ratio?: string;
  readonly goal?: string;
  /** Whether the goal is met; undefined without a goal. */
  readonly met?: boolean;
}

/** Formats the rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, value, unit, ratio = '', goal = '', met }) => {
    const verdict = met === undefined ? '' : met ? 'reached' : 'missed';
    return [name, `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`, ratio, goal, verdict];
  });
  const table = [['Measure', 'Value', 'Ratio', 'Goal', ''], ...lines];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(3, ...table.map((line) => line[column]?.length ?? 0)));
  const print = (line: readonly string[]) =>
    `| ${widths.map((width, i) => (line[i] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [print(head), print(widths.map((width) => '-'.repeat(width))), ...body.map(print)].join('\n');
}
