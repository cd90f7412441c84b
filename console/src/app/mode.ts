/**
 * Live or test mode, given by the first part of the path. Switching reloads the page, so that data of one mode is never
 * in the memory of the other.
 */
export type Mode = 'live' | 'test';

export const mode: Mode = /^\/test(\/|$)/.test(location.pathname) ? 'test' : 'live';

/** The prefix of every path. */
export const basepath = mode === 'test' ? '/test' : '/';

/** The same screen in the other mode. Entries exist in one mode only, so an entry leads to its list. */
export function addressIn(other: Mode, path: string): string {
  const [, screen = ''] = path.split('/');
  return `${other === 'test' ? '/test' : ''}/${screen}`;
}
