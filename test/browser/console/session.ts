/** Signing in and out of the console, and what happens when a session ends by itself. */
import { expect, test } from 'vitest';
import { breakCall, expectGoodLooks, expectGoodLooksEverywhere, screens } from '../../support/console.ts';

export const session = screens('a session of the console', ({ open, openBySigningIn, system }) => {
  test('begins at a page that asks for nothing but to sign in', async () => {
    const { page } = await open(system().origin, '/', { reducedMotion: 'reduce' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectGoodLooksEverywhere(page, 'sign-in');
  });

  test('comes back to where one was, and leaves no code in the address', async () => {
    const owner = await system().owner();
    const { page, errors } = await openBySigningIn(owner, '/test/webhooks');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(page.url()).toBe(`${system().origin}/test/webhooks`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });

  test('that was revoked and refused says so over the screen, and comes back to it', async () => {
    const owner = await system().owner();
    const { page } = await openBySigningIn(owner, '/deliveries?deliveryStatus=failed');
    await page.getByText('No delivery matches').waitFor();
    const refused = await breakCall(page, '**/v1/account/**', 401, { message: 'Unauthorized' });
    const broken = await breakCall(page, '**/oauth2/token', 400, { error: 'invalid_grant' });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await expectGoodLooks(page, 'session-ended');
    await refused();
    await broken();
    await ended.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(page.url()).toBe(`${system().origin}/webhooks`);
  });

  test('whose screens cannot be loaded says so, and goes on when asked again', async () => {
    const owner = await system().owner();
    const { page } = await openBySigningIn(owner, '/webhooks');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    const screens = '**/assets/console/frame-*.js';
    await page.route(screens, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('dynamically imported module').waitFor();
    await page.unroute(screens);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
  });

  test('is found by another tab, and ends in both when one signs out', async () => {
    const owner = await system().owner();
    const { page } = await openBySigningIn(owner, '/webhooks');
    const other = await page.context().newPage();
    await other.goto(`${system().origin}/events`);
    await other.getByRole('heading', { level: 1, name: 'Event catalogue' }).waitFor();
    const tokens = () => other.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })') as Promise<string>;
    expect(await tokens()).toContain('refresh_token');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('token');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await tokens()).not.toContain('refresh_token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Who are you?').waitFor();
  });

  test('of one owner sees nothing of what another one does at the same time', async () => {
    const owners = await Promise.all([system().owner(), system().owner()]);
    const pages = await Promise.all(owners.map((owner) => openBySigningIn(owner, '/api-keys')));
    for (const [i, { page }] of pages.entries()) {
      await page.getByRole('button', { name: 'Create key' }).click();
      const form = page.getByRole('dialog', { name: 'Create an API key' });
      await form.getByRole('textbox', { name: 'Name' }).fill(`Key of owner ${i}`);
      await form.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Store the key now' }).waitFor();
    }
    for (const [i, { page }] of pages.entries()) {
      await page.reload();
      await page.getByRole('link', { name: `Key of owner ${i}` }).waitFor();
      expect(await page.getByText(`Key of owner ${1 - i}`).count()).toBe(0);
    }
  });

  test('is opened by the link that names an owner, and no token is in the address or outlives the tab', async () => {
    const owner = await system().owner();
    const { page } = await open(system().origin, `/sign-in?as=${owner.email}`);
    await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
    expect(page.url()).toBe(`${system().origin}/`);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toMatch(/eyJ|token/i);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('refresh_token');
  });

  test('ends in every tab and at the issuer, whose tokens are worth nothing then', async () => {
    const owner = await system().owner();
    const { page } = await openBySigningIn(owner, '/');
    const other = await page.context().newPage();
    await other.goto(system().origin);
    await other.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
    const tokens = (await page.evaluate(`Object.values(sessionStorage)
      .map((text) => { try { return JSON.parse(text).refresh_token; } catch { return undefined; } })
      .find((token) => token)`)) as string;
    expect(tokens).toEqual(expect.any(String));

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    for (const tab of [page, other]) {
      await expect.poll(() => tab.evaluate('JSON.stringify(sessionStorage)')).not.toContain('eyJ');
    }
    const { issuer = '', audience = '' } = system().run.owners ?? {};
    const answer = await fetch(`${issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: audience, refresh_token: tokens }),
    });
    expect(answer.status).toBe(400);
    // The issuer asks again who it is.
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: owner.email }).waitFor();
  });
});
