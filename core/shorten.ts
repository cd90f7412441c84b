/** The beginning of a text: at most `max` UTF-16 units of it, and no half of a character where the text has none. */
export function shorten(text: string, max: number): string {
  const cut = text.slice(0, max);
  return text.length > max ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
}
