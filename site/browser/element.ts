/** A new element with a text, and what follows the text in it. */
export function element(name: string, text = '', ...children: readonly Node[]): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...children);
  return made;
}
