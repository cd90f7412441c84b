#!/usr/bin/env node
/** `npm run prove -- mutate` changes rules, one mutant at a time, and prints those that no test kills, and a score. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { projectFolder } from '../../lib/project-folder.ts';
import type { Mutant, Texts } from '../../packages/mutation/src/mutants.ts';
import { countsOf, type FileResult, scoreText } from '../../packages/mutation/src/results.ts';
import { withContentHash } from '../../packages/mutation/src/stored-results.ts';
import { testsNear } from '../../packages/mutation/src/tests-near.ts';
import { Random } from '../../test/simulation/random.ts';
import { slowTests } from '../../test/support/slow-tests.ts';
import { numberFlag, readFlagsAndNames, runCommand, UsageError } from '../command-line.ts';

const folder = resolve(projectFolder, '.build/mutation');
const sources = ['core/**/*.ts', 'packages/{local-cloud,memory-dynamo}/src/**/*.ts'];
/** The number of mutants per folder. */
const sampleSize = 12;
/** The number of nearest tests of a file, besides those in its folder; more distant tests do not guard its rules. */
const nearest = 16;

/** Slow tests, and tests in other folders to which no imports or names lead, of the rules of a folder or file. */
const guards: Readonly<Record<string, readonly string[]>> = {
  'core/availability': [
    'test/core/account/interference.test.ts',
    'test/core/bookings/all-shapes.test.ts',
    'test/core/bookings/occurrences.test.ts',
    'test/core/bookings/outside-rules.test.ts',
    'test/core/bookings/rooms.test.ts',
    'test/core/bookings/visits.test.ts',
    'test/core/sessions/sessions.test.ts',
  ],
  'core/bookings': [
    'test/core/account/roles.test.ts',
    'test/core/erasure/erase.test.ts',
    'test/core/sessions/sessions.test.ts',
  ],
  'core/catalog': ['test/core/bookings/client-history.test.ts', 'test/core/sessions/sessions.test.ts'],
  'core/deliveries/attempt': ['test/core/deliveries/plan/sending-budget.test.ts'],
  'core/deliveries/model': ['test/core/deliveries/log/redeliver.test.ts', 'test/core/deliveries/plan/plan.test.ts'],
  'core/http': [
    'test/contract/access.test.ts',
    'test/contract/account.test.ts',
    'test/core/account/roles.test.ts',
    'test/core/bookings/privacy.test.ts',
    'test/core/requests/list.test.ts',
    'test/core/sessions/sessions.test.ts',
  ],
  'core/http/request.ts': ['test/contract/texts.test.ts'],
  'core/http/response.ts': ['test/core/keys/api-keys.test.ts'],
  'core/idempotency': [
    'test/core/audit/audit.test.ts',
    'test/core/bookings/faults.test.ts',
    'test/core/sessions/sessions.test.ts',
  ],
  'core/keys': ['test/core/agents/mcp.test.ts', 'test/core/deliveries/log/may-receive.test.ts'],
  'core/keys/active-keys.ts': ['test/core/reconcile/reconcile.test.ts'],
  'core/keys/event-access.ts': [
    'test/core/deliveries/attempt/deliver.test.ts',
    'test/core/deliveries/feed/read-feed.test.ts',
    'test/core/deliveries/log/detail.test.ts',
  ],
  'core/keys/key-value.ts': ['test/core/sessions/sessions.test.ts'],
  'core/payments': ['test/core/account/interference.test.ts', 'test/core/bookings/questions.test.ts'],
  'core/principal.ts': ['test/core/account/roles.test.ts', 'test/core/sessions/sessions.test.ts'],
  'core/reviews': ['test/core/erasure/erase.test.ts'],
  'core/setup/update-business.ts': ['test/core/notices/notices.test.ts'],
  'core/statistics': ['test/core/bookings/occurrences.test.ts'],
  'core/table-keys.ts': ['test/core/bookings/changes.test.ts'],
  'core/team': ['test/core/account/roles.test.ts'],
  'core/webhooks/registry': [
    'test/core/account/limits.test.ts',
    'test/core/deliveries/feed/read-feed.test.ts',
    'test/core/deliveries/plan/sending-budget.test.ts',
    'test/core/erasure/erase.test.ts',
    'test/core/webhooks/registry/races.test.ts',
  ],
  'core/webhooks/sender': [
    'test/core/deliveries/log/detail.test.ts',
    'test/core/webhooks/sender/sender-hostile.test.ts',
    'test/core/webhooks/sender/sender-ssrf.test.ts',
  ],
};

/** The wording of messages is not a rule. */
const texts: Texts = {
  properties: ['message'],
  arguments: { AwsError: 1, Error: 0, fail: 1, invalid: 1, RangeError: 0, refuse: 0, SendFailure: 1 },
};

const help = `Runs the tests with one small change of the code (a mutant) at a time. Prints the mutants that no test kills, and the
score. Results are kept in .build/mutation until the file or its test changes, so that an interrupted run continues.

  npm run prove -- mutate [flags] [modules]

  modules      folders or files of core/ and packages/; by default all of them, which takes hours
  --sample     tries ${sampleSize} random mutants of each folder, for five minutes
  --percent P  tries P % of all mutants, chosen at random
  --seed S     the seed of the random choice; default 1
  --minutes M  stops after M minutes, also in the middle of a folder
  --workers N  the number of processes at a time; default one for each processor
  --fresh      discards the results that are kept
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const { flags, names } = readFlagsAndNames(help, args, {
    sample: { type: 'boolean', default: false },
    percent: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    fresh: { type: 'boolean', default: false },
  });
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const minutes = numberFlag('--minutes', flags.minutes ?? (flags.sample ? '5' : '10000'), {
    min: 0,
    max: 10_000,
    whole: false,
  });
  const workers = numberFlag('--workers', flags.workers, { min: 1, max: 64 });
  const percent = numberFlag('--percent', flags.percent, { min: 0.1, max: 100, whole: false });
  const random = new Random(seed);
  const endsAt = Date.now() + minutes * 60_000;
  if (flags.fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const waiting = chosen(names);
  if (flags.sample) shuffle(waiting, random);
  const { tryMutants } = await import('../../packages/mutation/src/try-mutants.ts');
  const results: FileResult[] = [];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let files = waiting.shift(); files && Date.now() < endsAt; files = waiting.shift()) {
        results.push(
          ...(await tryMutants({
            root: projectFolder,
            files,
            testsOf,
            choose: (mutants) => (flags.sample ? someOf(mutants, random) : mutants.filter(isDrawn(seed, percent))),
            inProcesses: !flags.sample,
            caches: ['BoundedMap', 'Map'],
            texts,
            folder,
            endsAt,
            progress: console.error,
          })),
        );
      }
    }),
  );
  if (results.length === 0) throw new Error('No folder was finished: allow more --minutes.');
  for (const { file, survivors } of results) {
    for (const { line, before, after } of survivors) console.log(`${file}:${line} ${before} → ${after}`);
  }
  console.log('');
  for (const one of results.sort((a, b) => (a.file < b.file ? -1 : 1)))
    console.log(`${one.file}: ${scoreText(countsOf([one]))}`);
  console.log(`\n${scoreText(countsOf(results))}`);
  if (!flags.sample && percent === 100) {
    const whole = keepScores(results);
    console.log(`With earlier runs, ${whole.length} files: ${scoreText(countsOf(whole))}`);
  }
}

/**
 * Stores the results of whole files, and returns them with those of earlier runs. A file's result is kept until the
 * file changes.
 */
function keepScores(results: readonly FileResult[]): readonly FileResult[] {
  const path = resolve(folder, 'scores.json');
  const withHash = (file: string) => withContentHash(file, readFileSync(resolve(projectFolder, file), 'utf8'));
  const earlier: Record<string, FileResult> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const all = { ...earlier, ...Object.fromEntries(results.map((one) => [withHash(one.file), one])) };
  const current = Object.entries(all).filter(
    ([name, { file }]) => existsSync(resolve(projectFolder, file)) && name === withHash(file),
  );
  writeFileSync(path, JSON.stringify(Object.fromEntries(current)));
  return current.map(([, one]) => one);
}

function chosen(modules: readonly string[]): string[][] {
  const all = globSync(sources, { cwd: projectFolder }).sort();
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

/** Returns the tests that should kill mutants of a file, the most probable first. */
function testsOf(file: string): string[] {
  const [, ofPackage] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  const tests = ofPackage
    ? globSync(`${ofPackage}/test/*.test.ts`, { cwd: projectFolder, exclude: [...slowTests] })
    : globSync('test/{core,contract}/**/*.test.ts', { cwd: projectFolder, exclude: [...slowTests] });
  const guarded = Object.entries(guards).filter(([module]) => isIn(file, module));
  const ofModules = guarded.flatMap(([, all]) => all);
  for (const test of ofModules)
    if (!existsSync(resolve(projectFolder, test))) throw new Error(`There is no test ${test}.`);
  const ranked = testsNear(projectFolder, [file], tests);
  const ofFolder = ranked.filter((test) => dirname(test) === `test/${dirname(file)}`);
  return [...new Set([...ranked.slice(0, 1), ...ofFolder, ...ofModules, ...ranked.slice(0, nearest)])];
}

function someOf(mutants: readonly Mutant[], random: Random): Mutant[] {
  const shuffled = [...mutants];
  shuffle(shuffled, random);
  return shuffled.slice(0, sampleSize);
}

/** The result depends only on the mutant, so that an interrupted run continues with the same ones. */
function isDrawn(seed: number, percent: number): (mutant: Mutant) => boolean {
  return ({ name }) =>
    createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() < (percent / 100) * 2 ** 32;
}

function shuffle<T>(list: T[], random: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
}

await runCommand(run);
