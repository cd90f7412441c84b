/**
 * `npm run operate -- pin` stores the logical ids that later deployments must find again. Say why in the commit that
 * changes one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookingApp } from '../../lib/app.ts';
import { bundleFunctions } from '../../lib/bundle.ts';
import { namePages } from '../../lib/named-code.ts';
import { idsOf } from '../../lib/pinned-ids.ts';

process.env.CDK_VALIDATION = 'false';
const folder = mkdtempSync(join(tmpdir(), 'pin-'));
try {
  const assembly = bookingApp({
    bundles: await bundleFunctions(),
    pages: namePages(),
    stage: 'prod',
    outdir: folder,
  }).synth();
  const file = new URL('../../lib/pinned-ids.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(idsOf(assembly), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
