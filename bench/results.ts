/** `bench/results.md` has one section per benchmark. A run replaces the sections of its benchmarks only. */
import { type Row, tableOf } from './row.ts';

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** The machine and versions of the run. */
  readonly facts: string;
}

const head = `# Benchmarks

\`npm run bench\` writes this file. The implementations that a section compares took turns in one run on one machine; a
ratio is the median of the ratios of all turns. Absolute values depend on the machine and its other load. A value without
a goal is for information only.
`;

/** The text of the file after a run. `before` is its text, or empty. `order` lists the benchmarks in their order. */
export function withSections(before: string, sections: readonly Section[], order: readonly string[]): string {
  const texts = new Map(
    before.split(/^(?=## )/m).flatMap((text) => {
      const name = /^## ([\w-]+)/.exec(text)?.[1];
      return name === undefined ? [] : [[name, text.trim()] as const];
    }),
  );
  for (const section of sections) texts.set(section.name, textOf(section));
  const ordered = order.flatMap((name) => texts.get(name) ?? []);
  return `${[head.trim(), ...ordered].join('\n\n')}\n`;
}

function textOf({ name, title, rows, facts }: Section): string {
  return `## ${name}: ${title}\n\n${facts}\n\n${tableOf(rows)}`;
}

export function verdictOf(rows: readonly Row[]): string {
  const judged = rows.filter(({ met }) => met !== undefined);
  return `${judged.filter(({ met }) => met).length} of ${judged.length} goals reached`;
}
