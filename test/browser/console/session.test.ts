/** Signing in and out of the console, and what happens when a session ends by itself. */
import { expect, test } from 'vitest';
import { inChromium } from '../../support/chromium.ts';
import { breakCall, expectGoodLooks, looks, openAs, withConsole } from '../../support/console.ts';

const system = withConsole();

inChromium('a session of the console', (open) => {
  test.each(Object.entries(looks))(
    'begins at a page that asks for nothing but to sign in (%s)',
    async (look, options) => {
      const { page } = await open(system().origin, '/', options);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expectGoodLooks(page, `sign-in-${look}`);
    },
  );

  test('comes back to where one was, and leaves no code in the address', async () => {
    const owner = await system().owner();
    const { page, errors } = await openAs(open, system().origin, owner, '/test/webhooks');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(page.url()).toBe(`${system().origin}/test/webhooks`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });

  test('that was revoked and refused says so over the screen, and comes back to it', async () => {
    const owner = await system().owner();
    const { page } = await openAs(open, system().origin, owner, '/deliveries?deliveryStatus=failed');
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

  test('is found by another tab, and ends in both when one signs out', async () => {
    const owner = await system().owner();
    const { page } = await openAs(open, system().origin, owner, '/webhooks');
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
    const pages = await Promise.all(owners.map((owner) => openAs(open, system().origin, owner, '/api-keys')));
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
});
