/** Caches the formats of the platform, because creating one takes as long as some hundred uses. */
import { locales } from './language.ts';

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();
const collators = new Map<string, Intl.Collator>();
const relatives = new Map<string, Intl.RelativeTimeFormat>();

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(dates, [locale, options], () => new Intl.DateTimeFormat(locale, options));
}

export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cached(numbers, [locales().numbers, options], () => new Intl.NumberFormat(locales().numbers, options));
}

export function relativeFormat(): Intl.RelativeTimeFormat {
  const { dates: locale } = locales();
  return cached(relatives, locale, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
}

/** Ignores case and accents. */
export const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Compares names in the language of the console. */
export function byName(a: string, b: string): number {
  const { dates: locale } = locales();
  return cached(collators, locale, () => new Intl.Collator(locale, { numeric: true })).compare(a, b);
}

function cached<Format>(cache: Map<string, Format>, of: unknown, make: () => Format): Format {
  const key = JSON.stringify(of);
  const format = cache.get(key) ?? make();
  cache.set(key, format);
  return format;
}
