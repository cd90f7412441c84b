/** Writes the files that `types.ts` names, from the tables of `contract/`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileName } from '../../contract/integration/api.ts';
import { idListPattern } from '../../contract/integration/inputs.ts';
import { accountOpenApiDocument, openApiDocument, smallOpenApiDocument } from '../../contract/openapi.ts';
import { listedTools } from '../../contract/tools.ts';
import { type Document, writtenEvents, writtenOperations, writtenTable } from './client-operations.ts';
import { compactJson } from './compact-json.ts';
import { publicSuffixes } from './public-suffixes.ts';

const root = new URL('../../', import.meta.url);
const [integration, account] = [openApiDocument(), accountOpenApiDocument()] as unknown as [Document, Document];
const { version } = JSON.parse(readFileSync(new URL('client/package.json', root), 'utf8')) as { version: string };

const files: Readonly<Record<string, string>> = {
  'openapi-account.json': compactJson(account),
  'openapi-small.json': JSON.stringify(smallOpenApiDocument()),
  'client/src/generated/operations.ts': writtenOperations(integration, version),
  'client/src/generated/types.ts': await writtenTypes(integration),
  'console/src/api/generated/events.ts': writtenEvents(integration),
  'console/src/api/generated/operations.ts': writtenTable(account),
  'console/src/api/generated/types.ts': await writtenTypes(account),
  'functions/generated/tools.ts': writtenTools(),
  'core/keys/generated/public-suffixes.ts': `export const publicSuffixes =\n  '${publicSuffixes()}';\n`,
};

for (const [file, text] of Object.entries(files)) {
  const path = new URL(file, root);
  mkdirSync(new URL('.', path), { recursive: true });
  writeFileSync(path, text);
}

/** The tools of agents with the handlers of their rows. */
function writtenTools(): string {
  const tools = listedTools();
  // Several tools return a booking: its schema is written once.
  const schemas = [...new Set(tools.map(({ definition }) => JSON.stringify(definition.outputSchema)))];
  return [
    "import type { Tool } from '../../core/agents/call-tool.ts';",
    ...tools.map(({ operation }) => `import { handler as ${operation} } from '../api/${fileName(operation)}.ts';`),
    '',
    `const schemas = [${schemas.join(', ')}] as const;`,
    'export const tools: readonly Tool[] = [',
    ...tools.map(
      ({ operation, definition: { outputSchema, ...rest } }) =>
        `  { handler: ${operation}, definition: { ...${JSON.stringify(rest)}, outputSchema: schemas[${schemas.indexOf(JSON.stringify(outputSchema))}] } },`,
    ),
    '];\n',
  ].join('\n');
}

/** Callers may also pass ids as an array: converted to a string, it has the commas that the query needs. */
function withArrayOfIds(_name: string, value: { readonly pattern?: unknown } | null): unknown {
  if (value?.pattern !== idListPattern.source) return value;
  return { anyOf: [{ type: 'array', items: { type: 'integer' } }, value] };
}

/** Returns the document's schemas, parameters, bodies and responses as TypeScript. */
async function writtenTypes(document: Document): Promise<string> {
  // The generator prints through TypeScript's JavaScript API, which TypeScript 7 lacks. This package contains the last
  // version with it, and unlike `typescript` itself adds no second `tsc`.
  const legacy = new URL('typescript.js', import.meta.resolve('@ts-morph/common')).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' ? { url: legacy, format: 'commonjs', shortCircuit: true } : next(specifier, context),
  });
  const { createClient } = await import('@hey-api/openapi-ts');
  const folder = mkdtempSync(join(tmpdir(), 'booking-client-'));
  try {
    await createClient({
      input: JSON.parse(JSON.stringify(document), withArrayOfIds),
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
