/** What a bundle needs to know of contract/ and its files do not say. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** A constant that is made by a call, or a statement that is one, neither indented: both are at the top level. */
const topLevelCall = /^((?:(?:export )?const \w+(?:: [^=\n]+)? = )?)(?=[\w.]+\()/gm;

/**
 * Calls at the top level of the contract make rows and shapes or compare limits, and do nothing else. A bundler cannot
 * see that, and would keep every row in every function. Those that nobody reads go, and what they were made of with them.
 */
export function withPureCalls(source: string): string {
  return source.replace(topLevelCall, '$1/* @__PURE__ */ ');
}

export const leanContract: Plugin = {
  name: 'lean-contract',
  setup(build) {
    build.onLoad({ filter: /\/contract\/[\w-]+\.ts$/ }, ({ path }) => ({
      contents: withPureCalls(readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
