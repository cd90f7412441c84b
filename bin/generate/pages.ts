/** Builds what the edge serves, and prints its folder. A process of its own, so that the CDK loads meanwhile. */
import { keptPages } from '../../lib/pages.ts';
import { runCommand } from '../command-line.ts';

await runCommand(async () => {
  console.log((await keptPages()).folder);
});
