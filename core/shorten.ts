/** The beginning of a text: at most `max` UTF-16 units, without half of a surrogate pair at its end. */
export function shorten(text: string, max: number): string {
  const cut = text.slice(0, max);
  return text.length > max ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
}
