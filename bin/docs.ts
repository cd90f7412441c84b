/** `npm run docs` writes the generated tables of the README; `-- --check` fails when they are stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { allRoutes } from '../contract/api.ts';

const path = new URL('../README.md', import.meta.url);

const routeTable = [
  '| Method | Path | Scope | |',
  '|---|---|---|---|',
  ...allRoutes.map(
    ({ method, path, scope, summary, planned }) =>
      `| ${method} | \`${path}\` | \`${scope}\` | ${summary}${planned ? ' *(planned)*' : ''} |`,
  ),
].join('\n');

const readme = readFileSync(path, 'utf8');
const place = /(?<=<!-- routes -->\n)[\s\S]*?(?=<!-- \/routes -->)/;
if (!place.test(readme)) throw new Error('README.md has no place for the table: <!-- routes --> and <!-- /routes -->.');
const fresh = readme.replace(place, () => `${routeTable}\n`);

if (process.argv.includes('--check')) {
  if (fresh !== readme) {
    console.error('README.md is stale: run npm run docs and commit it.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, fresh);
}
