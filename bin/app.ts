/**
 * The CDK app: `npx cdk synth -c stage=prod`, or `CDK_OUTDIR=folder node bin/app.ts` without the CDK command. With
 * `CODE=names` the stacks contain no code, only the names of handlers, and with `PAGES=names` no pages: local runs
 * build both themselves.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunctions } from '../lib/bundle.ts';
import { nameFunctions, namePages } from '../lib/named-code.ts';
import { runCommand } from './command-line.ts';
import { generateTypes } from './generate/types.ts';

await runCommand(async () => {
  // Both the functions and the pages contain generated files.
  await generateTypes();
  // esbuild and Vite run in separate processes while the CDK loads.
  const bundling = process.env.CODE === 'names' ? nameFunctions() : bundleFunctions();
  const building = process.env.PAGES === 'names' ? namePages() : buildPages();
  const { bookingApp } = await import('../lib/app.ts');
  const [bundles, pages] = await Promise.all([bundling, building]);
  bookingApp({ bundles, pages }).synth();
});

async function buildPages(): Promise<string> {
  const program = fileURLToPath(new URL('./generate/pages.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return stdout.trim();
}
