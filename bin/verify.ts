/**
 * `npm run verify`: everything that decides whether a change may land, in the order in which it fails fastest.
 * CI runs the same line. It stops at the first step that fails, and says how long each took.
 */
import { spawnSync } from 'node:child_process';

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format, lint and the walls', 'biome', 'ci', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', '.'],
  ['OpenAPI is fresh', 'node', 'bin/openapi.ts', '--check'],
  ['OpenAPI is valid', 'redocly', 'lint', '--extends', 'recommended-strict', 'openapi.json', 'openapi-account.json'],
  ['the changelog is fresh', 'node', 'bin/changelog.ts', '--check'],
  ['the client is fresh', 'node', 'bin/client.ts', '--check'],
  ['README table is fresh', 'node', 'bin/docs.ts', '--check'],
  ['the stacks synthesise', 'cdk', 'synth', '--quiet'],
  ['tests', 'vitest', 'run'],
];

for (const [name, command, ...args] of steps) {
  console.log(`\n▸ ${name}`);
  const start = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n✗ ${name}: ${[command, ...args].join(' ')}`);
    process.exit(status ?? 1);
  }
  console.log(`✓ ${name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
}
