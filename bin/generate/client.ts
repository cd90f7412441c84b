/**
 * `npm run client` generates the types and operations of `client/` from openapi.json, and those of `console/` from
 * openapi-account.json with the examples of events; `-- --check` fails when the committed files are stale.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, writtenEvents, writtenOperations, writtenTable } from './client-operations.ts';

const root = new URL('../../', import.meta.url);
const packageJson = JSON.parse(readFileSync(new URL('client/package.json', root), 'utf8')) as { version: string };
const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Document;

const fresh: Readonly<Record<string, string>> = {
  'client/src/types.gen.ts': await writtenTypes('openapi.json'),
  'client/src/operations.gen.ts': writtenOperations(read('openapi.json'), packageJson.version),
  'console/src/api/types.gen.ts': await writtenTypes('openapi-account.json'),
  'console/src/api/operations.gen.ts': writtenTable(read('openapi-account.json')),
  'console/src/api/events.gen.ts': writtenEvents(read('openapi.json')),
};

for (const [name, text] of Object.entries(fresh)) {
  const path = new URL(name, root);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is stale: run npm run client and commit it.`);
    process.exitCode = 1;
  }
}

/** The document's schemas, parameters, bodies and answers as TypeScript. */
async function writtenTypes(document: string): Promise<string> {
  // The generator prints through TypeScript's JavaScript API, which TypeScript 7 lacks. This package brings the last
  // version that has it, and unlike `typescript` itself no second `tsc`.
  const legacy = new URL('typescript.js', import.meta.resolve('@ts-morph/common')).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' ? { url: legacy, format: 'commonjs', shortCircuit: true } : next(specifier, context),
  });
  const { createClient } = await import('@hey-api/openapi-ts');
  const folder = mkdtempSync(join(tmpdir(), 'booking-client-'));
  try {
    await createClient({
      input: fileURLToPath(new URL(document, root)),
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    return readFileSync(join(folder, 'types.gen.ts'), 'utf8');
  } finally {
    hooks.deregister();
    rmSync(folder, { recursive: true });
  }
}
