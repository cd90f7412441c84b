/**
 * The last step of `npm run docs`: writes openapi.json, llms.txt, the tables of endpoints in README.md and
 * docs/account-api.md, and the table of errors in docs/errors.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { accountRoutes } from '../../contract/account/api.ts';
import { errorAdvice } from '../../contract/error-advice.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { allRoutes } from '../../contract/integration/api.ts';
import { llmsText } from '../../contract/llms.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { readFlags, runCommand } from '../command-line.ts';
import { compactJson } from './compact-json.ts';

const documents: Readonly<Record<string, (found: string) => string>> = {
  'openapi.json': () => compactJson(openApiDocument()),
  'llms.txt': llmsText,
  'README.md': withTable('routes', [
    ['Method', 'Path', 'Scope', ''],
    ...allRoutes.map(({ method, path, scope, summary }) => [
      method,
      `\`${path}\``,
      scope ? `\`${scope}\`` : '',
      summary,
    ]),
  ]),
  'docs/account-api.md': withTable('routes', [
    ['Method', 'Path', ''],
    ...accountRoutes.map(({ method, path, summary }) => [method, `\`${path}\``, summary]),
  ]),
  'docs/errors.md': withTable('errors', [
    ['Code', 'Status', 'When', 'What to do'],
    ...Object.entries(errors).map(([code, { status, message }]) => [
      `\`${code}\``,
      String(status),
      message,
      errorAdvice[code as ErrorCode],
    ]),
  ]),
};

/** Returns the document with this table between its two marks. */
function withTable(name: string, [head = [], ...rows]: readonly (readonly string[])[]): (found: string) => string {
  // The formatter requires columns as wide as their widest cell.
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |\n`;
  const table = [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
  const between = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
  return (found) => {
    if (!between.test(found)) throw new Error(`The table belongs between <!-- ${name} --> and <!-- /${name} -->.`);
    return found.replace(between, () => table);
  };
}

const help = `Writes the documents that are generated from contract/: ${Object.keys(documents).join(', ')}.

  node bin/launch.mjs generate/documents [flags]

  --check    writes nothing, and fails if a document is out of date
  --help

\`npm run docs\` first records examples and costs.`;

await runCommand(async (args) => {
  const { check } = readFlags(help, args, { check: { type: 'boolean' } });
  for (const [name, write] of Object.entries(documents)) {
    const path = new URL(`../../${name}`, import.meta.url);
    const found = readFileSync(path, 'utf8');
    const fresh = write(found);
    if (fresh === found) continue;
    if (check) {
      console.error(`${name} is out of date: run npm run docs, and commit the files that it writes.`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, fresh);
    }
  }
});
