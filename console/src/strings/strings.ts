/**
 * All texts of the console, one file per screen. Another language is a folder with the same texts, and a row in
 * `translations` and in `format/language.ts`.
 */
import type { Language } from '../format/language.ts';
import * as en from './en/index.ts';

/** The type of a translation: the same keys, with texts and with functions of the same parameters. */
type Translated<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Translated<T[Key]> };

export type Strings = Translated<typeof en>;

export const strings: Strings = en;

const translations: Record<Exclude<Language, 'en'>, () => Promise<Strings>> = { lv: () => import('./lv/index.ts') };

/** Loads the texts of a language. It must be called before a screen is loaded. */
export async function loadTexts(language: Language): Promise<void> {
  if (language !== 'en') replace(strings, await translations[language]());
}

/** Replaces texts in place, because modules keep the texts of their screen. */
function replace(texts: object, translated: object): void {
  for (const [key, value] of Object.entries(translated)) {
    const text: unknown = Reflect.get(texts, key);
    if (typeof text === 'object' && text !== null) replace(text, value as object);
    else Reflect.set(texts, key, value);
  }
}
