/**
 * `npm run docs`: runs the tests that compute the content of documents, and writes it. Responses of the running system
 * go to `contract/integration/examples.json`, counted costs to `docs/cost.md`. Then it writes the generated documents.
 */
import { join } from 'node:path';
import { assertHandlersExist } from '../../lib/handlers.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { readFlags, runCommand } from '../command-line.ts';
import { exitCodeOf, startTool } from '../tool.ts';

const help = `Records the examples and costs in the documents, which takes a minute or two, and then writes the
documents that are generated from contract/ (node bin/launch.mjs generate/documents --help lists them).

  npm run docs

  --help`;

const vitest = ['vitest', 'run', '--reporter=dot'] as const;
const steps = [
  // For other areas of this file, nothing is recorded.
  [...vitest, 'test/journeys/one-run.test.ts', '-t', 'examples'],
  [...vitest, 'test/docs/cost.test.ts', 'test/docs/cost-logs.test.ts'],
  ['node', 'bin/generate/documents.ts'],
] as const;

await runCommand(async (args) => {
  readFlags(help, args, {});
  assertHandlersExist(join(projectFolder, 'functions'));
  const env = { ...process.env, RECORD: 'true' };
  for (const [program, ...rest] of steps) process.exitCode ||= await exitCodeOf(startTool(program, rest, { env }));
});
