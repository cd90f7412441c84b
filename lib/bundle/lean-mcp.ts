/** What the server of agents' tools brings along and never runs, and what hides from the bundler that it is not used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { withoutMethods } from './without-methods.ts';

interface Cut {
  /** Of the package's `dist` folder, without the hash in the name. */
  readonly file: string;
  readonly from: RegExp;
  readonly to: string;
}

/** Each must find what it replaces: an update of the package that leaves one without work stops the build. */
const cuts: readonly Cut[] = [
  // A server is made of `Server`. The class that keeps a list of tools itself is never asked.
  { file: 'index', from: /product instanceof McpServer/g, to: 'false' },
  // Requests of 2025 are answered by core/agents/serve-tools.ts, without streams.
  { file: 'index', from: /legacy === "reject" \? void 0 : createLegacyStatelessFallback\(.*\);/g, to: 'void 0;' },
  // Lists every schema of the protocol and of OAuth by name, for callers that check messages themselves.
  { file: 'src', from: /^for \(const .+ of .+\) register\(key, .+\);$/gm, to: '' },
  // Why each code of an error is what it is.
  { file: 'src', from: /^\t\trationale: ".*",?$/gm, to: '' },
];
/** Of a server that asks the client for something. No tool here does. */
const unusedMethods = ['createMessage', 'elicitInput', '_sendElicitationLeg', 'fulfill', '_dispatchLeg'];
/** A schema is made by a call, which the bundler would keep for whatever else the call may do. */
const madeByCall = /^(const \w+ = )(?=[\w.$]+\()/gm;

const modules = /@modelcontextprotocol\/(?:server|core)\/dist\/(\w+)(?:-[\w-]+)?\.mjs$/;
/** Schemas of tools are written at build time (contract/tools.ts), and arguments are checked by the rows. */
const withoutValidators = 'export class DefaultJsonSchemaValidator {}\nexport const process = globalThis.process;';
/**
 * Every schema of zod's larger half, which that package takes, is made with functions that write it as JSON Schema, and
 * with English for what it refuses, in whose place is that of core/http/request.ts.
 */
const idleHalves = /\/(?:to-json-schema|json-schema-processors|locales\/en)\.js$/;

export const leanMcp: Plugin = {
  name: 'lean-mcp',
  setup(build) {
    build.onLoad({ filter: modules }, ({ path }) => {
      const [, name = ''] = modules.exec(path) ?? [];
      if (name === 'shimsNode') return { contents: withoutValidators };
      const source = cut(name, readFileSync(path, 'utf8'));
      const used = name === 'mcp' ? withoutMethods(source, unusedMethods) : source;
      return { contents: used.replace(madeByCall, '$1/* @__PURE__ */ ') };
    });
    build.onResolve({ filter: idleHalves }, ({ path, resolveDir }) =>
      resolveDir.endsWith('/zod/v4/classic') ? { path: join(resolveDir, path), namespace: 'idle' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'idle' }, ({ path }) => ({
      contents: exportsOf(readFileSync(path, 'utf8'))
        .map((name) => `const ${name}_ = () => undefined;\nexport { ${name}_ as ${name} };`)
        .join('\n'),
    }));
  },
};

function cut(name: string, source: string): string {
  return cuts
    .filter(({ file }) => file === name)
    .reduce((text, { from, to }) => {
      if (text.search(from) < 0) throw new Error(`lib/bundle/lean-mcp.ts: ${from} finds nothing in ${name}.`);
      return text.replace(from, to);
    }, source);
}

function exportsOf(source: string): readonly string[] {
  const declared = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
  const renamed = [...source.matchAll(/^export (?:default|\{ \w+ as (\w+) \};)/gm)].map(([, name = 'default']) => name);
  return [...declared, ...renamed];
}
