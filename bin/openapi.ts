/**
 * `npm run openapi` writes openapi.json and openapi-account.json from the tables; `-- --check` fails when a committed
 * file is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { accountOpenApiDocument, openApiDocument } from '../contract/openapi.ts';

const documents = { 'openapi.json': openApiDocument, 'openapi-account.json': accountOpenApiDocument };

for (const [name, document] of Object.entries(documents)) {
  const path = new URL(`../${name}`, import.meta.url);
  const fresh = `${JSON.stringify(document(), null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(path, fresh);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== fresh) {
    console.error(`${name} is stale: run npm run openapi and commit it.`);
    process.exitCode = 1;
  }
}
