/** The few things that this page does with the document. */

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** @param {string} name @param {Record<string, any>} [properties] @param {(Node | string)[]} children */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Shows one notice, or none. @param {string} id @param {string} [text] @param {(Node | string)[]} more */
export function notice(id, text, ...more) {
  byId(id).replaceChildren(...(text ? [text, ' ', ...more] : []));
  byId(id).hidden = !text;
}

/** @param {string} id */
export function focusOn(id) {
  byId(id).focus({ preventScroll: true });
  byId(id).scrollIntoView({ block: 'start', behavior: 'instant' });
}
