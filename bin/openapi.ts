/** `npm run openapi` writes openapi.json from the tables; `-- --check` fails when the committed file is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../contract/openapi.ts';

const path = new URL('../openapi.json', import.meta.url);
const fresh = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== fresh) {
    console.error('openapi.json is stale: run npm run openapi and commit it.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, fresh);
}
