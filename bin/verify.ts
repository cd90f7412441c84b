/**
 * `npm run verify`: everything that decides whether a change may land, in the order in which it fails fastest. CI runs
 * the same line. `npm run verify:fast` is for every edit: it leaves out what takes long, and of the tests runs those of
 * rows and documents and those near what changed since `main`. Both stop at the first step that fails, name it last, and
 * say how long each took.
 */
import { spawnSync } from 'node:child_process';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Without it the step belongs to both. */
  readonly only?: 'fast' | 'full';
}

/** They start the whole system, engines by the dozen, or a simulation. */
const slowTests = [
  'test/{bench,bin,browser,journeys,lib,local,simulation}/**',
  'test/docs/{cost,readme}.test.ts',
  'test/contract/openapi-examples.test.ts',
  'test/core/**/*{races,races-on-amazons,histories,faults,interference,crash,hostile,ssrf}.test.ts',
];
const withoutSlow = slowTests.flatMap((pattern) => ['--exclude', pattern]);

const steps: readonly Step[] = [
  { name: 'format, lint and the walls', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of the site', command: ['tsc', '-p', 'site/browser'] },
  { name: 'types of the page of an example', command: ['tsc', '-p', 'examples/booking-site/page'] },
  { name: 'OpenAPI is fresh', command: ['node', 'bin/openapi.ts', '--check'] },
  { name: 'the changelog is fresh', command: ['node', 'bin/changelog.ts', '--check'] },
  { name: 'the client is fresh', command: ['node', 'bin/client.ts', '--check'] },
  { name: 'tables of endpoints are fresh', command: ['node', 'bin/docs.ts', '--check'] },
  {
    name: 'rows, documents and the folders that changed, without the slow tests',
    command: [
      'vitest',
      'run',
      '--reporter=dot',
      ...withoutSlow,
      'test/contract/',
      'test/docs/',
      'test/site/',
      ...nearby(),
    ],
    only: 'fast',
  },
  {
    name: 'OpenAPI is valid',
    command: ['redocly', 'lint', '--extends', 'recommended-strict', 'openapi.json', 'openapi-account.json'],
    only: 'full',
  },
  { name: 'the stacks synthesise', command: ['cdk', 'synth', '--quiet'], only: 'full' },
  { name: 'tests', command: ['vitest', 'run'], only: 'full' },
];

const mode = process.argv.includes('--fast') ? 'fast' : 'full';

for (const { name, command, only = mode } of steps) {
  if (only !== mode) continue;
  console.log(`\n▸ ${name}`);
  const start = performance.now();
  const [program, ...args] = command;
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n✗ ${name}: ${command.join(' ')}`);
    process.exit(status ?? 1);
  }
  console.log(`✓ ${name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
}

/** What vitest is to look for: changed tests, and the tests in the folder of each changed file. `test/` mirrors the tree. */
function nearby(): string[] {
  const git = (...args: readonly string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  // Where this branch left `main`; on `main` itself, the last commit.
  const since = git('merge-base', 'HEAD', 'main') || 'HEAD';
  const changed = [git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')]
    .flatMap((names) => names.split('\n'))
    .filter((name) => name.endsWith('.ts'));
  return changed.map((name) => {
    if (name.startsWith('test/')) return name;
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    return `test/${folder.split('/').length > 2 ? folder : name.replace(/ts$/, 'test.ts')}`;
  });
}
