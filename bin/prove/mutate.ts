#!/usr/bin/env node
/** `npm run mutate`: plants changes into the rules, one at a time, and says which of them no test notices. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutantsOf } from '../../test/mutation/mutants.ts';
import { Notebook, stamped, writeNote } from '../../test/mutation/notes.ts';
import {
  changeText,
  countsOf,
  drawnSection,
  type FileResult,
  lostOf,
  reasonsOf,
  resultOf,
  scoreOf,
  sentence,
  sum,
  survivorsOnRecord,
  withResults,
} from '../../test/mutation/results.ts';
import { guardsOf } from '../../test/mutation/tests-near.ts';
import type { Unit } from '../../test/mutation/worker.ts';
import { Random } from '../../test/simulation/random.ts';
import { slowTests } from '../../test/support/slow-tests.ts';
import { numberFlag, readFlags, runCommand, UsageError } from '../command-line.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const folder = resolve(root, '.build/mutation');
const report = resolve(root, 'test/mutation.md');

const ruled = ['core/**/*.ts', 'packages/local-cloud/src/**/*.ts'];
/** Of what was noticed once, in percent: a test that draws its cases at random misses one now and then. */
const leastOfASample = 97;
const sampleOfAFolder = 12;
/** A process that says nothing for so long has met a change without an end. */
const silenceMs = 90_000;
/** Of packages/local-cloud/src: they start it. */
const wholeRuns = [
  'packages/local-cloud/test/{batch-failures,dynamodb-engine,fortress,sign-in,start-cloud,troubles}.test.ts',
];

const help = `Plants changes into the rules, one at a time, and says which of them no test notices. Results are kept in
.build/mutation until a file or its test changes, so a run that was ended goes on where it stood.

  npm run mutate -- [flags] [modules]

  modules      folders or files of core/ and packages/local-cloud/src/; without any, all of them, which takes hours
  --sample     a random choice of changes to the modules in test/mutation.md, which it leaves alone; fails when less than
               ${leastOfASample} % of those are noticed that were noticed when it was written
  --percent P  only so many of a hundred changes, drawn at random; what that says of all is one section of the report
  --seed S     of the sample and of what is drawn; default 1
  --minutes M  ends then; default 5 for a sample, and without an end for all
  --workers N  processes at a time; default one for each processor
  --fresh      forgets the results that are kept
  --help`;

interface Settings {
  /** Which changes of a folder are tried. */
  readonly choose: (mutants: readonly Mutant[]) => readonly Mutant[];
  readonly isSample: boolean;
  readonly endsAt: number;
}

async function run(args: readonly string[]): Promise<void> {
  const isFlag = (arg: string, i: number) => arg.startsWith('-') || valued.has(args[i - 1] ?? '');
  const flags = readFlags(args.filter(isFlag), {
    sample: { type: 'boolean', default: false },
    percent: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    fresh: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  if (flags.help) return console.log(help);
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const minutes = numberFlag('--minutes', flags.minutes ?? (flags.sample ? '5' : '10000'), {
    min: 0,
    max: 10_000,
    whole: false,
  });
  const workers = numberFlag('--workers', flags.workers, { min: 1, max: 64 });
  const percent = numberFlag('--percent', flags.percent, { min: 0.1, max: 100, whole: false });
  const isDrawn = !flags.sample && percent < 100;
  const chance = new Random(seed);
  const settings: Settings = {
    choose: (mutants) => (flags.sample ? fewOf(mutants, chance) : mutants.filter(isAmong(seed, percent))),
    isSample: flags.sample,
    endsAt: Date.now() + minutes * 60_000,
  };
  if (flags.fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const written = () => (existsSync(report) ? readFileSync(report, 'utf8') : '');
  const onRecord = survivorsOnRecord(written());
  const all = chosen(args.filter((arg, i) => !isFlag(arg, i)));
  const folders = flags.sample ? all.map((files) => files.filter((file) => onRecord.has(file))) : all;
  if (flags.sample) shuffle(folders, chance);
  const results: FileResult[] = [];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let files = folders.shift(); files && Date.now() < settings.endsAt; files = folders.shift()) {
        results.push(...(await tried(files, settings)));
      }
    }),
  );

  const counts = sum(results.map(countsOf));
  if (flags.sample) {
    const lost = lostOf(results, onRecord);
    for (const mutant of lost) console.log(`${mutant.file}:${mutant.line} ${changeText(mutant)}`);
    const score = scoreOf({ ...counts, survivors: lost.length });
    console.log(`\n${counts.noticed} noticed, ${lost.length} not any more (seed ${seed})`);
    if (results.length === 0) throw new Error('No module came to its end: give it more --minutes.');
    if (score < leastOfASample) throw new Error(`Tests notice less than ${leastOfASample} % of what they noticed.`);
    return;
  }
  for (const { file, survivors } of results) {
    for (const mutant of survivors) console.log(`${file}:${mutant.line} ${changeText(mutant)}`);
  }
  console.log(`\n${sentence(counts)}`);
  const exists = (file: string) => existsSync(resolve(root, file));
  const drawn = isDrawn ? drawnSection(results, `--percent ${percent} --seed ${seed}`) : undefined;
  writeFileSync(report, withResults(written(), isDrawn ? [] : results, exists, drawn));
  console.log('Written to test/mutation.md.');
}

const valued = new Set(['--percent', '--seed', '--minutes', '--workers']);

/** Files by folder. */
function chosen(modules: readonly string[]): string[][] {
  const all = globSync([...ruled], { cwd: root }).sort();
  const named = modules.map((module) => module.replace(/\/$/, ''));
  for (const module of named) {
    if (!all.some((file) => isIn(file, module))) throw new UsageError(`There is no module ${module}.`);
  }
  const files = all.filter((file) => named.length === 0 || named.some((module) => isIn(file, module)));
  return [...Map.groupBy(files, (file) => dirname(file)).values()];
}

function isIn(file: string, module: string): boolean {
  return file === module || file === `${module}.ts` || file.startsWith(`${module}/`);
}

function fewOf(mutants: readonly Mutant[], chance: Random): Mutant[] {
  const shuffled = [...mutants];
  shuffle(shuffled, chance);
  return shuffled.slice(0, sampleOfAFolder);
}

/** Hangs on the change alone, so that a run that was ended goes on with the same ones. */
function isAmong(seed: number, percent: number): (mutant: Mutant) => boolean {
  return ({ name }) =>
    createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() < (percent / 100) * 2 ** 32;
}

function shuffle<T>(list: T[], chance: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = chance.below(i + 1);
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
}

/** Empty if it did not come to its end: what is noticed is noticed early, so half of it would look too good. */
async function tried(files: readonly string[], { choose, isSample, endsAt }: Settings): Promise<FileResult[]> {
  if (files.length === 0) return [];
  const { code, mutants: all } = await mutantsOf(root, files);
  const mutants = choose(all);
  if (mutants.length === 0) return [];
  const name = dirname(files[0] ?? '');
  const path = (end: string) => resolve(folder, `${name.replaceAll('/', '.')}.${end}`);
  const guards = guarded(files);
  const unit: Unit = {
    root,
    notes: path('jsonl'),
    heartbeat: path('heartbeat'),
    code,
    // What nobody can notice would take longest: it passes every test there is.
    mutants: Object.fromEntries(mutants.filter((one) => reasonsOf(one).length === 0).map(({ id, name }) => [id, name])),
    inProcesses: !isSample,
    tests: Object.keys(guards),
    guarded: guards,
  };
  writeFileSync(path('json'), JSON.stringify(unit));
  const begun = Date.now();
  const said = setInterval(() => console.error(`  ${name}: ${progress(mutants, unit)}`), 20_000);
  let ended = false;
  while (!ended && Date.now() < endsAt) ended = await endOf(unit, path('json'), path('log'), endsAt);
  clearInterval(said);
  const known = new Notebook(unit.notes, unit.tests);
  const counted = isSample ? mutants.filter(({ name }) => !known.isUndecided(name)) : mutants;
  const results = files
    .map((file) =>
      resultOf(
        file,
        counted.filter((mutant) => mutant.file === file),
        known,
      ),
    )
    .filter(({ file }) => counted.some((mutant) => mutant.file === file));
  const seconds = Math.round((Date.now() - begun) / 1_000);
  console.error(`${name}: ${ended ? sentence(sum(results.map(countsOf))) : 'not to its end'}, ${seconds} s`);
  return ended ? results : [];
}

/** By test, the files that it guards. */
function guarded(files: readonly string[]): Record<string, string[]> {
  const isLocal = files.every((file) => file.startsWith('local/'));
  const tests = isLocal
    ? globSync('packages/local-cloud/test/*.test.ts', { cwd: root, exclude: wholeRuns })
    : globSync('test/{core,contract}/**/*.test.ts', { cwd: root, exclude: [...slowTests] });
  const pairs = files.flatMap((file) => guardsOf(root, file, tests).map((test, place) => ({ file, test, place })));
  const byTest = [...Map.groupBy(pairs, ({ test }) => test)];
  // What is far from a rule guards many, and takes longest.
  byTest.sort(([, a], [, b]) => Math.max(...a.map(({ place }) => place)) - Math.max(...b.map(({ place }) => place)));
  return Object.fromEntries(
    byTest.map(([test, of]) => [stamped(test, readFileSync(resolve(root, test), 'utf8')), of.map(({ file }) => file)]),
  );
}

function progress(mutants: readonly Mutant[], unit: Unit): string {
  const known = new Notebook(unit.notes, unit.tests);
  return `${mutants.filter(({ name }) => known.killed.has(name)).length} of ${mutants.length} noticed`;
}

/** Whether the process came to its end. One that says nothing is ended, and the change that it was at is noticed. */
async function endOf(unit: Unit, unitFile: string, log: string, endsAt: number): Promise<boolean> {
  writeFileSync(unit.heartbeat, '{}');
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, ['test/mutation/worker.ts', unitFile], {
    cwd: root,
    stdio: ['ignore', output, output],
    // A group of its own, so that its workers end with it.
    detached: true,
  });
  const watch = setInterval(() => {
    const silent = Date.now() - statSync(unit.heartbeat).mtimeMs > silenceMs;
    if (silent) accuse(unit);
    if (silent || Date.now() > endsAt) end(child);
  }, 1_000);
  const stop = () => {
    end(child);
    process.exit(1);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  process.off('SIGINT', stop).off('SIGTERM', stop);
  clearInterval(watch);
  if (code !== null && code !== 0) throw new Error(`The tests of ${dirname(unitFile)} cannot be run: see ${log}.`);
  return code === 0;
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

function accuse({ heartbeat, notes }: Unit): void {
  const { mutant, test } = JSON.parse(readFileSync(heartbeat, 'utf8'));
  if (mutant) writeNote(notes, { kind: 'killed', mutant, test, how: 'no end' });
  else if (test) writeNote(notes, { kind: 'unusable', test });
}

await runCommand(run);
