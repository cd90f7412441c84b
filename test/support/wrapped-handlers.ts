/** Wraps the handlers of chosen functions in a local run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../packages/local-cloud/src/templates.ts';

/**
 * `wrappers` maps the end of a function's name to the source of a new handler, in which `real` is the original. The new
 * code is written to the folder. Throws when there is no such function.
 */
export function wrapHandlers(
  templates: readonly Template[],
  wrappers: Readonly<Record<string, string>>,
  root: string,
): void {
  const found = new Set<string>();
  for (const { resources, assets } of templates) {
    for (const { Type, Properties } of Object.values(resources)) {
      const name = String(Properties?.FunctionName);
      const [end, wrapper] = Object.entries(wrappers).find(([ending]) => name.endsWith(ending)) ?? [];
      if (Type !== 'AWS::Lambda::Function' || !end || !wrapper) continue;
      found.add(end);
      const code = Properties?.Code as { S3Key: string };
      const folder = join(root, name);
      mkdirSync(folder, { recursive: true });
      const real = JSON.stringify(join(assets.get(code.S3Key) ?? '', 'index.mjs'));
      writeFileSync(
        join(folder, 'index.mjs'),
        `import { handler as real } from ${real};\nexport const handler = ${wrapper};\n`,
      );
      (assets as Map<string, string>).set(`injected${name}`, folder);
      code.S3Key = `injected${name}`;
    }
  }
  for (const end of Object.keys(wrappers)) if (!found.has(end)) throw new Error(`No function is named …${end}.`);
}
