/**
 * Live or test: the first part of the path says it, for as long as the page is loaded. The switch loads the other one, so
 * that nothing of one mode is ever in the memory of the other.
 */
export type Mode = 'live' | 'test';

const bases: Readonly<Record<Mode, string>> = { live: '/', test: '/test' };

export const mode: Mode = /^\/test(\/|$)/.test(location.pathname) ? 'test' : 'live';

/** What every path of this page begins with. */
export const basepath = bases[mode];

/** The same screen in the other mode. What has an id is there in one mode alone: then its list. */
export function addressIn(other: Mode, path: string): string {
  const [, screen = ''] = path.split('/');
  return `${other === 'test' ? bases.test : ''}/${screen}`;
}
