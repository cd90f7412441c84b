/** Creates elements of the page. */
export type Child = Node | string | undefined;

/** Creates an element: `h('button', { part: 'button', onclick }, 'Book')`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== 'part') Object.assign(element, { [name]: value });
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Buttons beside each other. */
export const row = (...children: readonly Child[]) => h('div', { className: 'row' }, ...children);

/** Stays in view while a long list above it is scrolled. */
export const bar = (...children: readonly Child[]) => h('div', { className: 'bar' }, ...children);
