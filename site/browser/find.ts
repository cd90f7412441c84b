/** Finds the sections that match a search, the best first. Pure. */
import type { Section } from '../search-index.ts';

interface Hit extends Section {
  /** The part of the text around the first match. */
  readonly excerpt: string;
}

const mostHits = 20;
const excerptLength = 150;

/** With stems `verifying` and `verify` match, and so do `signatures` and `signature`. */
function stem(word: string): string {
  const short = word.replace(/(?:ications?|ation|ing|ied|ies|ed|es|s|y|e)$/, '').replace(/([^aeiou])\1$/, '$1');
  return short.length >= 3 ? short : word;
}

/** Words that are too common to be searched for. */
const idle = new Set(
  'a an and are by can do does for from get how i in is it my of on or the to what when where with'.split(' '),
);

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function wanted(search: string): readonly string[] {
  const words = wordsOf(search);
  const telling = words.filter((word) => !idle.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(stem))];
}

/** Returns the sections that contain all words of the search, or most of them if none contains all. */
export function find(sections: readonly Section[], search: string): readonly Hit[] {
  const words = wanted(search);
  if (words.length === 0) return [];
  const scored = sections.map((section) => {
    const weights = words.map((word) => weightOf(section, word));
    const found = weights.filter((weight) => weight > 0).length;
    return { section, found, weight: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  const most = Math.max(...scored.map(({ found }) => found));
  return scored
    .filter(({ found }) => found > 0 && found === most)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostHits)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

/** A title counts more than the page name, and that more than the text, where a word counts at most three times. */
function weightOf({ title, page, text }: Section, word: string): number {
  const count = (within: string) => wordsOf(within).filter((other) => other.startsWith(word)).length;
  const inTitle = count(title);
  const closeness = inTitle / Math.max(1, wanted(title).length);
  return (inTitle > 0 ? 10 + 10 * closeness : 0) + (count(page) > 0 ? 4 : 0) + Math.min(3, count(text));
}

function excerptOf(text: string, words: readonly string[]): string {
  const at = words.map((word) => text.toLowerCase().indexOf(word)).filter((position) => position >= 0);
  const start = Math.max(0, Math.min(...(at.length > 0 ? at : [0])) - 40);
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const cut = text.slice(from, from + excerptLength);
  return `${from > 0 ? '… ' : ''}${cut}${from + excerptLength < text.length ? ' …' : ''}`;
}
