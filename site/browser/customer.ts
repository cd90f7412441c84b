import { elementPath } from '../addresses.ts';
import { element } from './element.ts';
import { loadConfig } from './load-config.ts';
import './storage.ts';

/**
 * The fragment: `#bs_live_…`, for several bookings `&bookings=3`, and for an appointment `&booking=1&may=read.cancel`. It
 * is removed from the address bar.
 */
const { hash, pathname } = location;
/** Other parameters are ignored: the sender of the link must not set other attributes, such as a style. */
const given = (name: string, value: string) => new RegExp(`${name}=(${value})`).exec(hash)?.[1];
// Programs for mail add a full stop or a bracket to a link, write `&` as `&amp;`, or cut the link.
const [token] = /\w+/.exec(hash) ?? [];
const [booking, bookings, may] = [given('booking', '\\d+'), given('bookings', '\\d+'), given('may', '[a-z.]+')];
const isComplete = booking !== undefined || !pathname.startsWith('/manage');
const opened = { token: (isComplete && token) || 'none', booking, bookings, may };
const kept = (hash ? keep(JSON.stringify(opened)) : keep(undefined)) ?? JSON.stringify(opened);
// Without storage, only the address survives a reload.
if (keep(undefined) === kept) history.replaceState(history.state, '', pathname);
// Another link in the same tab changes only the fragment, which loads no page. A reload would keep what the visitor of the
// earlier link has typed. A navigation to another address does not.
addEventListener('hashchange', () => {
  const { href, hash: fragment } = location;
  location.replace(pathname + (href.includes('?') ? '' : '?') + fragment);
});

const [config, hasElement] = await Promise.all([
  loadConfig(),
  import(elementPath).then(
    () => true,
    () => false,
  ),
]);
const main = document.querySelector('main');
if (config && hasElement) {
  const slots = Object.assign(document.createElement('booking-slots'), {
    texts: { over: 'This link is not valid. Open it again as you received it, or ask for a new one.' },
  });
  const api = new URL(config.integrationUrl, location.href).href;
  const session: typeof opened = JSON.parse(kept);
  for (const [name, value] of Object.entries({ ...session, api })) slots.setAttribute(name, String(value));
  slots.addEventListener('business', showBusiness, { once: true });
  if (slots.shadowRoot) stepBackByBrowser(slots.shadowRoot);
  main?.append(slots);
} else {
  const again = element('button', { onclick: () => location.reload() }, 'Try again');
  main?.append(element('p', {}, 'There is no connection. Please try again.'), again);
}

/** Lets the browser's Back button lead one step back, as the button of the element does: each step is in the history. */
function stepBackByBrowser(root: ShadowRoot): void {
  /** The headings of the steps up to the shown one. After a reload, the earlier ones are unknown. */
  const steps: string[] = Array.from({ length: history.state?.step ?? 0 }, () => '');
  const fragment = location.hash;
  const wayBack = () => root.querySelector<HTMLButtonElement>('button:is([value=back], [value=keep])');
  const observer = new MutationObserver(() => {
    // While a step is loading, only a heading is shown. A temporary error is not a step.
    const heading = root.querySelector('section:not([aria-busy]) h2:not(:only-child)')?.textContent;
    if (!heading || root.querySelector('[value=again]')) return;
    const entry = history.state?.step ?? 0;
    // A screen without a way back, such as that of a booked appointment, is left together with the page.
    let step = wayBack() ? steps.indexOf(heading) : 0;
    if (step < 0 && entry === steps.length - 1) {
      step = steps.length;
      history.pushState({ step }, '');
    } else {
      // A step that is unknown after a reload has its entry already.
      if (step < 0) step = entry;
      if (step !== entry) history.go(step - entry);
    }
    steps.splice(step, steps.length, heading);
  });
  observer.observe(root, { childList: true });
  addEventListener('popstate', ({ state }) => {
    const [shown, step] = [steps.length - 1, state?.step ?? 0];
    if (location.hash !== fragment || step === shown) return;
    const back = wayBack();
    // A step that was left cannot be repeated, and while one is loading there is no other.
    if (step > shown || back?.disabled) return history.go(shown - step);
    if (!back) return;
    // If the step back fails, a form stays: then its button is enabled again.
    observer.observe(back, { attributeFilter: ['disabled'] });
    back.click();
  });
}

/** Shows name, address and phone of the business, also on a printed confirmation. */
function showBusiness(event: Event): void {
  const { name, address, phone } = (event as CustomEvent<Business>).detail;
  document.title += ` · ${name}`;
  // Nothing moves under the visitor's finger: the page has an empty line for the name, and the rest is at its end.
  document.querySelector('#business')?.append(name);
  const reachedAt = [address, phone].filter(Boolean).join(' · ');
  if (reachedAt) main?.append(element('p', {}, reachedAt));
}

interface Business {
  readonly name: string;
  readonly address: string | null;
  readonly phone: string | null;
}

/** Stores the given session and returns the stored one, also after a reload. A browser may refuse to store anything. */
function keep(value: string | undefined): string | undefined {
  const name = `booking-session${location.pathname}`;
  if (value !== undefined) sessionStorage.setItem(name, value);
  return sessionStorage.getItem(name) ?? value;
}
