/** What addresses hold, read with care: whatever is not of its kind is left out. */

type Given = unknown;

/** An id or the number of a page. */
export function wholeNumber(value: Given): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Of an entry that is opened, or a new one. */
export function opened(value: Given): number | 'new' | undefined {
  return value === 'new' ? value : wholeNumber(value);
}

/** `2026-11-24`. */
export function day(value: Given): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}

/** Words, a number among them: the router reads `?search=371` as one. */
export function words(value: Given): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

export function oneOf<const Value>(value: Given, values: readonly Value[]): Value | undefined {
  return values.find((known) => known === value);
}
