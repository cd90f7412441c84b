/** The languages of the console, in a browser. */
import { expect, test } from 'vitest';
import { englishLabels, screenPaths } from '../../console/labels.ts';
import { breakCall, expectAccessible, screens, visit } from '../../support/console.ts';

/** The excess width, in pixels, of each date field's longest text, which is the placeholder or a date. */
const cutDates = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  const fields = [...document.querySelectorAll('input[placeholder*="yyyy"], input[placeholder*="gggg"]')];
  return fields.map((field) => {
    const style = getComputedStyle(field);
    context.font = style.font;
    const widths = [field.placeholder, '28 Nov 2028'].map((text) => context.measureText(text).width);
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Math.max(0, Math.ceil(Math.max(...widths) - room));
  });
})()`;

/** All texts of the page, including those for screen readers. */
const textsOfPage = `[...document.querySelectorAll('body *:not(script, style)')].flatMap((element) => [
  ...['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name)),
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()),
])`;

export const language = screens('languages', ({ open, openAsOwner, system }) => {
  test('After an owner changes the language of the console, all pages are in the new language', async () => {
    const { page, errors } = await openAsOwner('/');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemradio', { name: 'Latviešu' }).click();
    await page.getByRole('link', { name: 'Pārskats' }).waitFor();
    await page.goto(`${system().origin}/calendar`);
    await page.getByRole('heading', { name: 'Kalendārs' }).waitFor();
    await visit(page, '/bookings');
    await page.getByRole('heading', { name: 'Rezervācijas' }).waitFor();
    await page.getByRole('button', { name: 'Konts' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Bookings' }).waitFor();
    expect(errors).toEqual([]);
  });

  test('On a phone 320 pixels wide, date fields show their placeholder and a date in full, in English and in Latvian', async () => {
    const { page } = await openAsOwner('/deliveries');
    await page.setViewportSize({ width: 320, height: 700 });
    for (const [code, placeholder] of [
      ['en', /yyyy/],
      ['lv', /gggg/],
    ] as const) {
      await page.evaluate(`localStorage.setItem('language', '${code}')`);
      await page.reload();
      await page.getByPlaceholder(placeholder).first().waitFor();
      expect(await page.evaluate(cutDates), code).toEqual([0, 0]);
    }
  });

  test('In a browser set to Latvian, the sign-in page is in Latvian, and no screen of the console contains an English label', async () => {
    const owner = await system().owner();
    const { id } = await owner.call<{ id: number }>('POST', '/bookings', owner.tenant.booking());
    const { page, errors } = await open(system().origin, '/', { locale: 'lv-LV', reducedMotion: 'reduce' });
    const signIn = page.getByRole('button', { name: 'Pieteikties' });
    await signIn.waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('lv');
    await expectAccessible(page, 'sign-in-latvian');
    expect(errors).toEqual([]);
    await signIn.click();
    await page.getByRole('button', { name: owner.email }).click();
    await page.getByRole('link', { name: 'Pārskats' }).waitFor();
    expect(englishLabels.size).toBeGreaterThan(500);
    const opened = [
      `/bookings?booking=${id}`,
      `/staff/${owner.tenant.staff[0]?.id}`,
      `/api-keys?key=${owner.tenant.key.id}`,
      '/services?service=new',
      '/webhooks?create=true',
    ];
    const heading = page.getByRole('heading', { level: 1 });
    for (const path of [...screenPaths, ...opened]) {
      const earlier = await heading.elementHandle();
      await visit(page, path);
      if (path !== '/') await earlier?.waitForElementState('hidden');
      await heading.waitFor();
      if (path.includes('?')) await page.getByRole('dialog').getByRole('button').last().waitFor();
      await page.locator('.mantine-Skeleton-root:visible').first().waitFor({ state: 'detached' });
      const found = await page.evaluate<(string | null)[]>(textsOfPage);
      expect(
        found.filter((text) => text !== null && englishLabels.has(text)),
        path,
      ).toEqual([]);
    }
  });

  test('In Latvian, the console translates known errors and payment methods, and marks other messages of the API as English', async () => {
    const { owner, page } = await openAsOwner('/');
    await page.evaluate(`localStorage.setItem('language', 'lv')`);
    await page.goto(`${system().origin}/payments`);
    await page.getByRole('button', { name: 'Reģistrēt maksājumu' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Summa').fill('45');
    await form.getByLabel('Veids').click();
    await page.getByRole('option', { name: 'Karte' }).click();
    await form.getByRole('button', { name: 'Reģistrēt maksājumu' }).click();
    await page.getByRole('cell', { name: 'Karte' }).waitFor();
    expect(await owner.call('GET', '/payments')).toMatchObject({ data: [{ method: 'card' }] });

    const answer = { error: '', requestId: 'req-1', message: 'Said by the API.' };
    const restore = await breakCall(page, '**/v1/account/staff?*', 429, { ...answer, code: 'daily_limit_exceeded' });
    await visit(page, '/staff');
    const alert = page.getByRole('alert');
    await alert.getByText('Sasniegts dienas pieprasījumu ierobežojums').waitFor();
    expect(await alert.getByText(answer.message).count()).toBe(0);
    await restore();
    const restored = await breakCall(page, '**/v1/account/staff?*', 409, { ...answer, code: 'invalid_state' });
    await page.reload();
    await alert.getByText('Pašreizējā stāvoklī tas nav iespējams').waitFor();
    expect(await alert.getByText(answer.message).getAttribute('lang')).toBe('en');
    await restored();
    await alert.getByRole('button', { name: 'Mēģināt vēlreiz' }).click();
    await page.getByRole('table').waitFor();
  });
});
