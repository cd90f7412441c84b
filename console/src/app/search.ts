/** Parsers of search parameters. A value of the wrong type is dropped. */
import { isDay } from '../format/days.ts';

/** Parses an id or a page number. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Parses the id of an open entry, or `new`. */
export function opened(value: unknown): number | 'new' | undefined {
  return value === 'new' ? value : wholeNumber(value);
}

/** Parses a day: `2026-11-24`. */
export function day(value: unknown): string | undefined {
  return typeof value === 'string' && isDay(value) ? value : undefined;
}

/** Parses text. The router parses `?search=371` as a number. */
export function words(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

export function oneOf<const Value>(value: unknown, values: readonly Value[]): Value | undefined {
  return values.find((known) => known === value);
}
