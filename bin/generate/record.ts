/**
 * The first step of `npm run docs`: runs the tests that compute the content of documents, and writes it. Responses of
 * the running system go to `contract/integration/examples.json`, counted costs to `docs/cost.md`. Takes half a minute.
 */
import { join } from 'node:path';
import { assertHandlersExist } from '../../lib/handlers.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { exitCodeOf, startTool } from '../tool.ts';

try {
  assertHandlersExist(join(projectFolder, 'functions'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const runs = [
  // The other areas of this file record nothing.
  ['test/journeys/one-run.test.ts', '-t', 'examples'],
  ['test/docs/cost.test.ts', 'test/docs/cost-logs.test.ts'],
];

const env = { ...process.env, RECORD: 'true' };
for (const tests of runs) {
  process.exitCode ||= await exitCodeOf(startTool('vitest', ['run', '--reporter=dot', ...tests], { env }));
}
