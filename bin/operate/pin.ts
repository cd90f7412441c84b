#!/usr/bin/env node
/** `npm run operate -- pin` (lib/pinned-ids.ts). State the reason in the commit that changes an id. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../lib/bundle.ts';
import { namePages } from '../../lib/named-code.ts';
import { idsOf } from '../../lib/pinned-ids.ts';
import { readFlags, runCommand } from '../command-line.ts';

const help = `Synthesises the stage prod, and stores in lib/pinned-ids.json the logical ids that later deployments must keep.
State in the commit why an id changed.

  npm run operate -- pin

  --help`;

async function pin(args: readonly string[]): Promise<void> {
  readFlags(help, args, {});
  // Loading the CDK takes seconds, for which `--help` should not wait.
  const { bookingApp } = await import('../../lib/app.ts');
  process.env.CDK_VALIDATION = 'false';
  console.error('Building the functions and synthesising the stage prod …');
  const outdir = mkdtempSync(join(tmpdir(), 'pin-'));
  try {
    const bundles = await bundleFunctions();
    const ids = idsOf(bookingApp({ bundles, pages: namePages(), stage: 'prod', outdir }).synth());
    const file = new URL('../../lib/pinned-ids.json', import.meta.url);
    writeFileSync(file, `${JSON.stringify(ids, null, 2)}\n`);
    console.log(`Stored ${Object.keys(ids).length} ids in lib/pinned-ids.json: git diff shows what changed.`);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

await runCommand(pin);
