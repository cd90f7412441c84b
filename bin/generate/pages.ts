/** Builds what the edge serves, and prints its folder. A process of its own, so that the CDK loads at the same time. */
import { keptPages } from '../../lib/pages.ts';
import { runCommand } from '../command-line.ts';
import { generateTypes } from './types.ts';

await runCommand(async () => {
  await generateTypes();
  console.log((await keptPages()).folder);
});
