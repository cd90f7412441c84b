/** Entity tags of answers that may be unchanged (docs/rules.md#catalog, RFC 9110 §8.8.3 and §13.1.2). */
import { createHash } from 'node:crypto';

/** A strong tag: it stands for exactly these bytes. */
export function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** Whether `If-None-Match` names the tag: a list, or `*`. The comparison is weak, so `W/` makes no difference. */
export function noneMatchNames(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const named: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return named.includes(tag);
}
