/** `npm run docs` writes the generated tables of the documents; `-- --check` fails when they are stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { accountRoutes } from '../contract/account-api.ts';
import { allRoutes } from '../contract/api.ts';

const tables: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    '| Method | Path | Scope | |',
    '|---|---|---|---|',
    ...allRoutes.map(
      ({ method, path, scope, summary, planned }) =>
        `| ${method} | \`${path}\` | \`${scope}\` | ${summary}${planned ? ' *(planned)*' : ''} |`,
    ),
  ],
  'docs/account-api.md': [
    '| Method | Path | |',
    '|---|---|---|',
    ...accountRoutes.map(({ method, path, summary }) => `| ${method} | \`${path}\` | ${summary} |`),
  ],
};

const place = /(?<=<!-- routes -->\n)[\s\S]*?(?=<!-- \/routes -->)/;

for (const [name, lines] of Object.entries(tables)) {
  const path = new URL(`../${name}`, import.meta.url);
  const written = readFileSync(path, 'utf8');
  if (!place.test(written))
    throw new Error(`${name} has no place for its table: <!-- routes --> and <!-- /routes -->.`);
  const fresh = written.replace(place, () => `${lines.join('\n')}\n`);
  if (fresh === written) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} is stale: run npm run docs and commit it.`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, fresh);
  }
}
