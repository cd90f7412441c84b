/**
 * The app without its real handlers, for tests of what lib/ derives from the tables; `test/lib/bundle.test.ts` tests
 * the real bundles. It loads the CDK: a test that only reads templates uses `synthesised.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { type Api, apis } from '../../lib/apis.ts';
import { bookingApp } from '../../lib/app.ts';
import type { Bundle, Bundles } from '../../lib/bundle.ts';
import { type HandlerName, handlerOf } from '../../lib/handlers.ts';
import { nameFunctions, namePages } from '../../lib/named-code.ts';

export type Context = Readonly<Record<string, string | boolean>>;

export interface StubAppProps {
  readonly stage?: string;
  /** Context values of `-c`, besides those of `cdk.json`. */
  readonly context?: Context;
  readonly outdir: string;
  readonly code: string;
  /** How many additional endpoints each API has, as a later version may. */
  readonly laterEndpoints?: number | undefined;
}

/** The app before synthesis. Throws the errors of `cdk synth`. */
export function stubApp({ stage = 'dev', context = {}, outdir, code, laterEndpoints = 0 }: StubAppProps): App {
  const endings = Object.values<Api>(apis).map((api) => grow(api, laterEndpoints));
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
    for (const end of endings) end();
    if (before === undefined) delete process.env.CDK_CONTEXT_JSON;
    else process.env.CDK_CONTEXT_JSON = before;
  }
}

/** Bundles by the folder with their files, which are written once. */
const written = new Map<string, Bundles>();

function stubBundles(folder: string): Bundles {
  const bundles = new Map<HandlerName, Bundle>(written.get(folder) ?? writeBundles(folder));
  const [any] = bundles.values();
  for (const api of Object.values<Api>(apis)) {
    const wanted = api.rows.map(({ operation }) => handlerOf.route(api, operation));
    for (const name of wanted) if (any && !bundles.has(name)) bundles.set(name, { ...any, name });
  }
  return bundles;
}

/** Writes the files of bundles: code and its source map. */
function writeBundles(folder: string): Bundles {
  const bundles = nameFunctions(folder);
  for (const bundle of bundles.values()) writeFileSync(join(bundle.folder, 'index.mjs.map'), '{}');
  written.set(folder, bundles);
  return bundles;
}

/** Adds endpoints to an API. Returns the function that removes them. */
function grow({ rows }: Api, length: number): () => void {
  const [row] = rows;
  if (!row) throw new Error('The API has no rows.');
  const today = rows.length;
  const later = Array.from({ length }, (_, i) => ({ ...row, operation: `later${i}`, path: `/later-${i}` }));
  (rows as (typeof row)[]).push(...later);
  return () => void (rows as (typeof row)[]).splice(today);
}
