/** Removes code of the MCP server package that never runs, and code that hides from the bundler that it is unused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { withoutMethods } from './without-methods.ts';

interface Cut {
  /** The file in the package's `dist` folder, without the hash in its name. */
  readonly file: string;
  readonly from: RegExp;
  readonly to: string;
}

/** Each cut must match: if an update of the package changes the text of a cut, the build fails. */
const cuts: readonly Cut[] = [
  // Our server is created from `Server`. `McpServer`, which keeps a list of tools itself, is never used.
  { file: 'index', from: /product instanceof McpServer/g, to: 'false' },
  // Requests of protocol versions of 2025 are answered by core/agents/serve-tools.ts, without streams.
  { file: 'index', from: /legacy === "reject" \? void 0 : createLegacyStatelessFallback\(.*\);/g, to: 'void 0;' },
  // This lists every schema of the protocol and of OAuth by name, for callers that validate messages themselves.
  { file: 'src', from: /^for \(const .+ of .+\) register\(key, .+\);$/gm, to: '' },
  // These are explanations of the error codes.
  { file: 'src', from: /^\t\trationale: ".*",?$/gm, to: '' },
];
/** Methods of a server that sends requests to the client. No tool here does. */
const unusedMethods = ['createMessage', 'elicitInput', '_sendElicitationLeg', 'fulfill', '_dispatchLeg'];
/** Matches a schema that is created by a call. The bundler would keep it, because calls may have side effects. */
const madeByCall = /^(const \w+ = )(?=[\w.$]+\()/gm;

const modules = /@modelcontextprotocol\/(?:server|core)\/dist\/(\w+)(?:-[\w-]+)?\.mjs$/;
/** JSON Schemas of tools are written at build time (contract/tools.ts), and arguments are validated by the rows. */
const withoutValidators = 'export class DefaultJsonSchemaValidator {}\nexport const process = globalThis.process;';
/**
 * The package imports zod's larger variant. Each of its schemas includes functions that write it as JSON Schema, and
 * English error messages, which core/http/request.ts replaces.
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
