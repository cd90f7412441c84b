/** Caches the formats of the platform, because creating one takes as long as some hundred uses. */
import { locales } from './language.ts';

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();
const collators = new Map<string, Intl.Collator>();
const relatives = new Map<string, Intl.RelativeTimeFormat>();

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, [locale, options], () => new Intl.DateTimeFormat(locale, options));
}

export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(numbers, [locales().numbers, options], () => new Intl.NumberFormat(locales().numbers, options));
}

export function relativeFormat(): Intl.RelativeTimeFormat {
  const { dates: locale } = locales();
  return kept(relatives, locale, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
}

/** Compares names in the language of the console. */
export function byName(a: string, b: string): number {
  const { dates: locale } = locales();
  return kept(collators, locale, () => new Intl.Collator(locale, { numeric: true })).compare(a, b);
}

function kept<Format>(made: Map<string, Format>, of: unknown, make: () => Format): Format {
  const key = JSON.stringify(of);
  const format = made.get(key) ?? make();
  made.set(key, format);
  return format;
}
