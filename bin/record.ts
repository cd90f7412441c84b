/**
 * The first step of `npm run docs`: the tests that work out what documents show run once, and write it down. Answers of
 * the running system go to `contract/examples.json`, counted costs to `docs/cost.md`. Takes half a minute.
 */
import { spawnSync } from 'node:child_process';

const tests = ['test/contract/openapi-examples.test.ts', 'test/docs/cost.test.ts'];

const { status } = spawnSync('vitest', ['run', '--reporter=dot', ...tests], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, RECORD: 'true' },
});
process.exitCode = status ?? 1;
