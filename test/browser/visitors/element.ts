/** The booking element in pages of other sites: its protection, and its use without a mouse or a screen. */
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { projectFolder } from '../../../lib/project-folder.ts';
import { violations } from '../../support/chromium.ts';
import { newTenant, type TestTenant } from '../../support/local.ts';
import {
  bookingsOf,
  chooseFirstTime,
  chooseTime,
  chooseVisit,
  elementFile,
  fillIn,
  fillInAndBook,
  makeClass,
  servedPages,
  sessionOf,
  visitors,
} from '../../support/visitor.ts';

/** Removes the ARIA properties of elements, such as `ariaPressed`, which Firefox 115 to 118 do not have. */
const withoutAriaProperties = `<script>for (const name of Object.getOwnPropertyNames(Element.prototype))
  if (/^(role|aria[A-Z].*)$/.test(name)) delete Element.prototype[name];</script>`;

/** Collects the events that the element sends to its page. */
const listen = `globalThis.said = [];
for (const name of ['held', 'booked', 'moved', 'cancelled', 'failed'])
  addEventListener(name, ({ detail }) => said.push([name, detail.places ?? detail.segments?.length ?? detail.code]));`;

export const element = visitors('the booking element', ({ local, open, origin }) => {
  /** A page of another site with the element, whose session is bound to that site. `around` is the rest of the page. */
  async function foreignPage(tenant: TestTenant, around: string, policy = "default-src 'self' 'unsafe-inline' *") {
    const files: Record<string, string> = { '/element.js': elementFile };
    const site = await servedPages(files, { 'Content-Security-Policy': policy });
    const { token } = await sessionOf(tenant, { kind: 'booker', origin: site });
    const element = `<booking-slots api="${origin()}/v1/integration" token="${token}"></booking-slots>`;
    files['/'] = `<!doctype html><html lang="en"><title>Shop</title><script type="module" src="/element.js"></script>
${around.replace('ELEMENT', element)}</html>`;
    return site;
  }

  test('A visitor books with the chosen staff member, also after a reload, and in browsers without `ariaPressed`', async () => {
    const tenant = await newTenant(local());
    const [haircut] = tenant.services;
    const member = tenant.staff.find(({ id }) => id === haircut?.staffIds.at(-1));
    const around = `${withoutAriaProperties}<main><h1>Shop</h1>ELEMENT</main>`;
    const { page, errors } = await open(await foreignPage(tenant, around), '/');
    const service = page.getByRole('button', { name: /Haircut/ });
    expect(await service.getAttribute('aria-description')).toBe(haircut?.description);
    await service.click();
    const group = page.getByRole('group', { name: 'With whom?' });
    await group.getByRole('button', { name: 'Anyone', pressed: true }).waitFor();
    expect(await group.getByRole('button').count()).toBe(1 + (haircut?.staffIds.length ?? 0));
    await group.getByRole('button', { name: member?.name ?? '' }).click();
    await group.getByRole('button', { name: member?.name ?? '', pressed: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    const [above, below] = await Promise.all([group.boundingBox(), page.locator('.days').boundingBox()]);
    expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0), 'gap above the days').toBeGreaterThan(8);
    await page.reload();
    await group.getByRole('button', { name: member?.name ?? '', pressed: true }).waitFor();
    await chooseFirstTime(page);
    await fillInAndBook(page);
    expect(await bookingsOf(tenant)).toMatchObject([{ serviceId: haircut?.id, staffId: member?.id }]);
    expect(errors).toEqual([]);
  });

  test('A visitor who chose more places of a class than are left can book the remaining places', async () => {
    const tenant = await newTenant(local());
    await makeClass(local().admin, tenant, 6);
    const { page, errors } = await open(await foreignPage(tenant, '<h1>Shop</h1>ELEMENT'), '/');
    await page.evaluate(listen);
    const listed = page.waitForResponse(/\/slots\?/);
    await chooseTime(page);
    await page.getByLabel('Places (6 left)').selectOption('3');
    const { startTime, serviceId, staffId } = ((await (await listed).json()) as { data: [Booking] }).data[0];
    const client = { name: 'Another client', email: 'another@example.com' };
    const others = await tenant.call('POST', '/bookings', { startTime, serviceId, staffId, places: 4, client });
    expect(others.status).toBe(201);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('There are not enough places left at this time.').waitFor();
    await page.getByLabel('Places (2 left)').selectOption('2');
    await page.getByRole('button', { name: 'Continue' }).click();
    await fillInAndBook(page);
    expect(await page.evaluate('said')).toEqual([
      ['failed', 'slot_unavailable'],
      ['held', 2],
      ['booked', 2],
    ]);
    expect(await bookingsOf(tenant)).toMatchObject([{ places: 4 }, { serviceName: 'Haircut', places: 2 }]);
    // The browser logs the refused hold.
    expect(errors).toHaveLength(1);
  });

  test('A visitor can book in a page with a strict content security policy and styles that would hide the element', async () => {
    const tenant = await newTenant(local());
    expect(gzipSync(elementFile).length).toBeLessThan(15 * 1_024);
    const policy = `default-src 'none'; script-src 'self'; connect-src ${origin()}`;
    const site = await foreignPage(tenant, '<body dir="rtl"><button>Of the page</button>ELEMENT', policy);
    const { page, errors } = await open(site, '/');
    await page.evaluate(`{
      const hostile = new CSSStyleSheet();
      hostile.replaceSync(\`
        * { display: none !important; font-size: 3px !important; }
        :root, body, booking-slots, body > button { display: block !important; }
        body { letter-spacing: 2em; text-transform: uppercase; white-space: nowrap; line-height: .1; visibility: hidden; color: #fff; }
        h2, section, button, ul, li, form, input { all: unset !important; display: none !important; }\`);
      document.adoptedStyleSheets = [hostile];
    }`);
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    const looks = (selector: string) =>
      page.locator(selector).evaluate((button) => {
        const { letterSpacing, textTransform, whiteSpace, visibility, direction } = getComputedStyle(button);
        return [letterSpacing, textTransform, whiteSpace, visibility, direction];
      });
    expect(await looks('booking-slots .row button, booking-slots section > button')).toEqual([
      'normal',
      'none',
      'normal',
      'visible',
      'rtl',
    ]);
    // Negative control: content outside the element is hidden and distorted.
    expect(await looks('body > button')).not.toContain('visible');
    await chooseVisit(page);
    await fillInAndBook(page);
    expect(await page.locator('ol li').count()).toBe(2);
    expect(await violations(page, ['color-contrast'])).toEqual([]);
    const [booking] = await bookingsOf(tenant);
    expect(new Set(booking?.segments.map(({ staffId }) => staffId)).size).toBe(2);
    expect(errors).toEqual([]);
  });

  test('The <booking-slots> element works in a React page that sets the token after rendering, and reports each booking to it', async () => {
    const tenant = await newTenant(local());
    const program = `
      import { createElement, useEffect, useState } from 'react';
      import { createRoot } from 'react-dom/client';
      function Page() {
        const [token, setToken] = useState();
        const [said, say] = useState('Nothing yet');
        useEffect(() => void fetch('/session').then((answer) => answer.text()).then(setToken), []);
        const onbooked = ({ detail }) => say('Booked: ' + detail.serviceName);
        const api = '${origin()}/v1/integration';
        return [createElement('booking-slots', { key: 1, api, token, onbooked }), createElement('p', { key: 2 }, said)];
      }
      createRoot(document.querySelector('main')).render(createElement(Page));`;
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: projectFolder },
      ...{ bundle: true, write: false, format: 'esm', define: { 'process.env.NODE_ENV': '"production"' } },
    });
    const { token } = await sessionOf(tenant, { kind: 'booker' });
    const scripts = ['element', 'page'].map((name) => `<script type="module" src="/${name}.js"></script>`).join('');
    const site = await servedPages({
      '/': `<!doctype html><html lang="en"><title>Shop</title><main></main>${scripts}`,
      '/element.js': elementFile,
      '/page.js': outputFiles[0]?.text ?? '',
      '/session': token,
    });
    const opened = await open(site, '/');
    await chooseTime(opened.page);
    await fillIn(opened.page);
    await opened.page.getByRole('button', { name: 'Book' }).click();
    await opened.page.getByText('Booked: Haircut').waitFor();
    expect(opened.errors).toEqual([]);
    // On a server there is no custom element, and the tag is rendered as it is.
    const rendered = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      await import('./client/src/element/booking-slots.ts');
      console.log(renderToString(createElement('booking-slots', { api: '/v1' })));`,
      ],
      { cwd: projectFolder },
    );
    expect(rendered.toString()).toBe('<booking-slots api="/v1"></booking-slots>\n');
  });

  test.each([
    ['Pacific/Kiritimati', true, true],
    ['America/New_York', true, false],
    ['Europe/Riga', false, false],
  ])(
    'A visitor in %s sees times in the zone of a business in Riga, and local times and dates only if they differ',
    async (timezoneId, isElsewhere, isNextDay) => {
      const tenant = await newTenant(local());
      const { page } = await open(await foreignPage(tenant, 'ELEMENT'), '/', { timezoneId });
      await page.getByRole('button', { name: /Haircut/ }).click();
      const listed = page.waitForResponse(/\/slots\?/);
      await page.locator('.days button:enabled').nth(1).click();
      const { startTime } = ((await (await listed).json()) as { data: [Booking] }).data[0];
      const clock = (timeZone: string) =>
        new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone }).format(new Date(startTime));
      const own = isElsewhere ? `${clock(timezoneId)} your time` : '';
      const first = page.locator('.times button').first();
      expect(await first.textContent()).toBe(clock('Europe/Riga') + own);
      const last = String(await page.locator('.times button').last().textContent());
      expect(/(Sun|Mon|Tue|Wed|Thu|Fri|Sat),? \d+:\d\d AM your time$/.test(last)).toBe(isNextDay);
      await first.click();
      await fillInAndBook(page);
      const message = String(await page.locator('section p').first().textContent());
      expect(message).toContain(`at ${clock('Europe/Riga')}`);
      expect(message.endsWith(own)).toBe(true);
      expect(message.includes('your time')).toBe(isElsewhere);
    },
  );

  /** The name of the focused heading or control of the element. */
  const focused = (page: Page) =>
    page.evaluate(() => {
      const at = document.activeElement?.shadowRoot?.activeElement;
      return at?.getAttribute('name') ?? at?.textContent ?? document.activeElement?.localName ?? '';
    });

  async function tabTo(page: Page, name: string | RegExp): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      if (new RegExp(name).test(await focused(page))) return;
    }
    throw new Error(`Sixty times Tab lead not to ${name}.`);
  }

  test('A visitor books and cancels by keyboard alone, and the focus moves to the heading of each new screen', async () => {
    const tenant = await newTenant(local());
    const { page, errors } = await open(await foreignPage(tenant, '<a href="/">Home</a>ELEMENT'), '/');
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    const press = async (name: string | RegExp, heading: string) => {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: heading }).waitFor();
    };
    await press('Haircut', 'Which day?');
    expect(await focused(page)).toBe('Which day?');
    // The first day may be today, when it can be too late to cancel.
    await tabTo(page, /\d/);
    await press(/\d/, 'Which time?');
    expect(await focused(page)).toMatch(/^Which time\?/);
    await press(/\d/, 'Your details');
    expect(await focused(page)).toBe('name');
    await page.keyboard.type('Jane Doe');
    await tabTo(page, 'email');
    await page.keyboard.type('jane@example.com');
    await press('Book', 'Your appointment is booked');
    expect(await focused(page)).toBe('Your appointment is booked');
    await press('Cancel appointment', 'Cancel this appointment for good?');
    await press('Cancel appointment', 'Your appointment is cancelled');
    expect(await bookingsOf(tenant)).toMatchObject([{ status: 'cancelled', client: { name: 'Jane Doe' } }]);
    expect(errors).toEqual([]);
  });

  test('Negative control: if the <booking-slots> element does not move the focus, the focus is lost when the screen changes', async () => {
    const tenant = await newTenant(local());
    const { page } = await open(await foreignPage(tenant, 'ELEMENT'), '/');
    await page.evaluate('HTMLElement.prototype.focus = () => undefined');
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    await tabTo(page, 'Haircut');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    expect(await focused(page)).toBe('body');
  });

  test('A screen reader gets the heading, the lists and the field names of each screen of the <booking-slots> element', async () => {
    const tenant = await newTenant(local());
    const { page } = await open(await foreignPage(tenant, 'ELEMENT'), '/');
    const tree = () => page.locator('booking-slots').ariaSnapshot();
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    expect((await tree()).split('\n')).toEqual([
      '- heading "What would you like to book?" [level=2]',
      '- heading "Hair" [level=3]',
      '- list:',
      '  - listitem:',
      '    - button "Haircut 45 min · €45.00"',
      '  - listitem:',
      '    - button "Colour 120 min · €98.00"',
      '- heading "Beard" [level=3]',
      '- list:',
      '  - listitem:',
      '    - button "Beard trim 30 min · €25.00"',
      '- button "Book several services"',
    ]);
    await page.getByRole('button', { name: /Haircut/ }).click();
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    const haircut = '- paragraph: Haircut 45 min · €45.00';
    expect((await tree()).split('\n').slice(0, 2)).toEqual(['- heading "Which day?" [level=2]', haircut]);
    await page.locator('.days button:enabled').nth(1).click();
    await page.getByRole('heading', { name: 'Which time?' }).waitFor();
    expect((await tree()).split('\n')[1]).toBe(haircut);
    await page.locator('.times button').first().click();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    expect((await tree()).replace(/Haircut with .*/, 'Haircut with …').split('\n')).toEqual([
      '- heading "Your details" [level=2]',
      '- paragraph: Haircut with …',
      '- text: 45 min · €45.00 Name',
      '- textbox "Name"',
      '- text: A phone number or an email address is enough. Phone',
      '- textbox "Phone"',
      '- text: Email',
      '- textbox "Email"',
      '- text: Comment (optional)',
      '- textbox "Comment (optional)"',
      '- button "Book"',
      '- button "Back"',
    ]);
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    expect(await tree()).toContain('- alert: Enter your name.');
  });
});
