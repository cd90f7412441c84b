/** Converts an operation and its input to a URL and a body. */
import type { Operation } from './call.ts';

export type Input = Readonly<Record<string, unknown>>;

/** Throws a `TypeError` if a field of the path is missing or would lead to another path. */
export function target(baseUrl: string, { path, body }: Operation, input: Input) {
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '');
    // `.` and `..` are not changed by encoding, and a URL resolves them as path steps.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} must not be empty, "." or "..".`);
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const url = new URL(baseUrl + filled);
  if (body) return { url: url.href, body: JSON.stringify(Object.fromEntries(rest)) };
  for (const [name, value] of rest) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return { url: url.href, body: undefined };
}
