/** The languages of the console, in a browser. */
import { expect, test } from 'vitest';
import { expectAccessible, screens } from '../../support/console.ts';

export const language = screens('languages', ({ open, openAs, system }) => {
  test('A browser set to Latvian gets the sign-in page in Latvian', { timeout: 60_000 }, async () => {
    const { page, errors } = await open(system().origin, '/', { locale: 'lv-LV' });
    await page.getByRole('button', { name: 'Pieteikties' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('lv');
    await expectAccessible(page, 'sign-in-latvian');
    expect(errors).toEqual([]);
  });

  test('An owner changes the language once, and every page after that is in the new language', {
    timeout: 60_000,
  }, async () => {
    const { page, errors } = await openAs(await system().owner(), '/');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemradio', { name: 'Latviešu' }).click();
    await page.getByRole('link', { name: 'Pārskats' }).waitFor();
    await page.goto(`${system().origin}/calendar`);
    await page.getByRole('heading', { name: 'Kalendārs' }).waitFor();
    await page.goto(`${system().origin}/bookings`);
    await page.getByRole('heading', { name: 'Rezervācijas' }).waitFor();
    await page.getByRole('button', { name: 'Konts' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Bookings' }).waitFor();
    expect(errors).toEqual([]);
  });
});
