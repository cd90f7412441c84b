/**
 * The app, synthesised into a folder of the test's own. Its handlers are stubs, so that what is tested is what lib/
 * makes of the tables; `bundle.test.ts` bundles the real ones.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { bookingApp } from '../../lib/app.ts';
import { type Bundles, bundleFunctions } from '../../lib/bundle.ts';
import { handlers } from '../../lib/handlers.ts';

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `${name}-`));
}

/** A handler file for every row, except those that `without` names. */
export function stubFunctions(without: readonly string[] = []): string {
  const folder = temporaryFolder('functions');
  for (const { name } of handlers) {
    if (without.includes(name)) continue;
    const file = join(folder, `${name}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export const handler = async () => ${JSON.stringify(name)};\n`);
  }
  return folder;
}

export function stubBundles(): Promise<Bundles> {
  return bundleFunctions({ functionsFolder: stubFunctions(), outputFolder: temporaryFolder('bundles') });
}

export const stackIds = ['Data', 'Delivery', 'IntegrationApi', 'Observability'] as const;
export type StackId = (typeof stackIds)[number];

/** `app` with templates read from its stacks. Building does not run the validations; `synth()` of the app does. */
export async function builtApp(stage = 'dev'): Promise<App> {
  return bookingApp({ bundles: await stubBundles(), stage, outdir: temporaryFolder('assembly') });
}

export function templateOf(app: App, id: StackId): Template {
  return Template.fromStack(app.node.findChild(id) as Stack);
}
