/**
 * Search entries of clients, in the order of names. Each entry contains the name from one of its words on, so a search
 * finds the beginning of any of the first words (docs/rules.md#clients).
 */
import { limits } from '../../contract/limits.ts';
import { shorten } from '../shorten.ts';
import { putNew, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

/** Letters that do not consist of a letter and an accent, and the sigma at the end of a word, with their replacements. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

const entryLength = 60;

/**
 * A name without case, accents and apostrophes, and with one space between words. NFKD makes a space and an accent of
 * `´`, which some people write for an apostrophe.
 */
export function normalizedName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ ?\p{M}|['‘’ʻʼ\u0060]/gu, '')
    .replace(/[ßæœøłđðþħıς]/g, (letter) => spelled[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The normalised search text, shortened to the length of an entry. */
export function searched(text: string): string {
  return shorten(normalizedName(text), entryLength).trim();
}

/** The name from each of its first words on. */
export function entriesOf(name: string): string[] {
  const words = normalizedName(name).split(' ').filter(Boolean);
  const entries = words
    .slice(0, limits.searchedWords)
    .map((_, i) => shorten(words.slice(i).join(' '), entryLength).trim());
  return [...new Set(entries)];
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The writes that replace the entries of the earlier name with those of the new one. */
export function nameEntryWrites(tenantId: number, before: Named | undefined, after: Named | undefined): Write[] {
  const keyOf =
    ({ id }: Named) =>
    (entry: string) =>
      records.clientName(tenantId, entry, id);
  const had = before ? entriesOf(before.name).map(keyOf(before)) : [];
  const has = after ? entriesOf(after.name).map(keyOf(after)) : [];
  const isIn = (list: readonly { sk: string }[], key: { sk: string }) => list.some(({ sk }) => sk === key.sk);
  return [
    ...has.filter((key) => !isIn(had, key)).map((key) => putNew('records', { ...key, clientId: after?.id })),
    ...had.filter((key) => !isIn(has, key)).map((key) => remove('records', key)),
  ];
}
