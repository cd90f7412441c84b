/** Keeps names from right to left from reordering the text beside them on a screen. */

/** Isolates a name from right to left: it would reorder a number that follows, such as the day of a date. */
export const isolated = (name: string) =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name) ? `\u2068${name}\u2069` : name;

/** Returns a text as it is needed outside a screen, such as in a file. */
export const withoutIsolation = (text: string) => text.replace(/[\u2068\u2069]/g, '');

/** Without this, a name that is copied and pasted into a field would contain invisible characters. */
export function copyWithoutIsolation(event: ClipboardEvent): void {
  const selected = String(getSelection());
  const text = withoutIsolation(selected);
  if (text === selected) return;
  event.clipboardData?.setData('text/plain', text);
  event.preventDefault();
}
