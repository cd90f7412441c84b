/** Bugs planted into a running system: chosen functions get a wrapper around their handler, the rest is as it is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalOptions } from '../../local/booking/start-local.ts';
import { temporaryFolder } from './synthesised.ts';

/**
 * For `withLocal({ mutateTemplates })`. By the end of a function's name, the source of what stands in its handler's
 * place; the handler itself is `real` there.
 */
export function planted(wrappers: Readonly<Record<string, string>>): NonNullable<LocalOptions['mutateTemplates']> {
  return (templates) => {
    const root = temporaryFolder('planted');
    for (const { resources, assets } of templates) {
      for (const { Type, Properties } of Object.values(resources)) {
        const name = String(Properties?.FunctionName);
        const wrapper = Object.entries(wrappers).find(([end]) => name.endsWith(end))?.[1];
        if (Type !== 'AWS::Lambda::Function' || !wrapper) continue;
        const code = Properties?.Code as { S3Key: string };
        const folder = join(root, name);
        mkdirSync(folder);
        const real = JSON.stringify(join(assets.get(code.S3Key) ?? '', 'index.mjs'));
        writeFileSync(
          join(folder, 'index.mjs'),
          `import { handler as real } from ${real};\nexport const handler = ${wrapper};\n`,
        );
        (assets as Map<string, string>).set(`planted${name}`, folder);
        code.S3Key = `planted${name}`;
      }
    }
  };
}
