/** The console in a browser, with a local run and test businesses. */
import { InMemoryWebStorage, OidcClient, User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { LocalRun } from '../../local/start-local.ts';
import {
  inChromium,
  type Open,
  type OpenPage,
  type OpenTab,
  rulesOfColour,
  type Session,
  violations,
} from './chromium.ts';
import { type LocalSystem, newTenant, type TestTenant, withLocal } from './local.ts';
import { ownerWith } from './owner.ts';

export interface Owner {
  readonly tenant: TestTenant;
  readonly email: string;
  /** Calls the account API. Throws unless the status is 2xx. */
  call<T>(method: string, path: string, body?: unknown, mode?: 'live' | 'test'): Promise<T>;
}

export interface ConsoleSystem extends LocalSystem {
  readonly origin: string;
  /** A new owner who can sign in, with a new business. */
  owner(): Promise<Owner>;
}

export interface ScreenFixture {
  readonly system: () => ConsoleSystem;
  /** Opens a new browser context, signed out. */
  readonly open: Open;
  /** Opens a tab, signed out. It is much faster because its process has compiled the scripts already. */
  readonly openTab: OpenTab;
  /** Opens the path, by default in a tab, and signs in at the page of the issuer. */
  openBySigningIn(owner: Pick<Owner, 'email'>, path: string, open?: Open): Promise<OpenPage>;
  /** Opens the path in a tab where this owner is already signed in. Only one owner at a time is possible. */
  openAs(owner: Pick<Owner, 'email'>, path: string): Promise<OpenPage>;
  /** Opens the path in a tab as the owner of a new business. */
  openAsOwner(path: string): Promise<OpenPage & { readonly owner: Owner }>;
}

export type ScreenTests = (fixture: ScreenFixture) => void;

/** A block of tests of some screens, for `inConsole`. */
export function screens(name: string, tests: ScreenTests): ScreenTests {
  return (fixture) => describe(name, () => tests(fixture));
}

/** The next Tuesday at least two days ahead, when all staff work: not Christmas Eve. In winter and summer 10:00 is between 7:00 and 9:00 UTC. */
export const nextTuesday = (() => {
  const at = new Date(Date.now() + 2 * 86_400_000);
  while (at.getUTCDay() !== 2 || at.toISOString().includes('-12-24')) at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
})();

/** The next last Sunday of March or October at least two days ahead, when the clocks of Riga change. */
export function nextClockChange(month: 'March' | 'October'): string {
  const now = new Date();
  const days = [now.getUTCFullYear(), now.getUTCFullYear() + 1].map((year) => {
    const end = new Date(Date.UTC(year, month === 'March' ? 2 : 9, 31));
    return end.setUTCDate(31 - end.getUTCDay());
  });
  return new Date(days.find((day) => day > now.getTime() + 2 * 86_400_000) ?? 0).toISOString().slice(0, 10);
}

/**
 * Runs these tests in one browser against one local run, since starting both is slow. A webhook's six attempts end
 * within moments. There are few workers, because each loads the code of the functions again.
 */
export function inConsole(areas: readonly ScreenTests[]): void {
  const system = withConsole();
  inChromium('the console', (open, openTab) => {
    const openAs: ScreenFixture['openAs'] = async ({ email }, path) => {
      const { origin, run } = system();
      return signedIn(await openTab(origin, path, await keptBySession(run, email)));
    };
    const fixture: ScreenFixture = {
      system,
      open,
      openTab,
      async openBySigningIn({ email }, path, openOwn) {
        const opened = await (openOwn ?? openTab)(system().origin, path);
        await opened.page.getByRole('button', { name: 'Sign in' }).click();
        await opened.page.getByRole('button', { name: email }).click();
        return signedIn(opened);
      },
      openAs,
      async openAsOwner(path) {
        const owner = await system().owner();
        return { owner, ...(await openAs(owner, path)) };
      },
    };
    for (const area of areas) area(fixture);
  });
}

const fixture = { width: 1_280, height: 860 };

/** The variants for checks of every screen. The dark one has the same content, so only its colours are checked. */
const variants = {
  light: { media: { colorScheme: 'light' }, viewport: fixture, rules: undefined },
  dark: { media: { colorScheme: 'dark' }, viewport: fixture, rules: rulesOfColour },
  phone: { media: { colorScheme: 'light' }, viewport: { width: 320, height: 700 }, rules: undefined },
} as const;

/** The narrowest windows that show more columns. */
const tablets = [768, 992].map((width) => ({ width, height: 860 }));

function withConsole(): () => ConsoleSystem {
  const local = withLocal({ withSite: true, timeScale: 100_000, workersPerFunction: 1 });
  let owners = 0;
  return () => {
    const system = local();
    return {
      ...system,
      origin: system.run.baseUrl,
      async owner() {
        const tenant = await newTenant(system);
        owners += 1;
        const email = `owner-${owners}@salon.example`;
        system.run.owners?.invite({ tenantId: tenant.business.id, email, name: `Owner ${owners}` });
        const call: Owner['call'] = async (method, path, body, mode) => {
          const token = (await system.run.owners?.token(tenant.business.id)) ?? '';
          return ownerWith(system, token, mode).done(method, path, body);
        };
        return { tenant, email, call };
      },
    };
  };
}

async function signedIn(opened: OpenPage): Promise<OpenPage> {
  await opened.page.getByRole('navigation', { name: 'Main menu' }).waitFor({ state: 'attached' });
  return opened;
}

/** Navigates to the path as a link of the console does, which is much faster than loading the console again. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
}

/** The entries that the console's library stores in a tab after signing in. */
async function keptBySession({ baseUrl, owners }: LocalRun, email: string): Promise<Session> {
  if (!owners) throw new Error('The local run issues no tokens.');
  const client = {
    authority: owners.issuer,
    client_id: owners.audience,
    redirect_uri: `${baseUrl}/signed-in`,
    scope: 'openid email profile',
  };
  const stateStore = new WebStorageStateStore({ store: new InMemoryWebStorage() });
  const app = new OidcClient({ ...client, stateStore });
  // The local issuer asks for no password, so the hint is enough to sign in.
  const { url } = await app.createSigninRequest({ login_hint: email });
  const { headers } = await fetch(url, { redirect: 'manual' });
  const user = new User(await app.processSigninResponse(headers.get('location') ?? ''));
  const store = new InMemoryWebStorage();
  await new UserManager({ ...client, userStore: new WebStorageStateStore({ store }) }).storeUser(user);
  return Array.from({ length: store.length }, (_, i) => store.key(i)).map((name) => [name, store.getItem(name)]);
}

/** Asserts that axe finds no violation and nothing overflows horizontally. Saves a picture in the folder `PICTURES`. */
export async function expectAccessible(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  expect(await violations(page, rules), name).toEqual([]);
  await expectFits(page, name);
}

/** Asserts that nothing overflows horizontally once the page is drawn for its window. */
export async function expectFits(page: Page, name: string): Promise<void> {
  // Only the week of the team is a table that scrolls sideways in windows of usual sizes.
  const excess = `(() => {
    const tables = [...document.querySelectorAll('.mantine-Paper-root:not(.team-week) > table')];
    const boxes = [...document.querySelectorAll('.mantine-Alert-root, .mantine-SegmentedControl-root')];
    const cut = [
      ...tables.map((table) => table.offsetWidth - table.parentElement.clientWidth),
      ...boxes.map((box) => box.scrollWidth - box.clientWidth),
    ];
    return Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth, ...cut);
  })()`;
  await expect.poll(() => page.evaluate(excess), { message: `${name}: horizontal overflow in pixels` }).toBe(0);
}

/**
 * Checks the page in light, dark and phone variants, and restores light and wide. `drawn` is awaited in each, since a
 * page may load other data on a phone.
 */
export async function expectAccessibleInAllThemes(page: Page, name: string, drawn?: Locator): Promise<void> {
  for (const [variant, { media, viewport, rules }] of Object.entries(variants)) {
    await show(page, media, viewport);
    await drawn?.waitFor();
    await expectAccessible(page, `${name}-${variant}`, rules);
  }
  for (const viewport of tablets) {
    await show(page, variants.light.media, viewport);
    await drawn?.waitFor();
    await expectFits(page, `${name}-${viewport.width}`);
  }
  await show(page, variants.light.media, variants.light.viewport);
}

/**
 * Resolves when the page is drawn and nothing moves, since the tests ask for reduced motion. Mantine ends its transitions
 * within a millisecond then.
 */
async function show(page: Page, media: { colorScheme: 'light' | 'dark' }, viewport: typeof fixture): Promise<void> {
  await page.emulateMedia(media);
  await page.setViewportSize(viewport);
  await page.locator(`html[data-mantine-color-scheme=${media.colorScheme}]`).waitFor();
  const moving = await page.evaluate<string[]>(`(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ends = ({ effect }) => effect.getComputedTiming().endTime;
    const moves = document.getAnimations().filter((one) => ends(one) > 1 && ends(one) !== Infinity);
    return moves.map(({ transitionProperty, animationName }) => transitionProperty ?? animationName);
  })()`);
  expect(moving, 'animations despite reduced motion').toEqual([]);
}

/** Opens the search of the console and types these words. */
export async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(words);
}

/** A client with an email address, for a booking or a new client. */
export const clientNamed = (name: string) => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` });

/** Fails calls that match the pattern until the returned function is called or the test ends. */
export async function breakCall(page: Page, pattern: string | RegExp, status: number, body: object) {
  await page.route(pattern, (route) => route.fulfill({ status, json: body }));
  return () => page.unroute(pattern);
}

/** Loses the response to the next call with this method, which takes effect. */
export async function loseAnswer(page: Page, method: string, pattern: string) {
  let isLost = false;
  await page.route(pattern, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch({ maxRetries: 1 });
    await route.abort();
  });
}

/**
 * Changes the responses to calls that match the pattern until the returned function is called or the test ends. For ten
 * seconds the console uses responses that it requested before, unless the page is loaded again.
 */
export async function changeAnswer<Body>(page: Page, pattern: string | RegExp, change: (body: Body) => object) {
  let isOver = false;
  await page.route(pattern, async (route) => {
    const response = await route.fetch({ maxRetries: 1 });
    await route.fulfill({ response, json: change(await response.json()) }).catch((error) => {
      // The browser goes on itself with a request that is under way at the end.
      if (!isOver) throw error;
    });
  });
  return () => {
    isOver = true;
    return page.unroute(pattern);
  };
}
