/**
 * Builds the pages that CloudFront serves, and prints their folder. This program is a process of its own, so that the
 * CDK loads concurrently.
 */
import { cachedPages } from '../../lib/pages.ts';
import { runCommand } from '../command-line.ts';

await runCommand(async () => console.log((await cachedPages()).folder));
