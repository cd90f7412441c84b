/** `npm run bench`: all benchmarks of design §6, or those named. Prints their tables and writes `bench/results.md`. */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { benches, runInProcess } from './benches.ts';
import { type Section, verdictOf, withSections } from './results.ts';
import { tableOf } from './row.ts';

const resultsFile = new URL('./results.md', import.meta.url);
const names = Object.keys(benches);
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  process.exit(2);
}

const facts = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.`;
const sections: Section[] = [];
for (const name of asked.length > 0 ? asked : names) {
  const title = benches[name]?.title ?? name;
  console.log(`${name}: ${title} …`);
  const began = performance.now();
  const rows = await runInProcess(name, 'full');
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(`\n${tableOf(rows)}\n\n${verdictOf(rows)}, ${seconds} s.\n`);
  sections.push({ name, title, rows, facts });
}
// Only now: a run that fails leaves the file as it was.
const before = await readFile(resultsFile, 'utf8').catch(() => '');
await writeFile(resultsFile, withSections(before, sections, names));
console.log('Written to bench/results.md.');
