/** The language of the console: the chosen one, or else the first of the browser's languages that has texts. */

/** The languages, with the locales of dates and numbers and the date format. The texts are in `strings/strings.ts`. */
const languages = {
  en: { name: 'English', dates: 'en-GB', numbers: 'en', day: { day: 'numeric', month: 'short', year: 'numeric' } },
  lv: { name: 'Latviešu', dates: 'lv', numbers: 'lv', day: { day: '2-digit', month: '2-digit', year: 'numeric' } },
} as const;
export type Language = keyof typeof languages;
export const languageNames = Object.entries(languages).map(([code, { name }]) => [code as Language, name] as const);

const storedAs = 'language';
const isLanguage = (text: string | null | undefined): text is Language => Object.hasOwn(languages, text ?? '');

let current: Language = 'en';

export const language = (): Language => current;
export const locales = () => languages[current];

/** `wanted` lists tags such as `lv-LV` in the order of the browser's preference. */
export function preferredLanguage(chosen: string | null, wanted: readonly string[]): Language {
  return [chosen, ...wanted.map((tag) => tag.split('-')[0])].find(isLanguage) ?? 'en';
}

/** Must be called once, before anything is formatted. */
export function startLanguage(): Language {
  current = preferredLanguage(localStorage.getItem(storedAs), navigator.languages);
  document.documentElement.lang = current;
  return current;
}

/** Stores the language and reloads the page in it. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(storedAs, chosen);
  location.reload();
}
