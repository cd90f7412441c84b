/**
 * `npm run verify` runs all checks that decide whether a change may land, the fastest first. CI runs the same command.
 * `npm run verify -- --fast` is for every edit: it omits slow steps, and runs only the tests of the contract, of
 * documents, of imports, and near the files changed since `main`. Steps that need one core run two at a time; the tests
 * run alone. The first step that fails ends the run and is named last.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { slowTests } from '../test/support/slow-tests.ts';
import { readFlags, runCommand } from './command-line.ts';
import { generateTypes } from './generate/types.ts';
import { exitCodeOf, startTool } from './tool.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** A step without it belongs to both modes. */
  readonly only?: 'fast' | 'full';
  /** Whether the step runs alone, on all cores, after all others, and shows its output while it runs. */
  readonly alone?: true;
}

const help = `Runs all checks that a change must pass, as CI does. The first check that fails ends the run.

  npm run verify -- [flags]

  --fast    for each edit: skips synthesis and slow tests, and runs only the tests near the changes since main
  --help`;

const withoutSlow = slowTests.flatMap((pattern) => ['--exclude', pattern]);

/** The tests of these folders are in one folder; otherwise `test/` mirrors the tree. */
const testedTogether = ['client', 'console', 'examples'];

const steps: readonly Step[] = [
  { name: 'Check format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'Check the types of the code', command: ['tsc', '-p', '.'] },
  { name: 'Synthesise the CDK stacks', command: ['cdk', 'synth', '--quiet'], only: 'full' },
  { name: 'Check the types of the site', command: ['tsc', '-p', 'site/browser'] },
  { name: 'Check the types of the console', command: ['tsc', '-p', 'console'] },
  { name: 'Check that generated documents are up to date', command: ['node', 'bin/generate/documents.ts', '--check'] },
  { name: 'Check openapi.json for breaking changes', command: ['node', 'bin/breaking.ts'] },
  {
    name: 'Run the tests of the contract, of documents, of imports, and near changed files',
    command: [
      'vitest',
      'run',
      '--reporter=dot',
      ...withoutSlow,
      'test/contract/',
      'test/docs/',
      'test/site/',
      'test/tree/',
      ...nearby(),
    ],
    only: 'fast',
    alone: true,
  },
  {
    name: 'Check that the OpenAPI documents are valid',
    command: ['redocly', 'lint', '--extends', 'recommended-strict', 'openapi.json', 'openapi-account.json'],
    only: 'full',
  },
  { name: 'Run all tests', command: ['vitest', 'run'], only: 'full', alone: true },
];

const running = new Set<ChildProcess>();

async function verify(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, { fast: { type: 'boolean' } });
  await generateTypes();
  const mode = flags.fast ? 'fast' : 'full';
  const mine = steps.filter(({ only = mode }) => only === mode);
  const waiting = mine.filter(({ alone }) => !alone);
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      for (let step = waiting.shift(); step; step = waiting.shift()) await pass(step);
    }),
  );
  for (const step of mine) if (step.alone) await pass(step);
}

/** Ends the run if the step fails. Prints the step's output at its end, unless it runs alone. */
async function pass({ name, command: [program, ...args], alone }: Step): Promise<void> {
  console.log(`▸ ${name}`);
  const start = performance.now();
  const child = startTool(program, args, { stdio: alone ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const code = await exitCodeOf(child);
  running.delete(child);
  process.stdout.write(Buffer.concat(output));
  if (code !== 0) {
    console.error(`\n✗ ${name}: ${[program, ...args].join(' ')}`);
    for (const other of running) other.kill();
    process.exit(code);
  }
  console.log(`✓ ${name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
}

/** Returns vitest's filters: changed tests, and the folders of tests of changed files. */
function nearby(): string[] {
  const git = (...args: readonly string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  // The commit where this branch left `main`; on `main` itself, the last commit.
  const since = git('merge-base', 'HEAD', 'main') || 'HEAD';
  const changed = [git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')]
    .flatMap((names) => names.split('\n'))
    .filter((name) => /\.tsx?$/.test(name));
  return changed.map((name) => {
    if (name.startsWith('test/')) return name;
    if (name.startsWith('packages/')) return name.split('/').slice(0, 2).join('/');
    const [top = ''] = name.split('/');
    if (testedTogether.includes(top)) return `test/${top}/`;
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    return `test/${folder.split('/').length > 2 ? folder : name.replace(/ts$/, 'test.ts')}`;
  });
}

await runCommand(verify);
