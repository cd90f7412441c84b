/**
 * Replaces storage that the browser blocks, where each access throws, by storage that keeps nothing. Scalar would not
 * start without it.
 */
const empty = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    window[name].getItem('');
  } catch {
    Object.defineProperty(window, name, { value: empty });
  }
}
