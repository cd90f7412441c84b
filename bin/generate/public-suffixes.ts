/**
 * Writes the public suffixes of the package `tldts` as one short text, because the package would add half of a
 * function's size. `test/core/keys/public-suffixes.test.ts` compares both.
 */
import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';

/** A tree of labels from the right. The labels of the edges of all nodes are in one list. */
interface Rules {
  readonly edgeStart: readonly number[];
  readonly edgeLength: readonly number[];
  readonly edgeChild: readonly number[];
  readonly labelText: string;
  readonly rulesRoot: number;
  readonly exceptionsRoot: number;
}

/** `uk(co gov)ck(* !www)`: labels and, in parentheses, what may precede them. Every domain of one label is a suffix. */
export function publicSuffixes(): string {
  const rules = createRequire(import.meta.url)('tldts/dist/cjs/src/data/trie.js') as Rules;
  const offsets = [0];
  for (const length of rules.edgeLength) offsets.push((offsets.at(-1) ?? 0) + length);

  function edgesOf(node: number | undefined): { label: string; child: number | undefined }[] {
    if (node === undefined) return [];
    const [first = 0, end = 0] = rules.edgeStart.slice(node, node + 2);
    return Array.from({ length: end - first }, (_, i) => ({
      label: rules.labelText.slice(offsets[first + i], offsets[first + i + 1]),
      child: rules.edgeChild[first + i],
    }))
      .filter(({ label }) => /^[!-~]+$/.test(label))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
  }
  function written(node: number | undefined, exceptions: number | undefined): string {
    const excepted = edgesOf(exceptions);
    const labels = edgesOf(node).flatMap(({ label, child }) => {
      const inner = written(child, excepted.find((edge) => edge.label === label)?.child);
      if (inner === '') return node === rules.rulesRoot ? [] : [label];
      return [`${label}(${inner})`];
    });
    const isLast = ({ child }: { child: number | undefined }) => edgesOf(child).length === 0;
    return [...labels, ...excepted.filter(isLast).map(({ label }) => `!${label}`)].join(' ');
  }
  const topLevel = written(rules.rulesRoot, rules.exceptionsRoot);
  return brotliCompressSync(topLevel).toString('base64');
}
