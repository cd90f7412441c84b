/** Marks calls of contract/ as free of side effects, and removes texts of contract/ that no function reads. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Matches a constant at the top level (not indented) that is not a simple value. */
const topLevelConstant = /^((?:export )?const \w+(?:: [^=\n]+)? = )([^;]*?[({][\s\S]*?);\n(?![ )\]}])/gm;
/** Matches a call as a statement, at the top level. */
const topLevelCall = /^(?=[\w.]+\()/gm;

/**
 * Calls at the top level of the contract create rows and schemas or compare limits, and have no other effect. A bundler
 * cannot see that, and would keep every row in every function. Marked as pure, unused calls are removed; a constant is
 * created inside a function, so that the calls in its arguments are removed with it.
 */
function withPureCalls(source: string): string {
  return source
    .replace(topLevelConstant, '$1/* @__PURE__ */ (() => ($2))();\n')
    .replace(topLevelCall, '/* @__PURE__ */ ');
}

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\.)*${'`'})`;
const described = new RegExp(String.raw`\b(field|object)\(\s*${literal},\s*`, 'g');
const trailingComma = /,(\s*\))/g;
const rowWords = new RegExp(
  String.raw`^ {2}(?:summary|description):\s*${literal},\n|^ {2}tool: \{\n(?: {4}.*\n)+ {2}\},\n`,
  'gm',
);
/**
 * Removes the descriptions of fields and rows, which only the documents use. The shapes of responses stay, because the
 * results of functions are projected onto them. Throws if descriptions are left, which would be in each bundle.
 */
export function withoutDocumentation(source: string, path: string): string {
  const bare = source
    .replace(described, (_, name) => (name === 'object' ? 'z.strictObject(' : '('))
    .replace(trailingComma, '$1');
  const left = /(?<![.\w])(field|object)\((?!description, )/.exec(bare);
  if (left) throw new Error(`${path}: the description in ${left[1]}(…) must be one literal.`);
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
