/** What became of the mutants of a file, and `test/mutation.md`, which says it. */
import { dirname } from 'node:path';
import { type Equivalent, equivalent } from './equivalent.ts';
import type { Mutant } from './mutants.ts';
import type { Notebook } from './notes.ts';

export interface FileResult {
  readonly file: string;
  readonly noticed: number;
  readonly equivalents: readonly Equivalent[];
  readonly survivors: readonly Mutant[];
}

export function resultOf(file: string, mutants: readonly Mutant[], known: Notebook): FileResult {
  const [alive, dead] = [
    mutants.filter(({ name }) => !known.killed.has(name)),
    mutants.filter(({ name }) => known.killed.has(name)),
  ];
  return {
    file,
    noticed: dead.length,
    equivalents: alive.flatMap((mutant) => reasonsOf(mutant).slice(0, 1)),
    survivors: alive.filter((mutant) => reasonsOf(mutant).length === 0),
  };
}

/** Why nobody can notice a mutant; empty for one that somebody should. */
export function reasonsOf({ file, before, after }: Mutant): Equivalent[] {
  return (equivalent[file] ?? []).filter((one) => one.before === before && one.after === after);
}

export interface Counts {
  readonly noticed: number;
  readonly equivalents: number;
  readonly survivors: number;
}

export function countsOf({ noticed, equivalents, survivors }: FileResult): Counts {
  return { noticed, equivalents: equivalents.length, survivors: survivors.length };
}

export function sum(all: readonly Counts[]): Counts {
  const total = (of: keyof Counts) => all.reduce((sum, one) => sum + one[of], 0);
  return { noticed: total('noticed'), equivalents: total('equivalents'), survivors: total('survivors') };
}

/** In percent, without the equivalents; 100 where there is nothing to notice. */
export function scoreOf({ noticed, survivors }: Counts): number {
  return noticed + survivors === 0 ? 100 : (noticed / (noticed + survivors)) * 100;
}

export function sentence(counts: Counts): string {
  const { noticed, equivalents, survivors } = counts;
  return `${noticed} noticed, ${survivors} not, ${equivalents} equivalent: ${scoreOf(counts).toFixed(1)} %`;
}

export function changeText({ before, after }: { readonly before: string; readonly after: string }): string {
  return `${code(before)} → ${code(after)}`;
}

function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1);
  const space = text.startsWith('`') || text.endsWith('`') || text === '' ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

const head = `# Planted changes

Written by \`npm run mutate\`: each rule of the code is changed in every way that Stryker knows, one at a time, and the
tests near it have to notice. What they do not notice is listed here, and what nobody could notice, with the reason
(\`test/mutation/equivalent.ts\`). Scores are without those. Words for readers of the log are not changed.
`;

const sentenceForm = /^(\d+) noticed, (\d+) not, (\d+) equivalent/m;

const drawnForm = /^## Drawn at random\n[\s\S]*?(?=^## |$(?![\s\S]))/m;

/** What changes that were drawn at random say of all of them. `flags` draw the same ones again. */
export function drawnSection(results: readonly FileResult[], flags: string): string {
  const survivors = results.flatMap((one) => one.survivors);
  const files = `${results.length} files`;
  return [
    '## Drawn at random\n',
    `\`npm run mutate -- ${flags}\`, from ${files}: ${sentence(sum(results.map(countsOf)))}\n`,
    ...(survivors.length > 0 ? [`${survivors.map((one) => `- ${one.file}: ${changeText(one)}`).join('\n')}\n`] : []),
  ].join('\n');
}

/**
 * `before` with the sections of these files, and what was drawn, in the place of those it had; without those of files
 * that are gone.
 */
export function withResults(
  before: string,
  results: readonly FileResult[],
  exists: (file: string) => boolean,
  drawn: string | undefined = drawnForm.exec(before)?.[0].trimEnd().concat('\n'),
): string {
  const sections = new Map<string, string>();
  for (const section of before.split(/^(?=### )/m).slice(1)) {
    const [, file = ''] = /^### (\S+)/.exec(section) ?? [];
    if (exists(file)) sections.set(file, section.replace(/^## [\s\S]*/m, '').trimEnd());
  }
  for (const result of results) sections.set(result.file, sectionOf(result));
  const files = [...sections.keys()].sort();
  const counts = (of: readonly string[]) => sum(of.map((file) => countsIn(sections.get(file) ?? '')));
  const folders = [...new Set(files.map((file) => dirname(file)))].sort();
  const rows = [...folders, ''].map((folder) => {
    const { noticed, survivors, equivalents } = counts(files.filter((file) => !folder || dirname(file) === folder));
    const cells = [
      folder || 'all',
      noticed,
      survivors,
      equivalents,
      scoreOf({ noticed, survivors, equivalents }).toFixed(1),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    head,
    '| Module | Noticed | Not | Equivalent | Score in % |\n| --- | ---: | ---: | ---: | ---: |',
    `${rows.join('\n')}\n`,
    ...(drawn ? [drawn] : []),
    ...folders.flatMap((folder) => [
      `## ${folder}\n`,
      ...files.filter((file) => dirname(file) === folder).map((file) => `${sections.get(file)}\n`),
    ]),
  ].join('\n');
}

/** By file on record, the changes that it says nobody noticed. */
export function survivorsOnRecord(report: string): ReadonlyMap<string, ReadonlySet<string>> {
  const sections = report.split(/^### /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [file = '', ...lines] = section.split('\n');
      return [file, new Set(lines.filter((line) => line.startsWith('- `')).map((line) => line.slice(2)))];
    }),
  );
}

/** Of a sample: the changes that were noticed when `test/mutation.md` was written, and are not any more. */
export function lostOf(results: readonly FileResult[], onRecord: ReturnType<typeof survivorsOnRecord>): Mutant[] {
  return results.flatMap(({ file, survivors }) =>
    survivors.filter((mutant) => onRecord.get(file)?.has(changeText(mutant)) === false),
  );
}

function sectionOf(result: FileResult): string {
  const { file, equivalents, survivors } = result;
  const lines = [
    ...survivors.map((mutant) => `- ${changeText(mutant)}`),
    ...equivalents.map((one) => `- equivalent: ${changeText(one)}: ${one.why}`),
  ];
  return [`### ${file}`, sentence(countsOf(result)), ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n');
}

function countsIn(section: string): Counts {
  const [, noticed = 0, survivors = 0, equivalents = 0] = (sentenceForm.exec(section) ?? []).map(Number);
  return { noticed, survivors, equivalents };
}
