/** The console in a browser, in front of a local run with businesses of the tests' own. */
import { InMemoryWebStorage, User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { LocalOptions, LocalRun } from '../../local/booking/start-local.ts';
import { appOf, openBrowser, signInAs } from './browser.ts';
import { type Open, rulesOfColour, violations } from './chromium.ts';
import { type LocalSystem, newTenant, type TestTenant, withLocal } from './local.ts';

export interface Owner {
  readonly tenant: TestTenant;
  readonly email: string;
}

export interface ConsolePage {
  readonly page: Page;
  /** What the browser's console called an error since the page was opened, refusals of the content policy included. */
  readonly errors: readonly string[];
}

export interface ConsoleSystem extends LocalSystem {
  readonly origin: string;
  /** An owner who may sign in, of a business of their own or of this one. */
  owner(tenant?: TestTenant): Promise<Owner>;
  /** As an integrator of the owner's business calls its API. */
  call<T>(owner: Owner, method: string, path: string, body?: unknown, mode?: 'live' | 'test'): Promise<T>;
}

const desk = { width: 1_280, height: 860 };

/** What every screen is looked at in. What is there does not depend on the scheme: so the dark one is asked of colours. */
const looks = {
  light: { media: { colorScheme: 'light' }, viewport: desk, rules: undefined },
  dark: { media: { colorScheme: 'dark' }, viewport: desk, rules: rulesOfColour },
  phone: { media: { colorScheme: 'light' }, viewport: { width: 375, height: 812 }, rules: undefined },
} as const;

/** One local run with the console for the tests of a file, as `withLocal`. */
export function withConsole(options: LocalOptions = {}): () => ConsoleSystem {
  const local = withLocal({ withSite: true, ...options });
  let owners = 0;
  return () => {
    const system = local();
    return {
      ...system,
      origin: system.run.baseUrl,
      async owner(given) {
        const tenant = given ?? (await newTenant(system));
        owners += 1;
        const email = `owner-${owners}@salon.example`;
        system.run.owners?.invite({ businessId: tenant.business.id, email, name: `Owner ${owners}` });
        return { tenant, email };
      },
      async call<T>({ tenant }: Owner, method: string, path: string, body?: unknown, mode = 'live') {
        const token = await system.run.owners?.token(tenant.business.id);
        const answer = await fetch(`${system.run.baseUrl}/v1/account${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'booking-mode': mode,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
        return (answer.status === 204 ? undefined : await answer.json()) as T;
      },
    };
  };
}

/** Opens the path as this owner, through the page of the issuer. */
export async function openBySigningIn(
  open: Open,
  { origin }: ConsoleSystem,
  { email }: Pick<Owner, 'email'>,
  path: string,
): Promise<ConsolePage> {
  const { page, errors } = await open(origin, path, { reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
  return { page, errors };
}

/** Opens the path in a tab in which this owner is signed in already, which loads the console once instead of thrice. */
export async function openAs(
  open: Open,
  { origin, run }: ConsoleSystem,
  { email }: Pick<Owner, 'email'>,
  path: string,
): Promise<ConsolePage> {
  const kept = await keptBySession(run, email);
  const { page, errors } = await open(origin, '/config.json', { reducedMotion: 'reduce' });
  await page.evaluate((entries) => {
    for (const [name, value] of entries) sessionStorage.setItem(name, value);
  }, kept);
  await page.goto(`${origin}${path}`);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
  return { page, errors };
}

/** What the console's own library leaves in the storage of a tab when somebody has signed in. */
async function keptBySession(run: LocalRun, email: string): Promise<[string, string][]> {
  const app = appOf(run);
  const store = new InMemoryWebStorage();
  const { authority, client_id, redirect_uri } = app.settings;
  const keeper = new UserManager({
    authority,
    client_id,
    redirect_uri,
    userStore: new WebStorageStateStore({ store }),
  });
  await keeper.storeUser(new User(await signInAs(email, app, openBrowser())));
  return Array.from({ length: store.length }, (_, i) => store.key(i)).map((name) => [name, store.getItem(name)]);
}

/** axe finds nothing, nothing sticks out to the side, and there is a picture where `PICTURES` names a folder. */
export async function expectGoodLooks(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  expect(await violations(page, rules), name).toEqual([]);
  const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(excess), `${name}: pixels that stick out`).toBe(0);
}

/**
 * The same in every look, one after the other on the page as it is; it is light and on a desk again afterwards. `drawn` is
 * waited for in each: a page that asks for something else on a phone is not looked at before it has it.
 */
export async function expectGoodLooksEverywhere(page: Page, name: string, drawn?: Locator): Promise<void> {
  for (const [look, { media, viewport, rules }] of Object.entries(looks)) {
    await show(page, media, viewport);
    await drawn?.waitFor();
    await expectGoodLooks(page, `${name}-${look}`, rules);
  }
  await show(page, looks.light.media, looks.light.viewport);
}

/** Returns when all is where it stays, and of the colour that it keeps. */
async function show(page: Page, media: { colorScheme: 'light' | 'dark' }, viewport: typeof desk): Promise<void> {
  await page.emulateMedia(media);
  await page.setViewportSize(viewport);
  await page.locator(`html[data-mantine-color-scheme=${media.colorScheme}]`).waitFor();
  await page.evaluate(`(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
    await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished));
  })()`);
}

/** Answers the next calls of this operation with an error, for the running test, until `mend` is called. */
export async function breakCall(page: Page, pattern: string | RegExp, status: number, body: object) {
  await page.route(pattern, (route) => route.fulfill({ status, json: body }));
  const mend = () => page.unroute(pattern);
  onTestFinished(mend);
  return mend;
}
