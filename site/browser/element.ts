/** Creates an element with a text and child nodes after it. */
export function element(name: string, text = '', ...children: readonly Node[]): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...children);
  return made;
}
