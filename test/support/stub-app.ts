/**
 * The app without its real handlers, so that what is tested is what lib/ makes of the tables; `test/lib/bundle.test.ts`
 * looks at the real ones. It loads the CDK: a test that only reads templates takes `synthesised.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { bookingApp } from '../../lib/app.ts';
import type { Bundles } from '../../lib/bundle.ts';
import { nameFunctions, namePages } from '../../lib/named-code.ts';

export type Context = Readonly<Record<string, string | boolean>>;

export interface StubAppProps {
  readonly stage?: string;
  /** With `-c` beside what `cdk.json` says. */
  readonly context?: Context;
  /** Where the cloud assembly goes. */
  readonly outdir: string;
  /** Where the code of the stubs is. */
  readonly code: string;
}

/** Not synthesised yet. Throws what `cdk synth` would say. */
export function stubApp({ stage = 'dev', context = {}, outdir, code }: StubAppProps): App {
  const before = process.env.CDK_CONTEXT_JSON;
  process.env.CDK_CONTEXT_JSON = JSON.stringify(context);
  try {
    return bookingApp({
      stage,
      outdir,
      bundles: stubBundles(join(code, 'functions')),
      pages: namePages(join(code, 'pages')),
    });
  } finally {
    if (before === undefined) delete process.env.CDK_CONTEXT_JSON;
    else process.env.CDK_CONTEXT_JSON = before;
  }
}

/** What a bundle has: code, and a map beside it. */
function stubBundles(folder: string): Bundles {
  const bundles = nameFunctions(folder);
  for (const bundle of bundles.values()) writeFileSync(join(bundle.folder, 'index.mjs.map'), '{}');
  return bundles;
}
