/** Signing in and out of the console, and what happens when a session ends by itself. */
import { expect, test } from 'vitest';
import { inChromium } from '../../support/chromium.ts';
import { expectGoodLooks, looks, openAs, withConsole } from '../../support/console.ts';

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
});
