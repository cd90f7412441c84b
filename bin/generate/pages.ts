/** Builds the pages of the edge, and prints their folder. It is its own process, so the CDK loads concurrently. */
import { cachedPages } from '../../lib/pages.ts';
import { runCommand } from '../command-line.ts';
import { generateTypes } from './types.ts';

await runCommand(async () => {
  await generateTypes();
  console.log((await cachedPages()).folder);
});
