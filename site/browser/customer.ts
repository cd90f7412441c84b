import { loadConfig } from './load-config.ts';

/** `#bs_live_…`, and of an appointment `&booking=1&may=read.cancel`. Taken out of the address, so that nobody copies it. */
const [token = '', ...rest] = location.hash.slice(1).split('&');
const stored = 'booking-session';
const { booking, may } = Object.fromEntries(new URLSearchParams(rest.join('&')));
/** Nothing else of the fragment: who sends the link must not set other attributes, such as a style. */
const given = token ? { token, ...(booking && { booking }), ...(may && { may }) } : undefined;
if (given) sessionStorage.setItem(stored + location.pathname, JSON.stringify(given));
history.replaceState(null, '', location.pathname);
// Another link, pasted into the same tab, loads no page by itself.
addEventListener('hashchange', () => location.reload());

const element = document.createElement('booking-slots');
const config = await loadConfig();
const attributes = given ?? JSON.parse(sessionStorage.getItem(stored + location.pathname) ?? '{"token":"none"}');
const api = new URL(config?.integrationUrl ?? '/', location.href).href;
for (const [name, value] of Object.entries({ ...attributes, api })) element.setAttribute(name, String(value));
document.querySelector('main')?.append(element);
