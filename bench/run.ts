/**
 * `npm run bench`: all benchmarks, or those named. Prints their tables and writes `bench/results.md`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { readFlagsAndNames, runCommand, UsageError } from '../bin/command-line.ts';
import { benches, runInProcess } from './benches.ts';
import { type Section, verdictOf, withSections } from './results.ts';
import { tableOf } from './row.ts';

const resultsFile = new URL('./results.md', import.meta.url);
const names = Object.keys(benches);
const facts = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.`;

const help = `Runs the benchmarks, prints their tables, and replaces their sections in bench/results.md.

  npm run bench -- [flags] [names]

  names      ${names.join(', ')}; by default all of them, which takes minutes
  --print    only prints the tables, and does not change bench/results.md
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const { flags, names: chosenNames } = readFlagsAndNames(help, args, { print: { type: 'boolean', default: false } });
  const unknown = chosenNames.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  }

  const sections: Section[] = [];
  for (const name of chosenNames.length > 0 ? chosenNames : names) sections.push(await measured(name));
  if (flags.print) return;
  // The file is written last, so that a run that fails leaves it unchanged.
  const before = await readFile(resultsFile, 'utf8').catch(() => '');
  await writeFile(resultsFile, withSections(before, sections, names));
  console.log('Written to bench/results.md.');
}

async function measured(name: string): Promise<Section> {
  const title = benches[name]?.title ?? name;
  console.log(`${name}: ${title} …`);
  const began = performance.now();
  const rows = await runInProcess(name, 'full');
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(`\n${tableOf(rows)}\n\n${verdictOf(rows)}, ${seconds} s.\n`);
  return { name, title, rows, facts };
}

await runCommand(run);
