/** Signing in and out of the console, and sessions that expire. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { breakCall, expectAccessible, expectAccessibleInAllThemes, screens, visit } from '../../support/console.ts';

/** Keeps the next message of the tab to the other tabs until `sendHeldMessage()` is called in it. */
const holdNextMessage = (page: Page) =>
  page.evaluate(`{
    const { prototype } = BroadcastChannel;
    const { postMessage } = prototype;
    prototype.postMessage = function (...message) {
      prototype.postMessage = postMessage;
      globalThis.sendHeldMessage = () => this.postMessage(...message);
    };
  }`);

export const session = screens(
  'a session of the console',
  ({ open, openAsOwner, openTab, openBySigningIn, system }) => {
    test('The sign-in page is accessible in light mode, in dark mode and on a phone', async () => {
      const { page } = await openTab(system().origin, '/');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByText('Online booking for salons').waitFor();
      for (const [name, path] of [
        ['Getting started', '/docs/start/'],
        ['API reference', '/docs/'],
      ] as const) {
        expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(path);
        expect((await fetch(`${system().origin}${path}`)).status).toBe(200);
      }
      await expectAccessibleInAllThemes(page, 'sign-in');
    });

    test('When a session ends, an owner signs in again in a dialog, and the screen behind it keeps its form input or loads its list', async () => {
      const owner = await system().owner();
      const { page } = await openBySigningIn(owner, '/clients?add=true');
      const form = page.getByRole('dialog', { name: 'Add a client' });
      await form.getByRole('textbox', { name: 'Name' }).fill('Ilze Kalniņa');
      await form.getByRole('textbox', { name: 'Email' }).fill('ilze@example.com');
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      const endSession = async (act: () => Promise<void>) => {
        const refused = await breakCall(page, '**/v1/account/**', 401, { message: 'Unauthorized' });
        const broken = await breakCall(page, '**/oauth2/token', 400, { error: 'invalid_grant' });
        await act();
        await ended.waitFor();
        await refused();
        await broken();
      };
      await endSession(() => form.getByRole('button', { name: 'Add client' }).click());
      await expectAccessible(page, 'session-ended');
      const again = ended.getByRole('button', { name: 'Sign in again' });
      // Without a new tab, the sign-in would leave the page: the owner declines, and can try again.
      await page.evaluate('window.openTab = window.open; window.open = () => null');
      const declined = page.waitForEvent('dialog').then((question) => question.dismiss());
      await Promise.all([declined, again.click()]);
      await expect.poll(() => again.isEnabled()).toBe(true);
      await page.evaluate('window.open = window.openTab');
      // The issuer's session is deleted, too.
      await page.context().clearCookies();
      const opened = page.context().waitForEvent('page');
      await again.click();
      const tab = await opened;
      await tab.getByRole('button', { name: owner.email }).click();
      await ended.waitFor({ state: 'hidden' });
      expect(tab.isClosed() || (await tab.waitForEvent('close'))).toBeTruthy();
      expect(await form.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('ilze@example.com');
      await form.getByRole('button', { name: 'Add client' }).click();
      await form.waitFor({ state: 'hidden' });
      const { data } = await owner.call<{ data: { name: string }[] }>('GET', '/clients');
      expect(data).toEqual([expect.objectContaining({ name: 'Ilze Kalniņa' })]);
      // The session of the sign-in service has not ended.
      await endSession(() => page.getByRole('link', { name: 'Payments', exact: true }).click());
      await again.click();
      await page.getByText('No payments yet').waitFor();
      expect(page.url()).toBe(`${system().origin}/payments`);
    });

    test('After sign-in, an owner returns to the requested page, and can try again if a script of the console fails to load', async () => {
      const owner = await system().owner();
      const { page, errors } = await openBySigningIn(owner, '/test/webhooks');
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
      // The address contains no authorization code.
      expect(page.url()).toBe(`${system().origin}/test/webhooks`);
      expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
      const screens = '**/assets/console/frame-*.js';
      await page.route(screens, (route) => route.abort());
      await page.reload();
      await page.getByRole('alert').getByText('dynamically imported module').waitFor();
      await page.unroute(screens);
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByRole('navigation', { name: 'Main menu' }).waitFor({ state: 'attached' });
    });

    test('A console screen that fails to load while offline loads when the connection is back', async () => {
      const owner = await system().owner();
      // A new browser context has no other screens in its cache.
      const { page } = await openBySigningIn(owner, '/webhooks', open);
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Payments', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
      await page.context().setOffline(false);
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    });

    test('At an unknown address, the console shows the heading “Page not found” and a link to the overview', async () => {
      const { page } = await openAsOwner('/clients');
      // Only a second screen takes the focus.
      await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
      // The server answers an unknown path itself, but a link of the console may lead there.
      await visit(page, '/nowhere');
      await page.locator('h1:focus').and(page.getByText('Page not found')).waitFor();
      await expectAccessible(page, 'unknown-address');
      await page.getByRole('link', { name: 'Go to the overview' }).click();
      await page.getByText('Page not found').waitFor({ state: 'detached' });
      await page.locator('h1:focus').waitFor();
    });

    test('A sign-in link signs an owner in for one tab only, and leaves no token in the address or in local storage', async () => {
      const owner = await system().owner();
      const { page } = await openTab(system().origin, `/sign-in?as=${owner.email}`);
      await page.getByRole('navigation', { name: 'Main menu' }).waitFor({ state: 'attached' });
      expect(page.url()).toBe(`${system().origin}/`);
      expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toMatch(/eyJ|token/i);
      expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('refresh_token');
    });

    test('An open tab of the console signs in a new tab, and signing out in one tab signs out all tabs and revokes the tokens', async () => {
      const owner = await system().owner();
      const { page } = await openBySigningIn(owner, '/webhooks');
      await holdNextMessage(page);
      const other = await page.context().newPage();
      await other.goto(`${system().origin}/events`);
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.evaluate('sendHeldMessage()');
      await other.getByRole('heading', { level: 1, name: 'Event catalogue' }).waitFor();
      const token = await other.evaluate<string | undefined>(
        `/"refresh_token":"([^"]+)"/.exec(Object.values(sessionStorage).join())?.[1]`,
      );
      expect(token).toEqual(expect.any(String));
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('token');
      const ended = await page.context().newPage();
      await ended.goto(`${system().origin}/events`);
      await ended.getByRole('heading', { level: 1, name: 'Event catalogue' }).waitFor();
      await breakCall(ended, '**/v1/account/**', 401, { message: 'Unauthorized' });
      await breakCall(ended, '**/oauth2/token', 400, { error: 'invalid_grant' });
      await ended.getByRole('link', { name: 'Payments', exact: true }).click();
      await ended.getByRole('dialog', { name: 'Your session has ended' }).waitFor();

      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      for (const tab of [page, other, ended]) {
        await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
        await expect
          .poll(() => tab.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'))
          .not.toMatch(/eyJ|refresh_token/);
      }
      const { issuer = '', audience = '' } = system().run.owners ?? {};
      const answer = await fetch(`${issuer}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', client_id: audience, refresh_token: token ?? '' }),
      });
      expect(answer.status).toBe(400);
      // The issuer shows its form again.
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Who are you?').waitFor();
      await page.getByRole('button', { name: owner.email }).waitFor();
    });

    test('Signing out in one tab signs out a tab that shows the documentation, and removes the test key that the owner created there', async () => {
      const { page } = await openBySigningIn(await system().owner(), '/clients');
      const tabs = [await page.context().newPage(), await page.context().newPage()] as const;
      const createKey = async (tab: Page) => {
        await tab.goto(`${system().origin}/clients`);
        await tab.getByRole('button', { name: 'Account' }).click();
        await tab.getByRole('menuitem', { name: 'Documentation' }).click();
        await tab.getByRole('button', { name: 'Create a test key' }).click();
        await tab.getByText('These pages now show your key').waitFor();
        const key = await tab.getByLabel('Test key').inputValue();
        await tab.goto(`${system().origin}/docs/quickstart/`);
        await tab.getByText(`export KEY=${key}`).waitFor();
        return key;
      };
      const keys = [await createKey(tabs[0]), await createKey(tabs[1])] as const;
      const [documentation, away] = tabs;
      await away.goto('about:blank');
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await documentation.getByText(`export KEY=${keys[0]}`).waitFor({ state: 'hidden' });
      await away.goto(`${system().origin}/docs/quickstart/`);
      for (const tab of tabs) {
        await expect.poll(() => tab.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(new RegExp(keys.join('|')));
        await tab.goto(`${system().origin}/clients`);
        await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
        await expect.poll(() => tab.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/eyJ|refresh_token/);
      }
    });

    test('A page that the back/forward cache restores after another tab has signed out is signed out, too', async () => {
      // A tab gets no `storage` event about its own change.
      const restore = `localStorage.setItem('signed-out', crypto.randomUUID());
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));`;
      const { page } = await openBySigningIn(await system().owner(), '/clients');
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Documentation' }).click();
      await page.getByRole('button', { name: 'Create a test key' }).waitFor();
      await page.evaluate(restore);
      await page.getByRole('button', { name: 'Create a test key' }).waitFor({ state: 'hidden' });
      await page.goto(`${system().origin}/clients`);
      // The session of the sign-in service has not ended.
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
      await page.evaluate(restore);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    test('If an owner signs out in one tab while another tab shows the sign-in service, the sign-in in that tab fails', async () => {
      const { email } = await system().owner();
      const { page } = await openTab(system().origin, '/clients');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Who are you?').waitFor();
      const other = await page.context().newPage();
      await other.goto(`${system().origin}/sign-in?as=${email}`);
      await other.getByRole('button', { name: 'Account' }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByRole('button', { name: email }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expect.poll(() => page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/eyJ|refresh_token/);
    });

    test('An open tab of the console signs in a new tab, even if the tokens arrive before the new tab has loaded its configuration', async () => {
      const { page } = await openBySigningIn(await system().owner(), '/webhooks');
      await holdNextMessage(page);
      const other = await page.context().newPage();
      const configuration = Promise.withResolvers<void>();
      await other.route('**/config.json', async (route) => {
        await configuration.promise;
        await route.continue();
      });
      // The page counts as loaded only after its configuration.
      await other.goto(`${system().origin}/events`, { waitUntil: 'commit' });
      await expect.poll(() => page.evaluate('typeof sendHeldMessage')).toBe('function');
      // A timer of the length of the console's, which began earlier and so ends earlier.
      await other.evaluate('new Promise((resolve) => setTimeout(resolve, 150))');
      await other.evaluate(`globalThis.messages = new BroadcastChannel('session');
        void (globalThis.received = new Promise((resolve) => messages.addEventListener('message', () => resolve())));`);
      await page.evaluate('sendHeldMessage()');
      await other.evaluate('received');
      configuration.resolve();
      await other.getByRole('heading', { level: 1, name: 'Event catalogue' }).waitFor();
    });

    test('Signing out while offline signs out every tab, and explains that the session of the sign-in service has not ended', async () => {
      const owner = await system().owner();
      // A new browser context, because all its tabs are offline.
      const { page } = await openBySigningIn(owner, '/webhooks', open);
      const other = await page.context().newPage();
      await other.goto(`${system().origin}/events`);
      await other.getByRole('heading', { level: 1, name: 'Event catalogue' }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      for (const tab of [page, other]) {
        await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
        await expect.poll(() => tab.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/eyJ|refresh_token/);
      }
      await page.getByRole('status').getByText('You are signed out of the console only').waitFor();
      await expectAccessible(page, 'signed-out-offline');
    });

    test('An owner who signs in from a page of the documentation returns to that page', async () => {
      const { email } = await system().owner();
      const { page } = await openTab(system().origin, '/sign-in?from=/docs/start/');
      await page.getByRole('button', { name: email }).click();
      await page.waitForURL('**/docs/start/');
      await page.getByRole('link', { name: 'Console', exact: true }).click();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Documentation' }).click();
      await page.waitForURL('**/docs/start/');
      // The sign-in only returns to pages of the documentation.
      await page.goto(`${system().origin}/sign-in?from=//elsewhere.example/`);
      await page.getByRole('navigation', { name: 'Main menu' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
    });
  },
);
