/** What the server of agents' tools brings along and never runs: validators and writers of JSON Schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Schemas of tools are written at build time (contract/tools.ts), and arguments are checked by the rows. */
export const leanMcp: Plugin = {
  name: 'lean-mcp',
  setup(build) {
    build.onLoad({ filter: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ }, () => ({
      contents: 'export class DefaultJsonSchemaValidator {}\nexport const process = globalThis.process;',
    }));
    // Every schema of zod's larger half, which that package takes, is made with functions that write it as JSON Schema.
    build.onResolve({ filter: /\/(?:to-json-schema|json-schema-processors)\.js$/ }, ({ path, resolveDir }) =>
      resolveDir.endsWith('/zod/v4/classic')
        ? { path: join(resolveDir, path), namespace: 'no-json-schema' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'no-json-schema' }, ({ path }) => ({
      contents: exportsOf(readFileSync(path, 'utf8'))
        .map((name) => `const ${name}_ = () => undefined;\nexport { ${name}_ as ${name} };`)
        .join('\n'),
    }));
  },
};

function exportsOf(source: string): readonly string[] {
  const declared = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
  const renamed = [...source.matchAll(/^export \{ \w+ as (\w+) \};/gm)].map(([, name = '']) => name);
  return [...declared, ...renamed];
}
