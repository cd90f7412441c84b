/** What a bundle needs to know of contract/ and its files do not say, and what they say that no function reads. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** A constant that is made by a call, or a statement that is one, neither indented: both are at the top level. */
const topLevelCall = /^((?:(?:export )?const \w+(?:: [^=\n]+)? = )?)(?=[\w.]+\()/gm;

/**
 * Calls at the top level of the contract make rows and shapes or compare limits, and do nothing else. A bundler cannot
 * see that, and would keep every row in every function. Those that nobody reads go, and what they were made of with them.
 */
function withPureCalls(source: string): string {
  return source.replace(topLevelCall, '$1/* @__PURE__ */ ');
}

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\.)*${'`'})`;
const fieldWords = new RegExp(String.raw`\s*z\.describe\(\s*${literal},?\s*\),?`, 'g');
const emptyCheck = /\s*\.check\(\s*\)/g;
const rowWords = new RegExp(
  String.raw`^ {2}(?:summary|description):\s*${literal},\n|^ {2}tool: \{\n(?: {4}.*\n)+ {2}\},\n`,
  'gm',
);
/**
 * What the documents say and no function reads: words of fields and rows. The shapes of answers stay, because what a verb
 * returns is projected onto them. Throws when words of a field are left, which would be in each bundle.
 */
export function withoutDocumentation(source: string, path: string): string {
  const bare = source.replace(fieldWords, '').replace(emptyCheck, '');
  if (bare.includes('z.describe(')) throw new Error(`${path}: what z.describe says must be one literal.`);
  return /routes\.ts$/.test(path) ? bare.replace(rowWords, '') : bare;
}

export const leanContract: Plugin = {
  name: 'lean-contract',
  setup(build) {
    build.onLoad({ filter: /\/contract\/(?:[\w-]+\/)?[\w-]+\.ts$/ }, ({ path }) => ({
      contents: withPureCalls(withoutDocumentation(readFileSync(path, 'utf8'), path)),
      loader: 'ts',
    }));
  },
};
