/**
 * `npm run openapi` writes openapi.json, openapi-account.json and llms.txt from the tables; `-- --check` fails when one
 * file is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { llmsText } from '../../contract/llms.ts';
import { accountOpenApiDocument, openApiDocument } from '../../contract/openapi.ts';

const json = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

const documents = {
  'openapi.json': () => json(openApiDocument()),
  'openapi-account.json': () => json(accountOpenApiDocument()),
  'llms.txt': llmsText,
};

for (const [name, document] of Object.entries(documents)) {
  const path = new URL(`../../${name}`, import.meta.url);
  const fresh = document();
  if (!process.argv.includes('--check')) {
    writeFileSync(path, fresh);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== fresh) {
    console.error(`${name} is stale: run npm run docs and commit what it writes.`);
    process.exitCode = 1;
  }
}
