/** The last step of `npm run docs` writes the tables of endpoints; `--check` fails when they are stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { accountRoutes } from '../../contract/account/api.ts';
import { allRoutes } from '../../contract/integration/api.ts';

const tables: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'README.md': [
    ['Method', 'Path', 'Scope', ''],
    ...allRoutes.map(({ method, path, scope, summary }) => [method, `\`${path}\``, `\`${scope}\``, summary]),
  ],
  'docs/account-api.md': [
    ['Method', 'Path', ''],
    ...accountRoutes.map(({ method, path, summary }) => [method, `\`${path}\``, summary]),
  ],
};

/** Columns as wide as their widest cell: as the formatter wants them. */
function written([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

const place = /(?<=<!-- routes -->\n)[\s\S]*?(?=<!-- \/routes -->)/;

for (const [name, table] of Object.entries(tables)) {
  const path = new URL(`../../${name}`, import.meta.url);
  const found = readFileSync(path, 'utf8');
  if (!place.test(found)) throw new Error(`${name} has no place for its table: <!-- routes --> and <!-- /routes -->.`);
  const fresh = found.replace(place, () => written(table));
  if (fresh === found) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is stale: run npm run docs and commit what it writes.`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, fresh);
  }
}
