/** The pages for customers, `/book/` and `/manage/`, in a real browser. */
import type { Locator, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { seedDemo } from '../../../local/seed-demo.ts';
import { siteConfig } from '../../../local/welcome.ts';
import { configPath } from '../../../site/config.ts';
import { violations } from '../../support/chromium.ts';
import { newTenant } from '../../support/local.ts';
import { ownerOf } from '../../support/owner.ts';
import {
  bookingsOf,
  chooseFirstTime,
  chooseTime,
  fillIn,
  fillInAndBook,
  makeClass,
  type Session,
  servedPages,
  sessionOf,
  visitors,
} from '../../support/visitor.ts';

/** Lets a request take effect, and answers it with a page of a proxy. */
const proxyPage = async (route: Route) => {
  await route.fetch({ maxRetries: 1 });
  await route.fulfill({ body: '<!doctype html>' });
};
const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const;

export const customerPages = visitors('the pages of customers', ({ local, open, origin }) => {
  beforeAll(async () => {
    const { run, admin } = local();
    const demo = await seedDemo(admin, undefined, Date.now());
    run.site?.configure(siteConfig({ run, demo, ownerToken: undefined }));
  });

  const pathOf = ({ url }: Session) => url.slice(origin().length);

  test('A visitor books on a phone by keyboard and by touch, moves the appointment and cancels it', async () => {
    const tenant = await newTenant(local());
    const session = await sessionOf(tenant, { kind: 'booker' });
    const { page, errors, foreign } = await open(origin(), pathOf(session), phone);
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    expect(page.url()).not.toContain(session.token);
    const seen: string[] = [];
    page.on('request', (request) => seen.push(`${request.url()} ${request.headers().referer}`));
    await page.reload();
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    await page.getByText(tenant.business.name).waitFor();
    expect(await page.title()).toBe(`Book an appointment · ${tenant.business.name}`);
    expect(await violations(page)).toEqual([]);
    await chooseTime(page);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('alert').waitFor();
    const focused = `document.querySelector('booking-slots').shadowRoot.activeElement.name`;
    expect(await page.evaluate(focused)).toBe('name');
    await fillIn(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    const isLeftByBack = () => page.evaluate('!navigation.canGoBack');
    await expect.poll(isLeftByBack).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const file = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
    expect(decodeURIComponent(String(file))).toMatch(/DTSTART:\d{8}T\d{6}Z\r\nDTEND:/);

    const [booked] = await bookingsOf(tenant);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByText(/^HaircutUntil now: /).waitFor();
    // Except on Saturdays, all staff members work at that time, so that the visitor can keep the same one.
    const time = page.locator('.times button', { hasText: /^1:00\sPM/ });
    await page.locator('.days button:enabled', { hasNotText: 'Sat' }).nth(2).click();
    // The second tap of a double tap on the day moves nothing.
    await time.dispatchEvent('click', { detail: 2 });
    expect(await page.locator('.times button:disabled').count()).toBe(0);
    await time.click();
    await page.getByRole('heading', { name: 'Move this appointment?' }).waitFor();
    expect(await page.getByText(/^(Until now|New time):/).allTextContents()).toHaveLength(2);
    // A tap on a time, for example of a visitor who scrolls, moves nothing yet.
    expect((await bookingsOf(tenant))[0]?.startTime).toBe(booked?.startTime);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    const [moved] = await bookingsOf(tenant);
    expect(moved?.startTime).not.toBe(booked?.startTime);
    expect(moved?.segments[0]?.staffId).toBe(booked?.segments[0]?.staffId);
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor();
    await expect.poll(isLeftByBack).toBe(true);
    expect(await bookingsOf(tenant)).toMatchObject([
      { status: 'cancelled', cancelledBy: 'client', client: { name: 'Jane Doe' } },
    ]);
    expect([errors, foreign]).toEqual([[], []]);
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.filter((one) => one.includes('/business '))).toHaveLength(1);
    expect(seen.filter((one) => one.includes(session.token))).toEqual([]);
  });

  test("The browser's Back button returns to the previous step of the booking page, or leaves the booking page after a booking", async () => {
    const tenant = await newTenant(local());
    const { page, errors } = await open(origin(), configPath, phone);
    await page.goto(`${origin()}${pathOf(await sessionOf(tenant, { kind: 'booker' }))}`);
    const step = (heading: string | RegExp) => page.getByRole('heading', { name: heading }).waitFor();
    await chooseTime(page);
    await step('Your details');
    // The form stays, with an error, and so does its entry in the history.
    await page.route('**/slots?**', (route) => route.abort());
    await page.goBack();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.evaluate('history.state.step')).toBe(3);
    await page.unroute('**/slots?**');
    await page.goBack();
    await step(/Which time\?/);
    // Other screens are replaced by the error, from which Back leads to the screen again.
    await page.route('**/slots/days?**', (route) => route.abort());
    await page.goBack();
    await step('There is no connection');
    await page.goBack();
    await step(/Which time\?/);
    await expect.poll(() => page.evaluate('history.state.step')).toBe(2);
    await page.unroute('**/slots/days?**');
    await page.goBack();
    await step('Which day?');
    await page.goForward();
    await page.locator('.days button:enabled').nth(1).click();
    await step(/Which time\?/);
    await page.getByRole('button', { name: 'Back' }).click();
    await step('Which day?');
    await page.goBack();
    await chooseTime(page);
    await page.reload();
    await step(/Which time\?/);
    await page.goBack();
    await step('Which day?');
    await page.route('**/slots?**', (route) => route.abort());
    await page.locator('.days button:enabled').nth(1).click();
    await step('There is no connection');
    await page.unroute('**/slots?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await step(/Which time\?/);
    await page.goBack();
    await step('Which day?');
    await page.goBack();
    await page.route('**/slots/days?**', (route) => route.abort());
    await page.getByRole('button', { name: /Haircut/ }).click();
    await step('There is no connection');
    await page.unroute('**/slots/days?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await chooseFirstTime(page);
    await fillInAndBook(page);
    await page.goBack();
    await expect.poll(() => page.url()).toBe(`${origin()}${configPath}`);
    // The second step back from the form finds that the time was released by the first.
    expect([...new Set(errors)]).toEqual([
      'Failed to load resource: net::ERR_FAILED',
      'Failed to load resource: the server responded with a status of 404 (Not Found)',
    ]);
  });

  test('A visitor books several services as one visit, sees the staff member and time of each service, and moves the visit', async () => {
    const tenant = await newTenant(local());
    const { page, errors } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })), phone);
    await page.getByRole('button', { name: 'Book several services' }).click();
    const next = page.getByRole('button', { name: 'Continue' });
    await page.getByRole('button', { name: /Colour/ }).click();
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole('button', { name: /Beard trim/ }).click();
    expect(await page.getByRole('status').textContent()).toBe(
      '1. \u2068Colour\u2069, 2. \u2068Beard trim\u2069 · 150 min · €123.00',
    );
    expect(await page.getByRole('button', { name: /Beard trim/ }).getAttribute('aria-pressed')).toBe('true');
    expect(await violations(page)).toEqual([]);
    // In forced colours, an outline alone marks the chosen services.
    const marks = () =>
      page.locator('li button').evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle));
    await next.focus();
    expect((await marks()).filter((style) => style === 'solid')).toHaveLength(2);
    await next.click();
    await chooseFirstTime(page);
    await fillInAndBook(page);
    const shown = () => page.locator('ol li').allTextContents();
    const parts = await shown();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const [booking] = await bookingsOf(tenant);
    expect(booking?.segments.map(({ serviceName }) => serviceName)).toEqual(['Colour', 'Beard trim']);
    expect(parts).toEqual(
      booking?.segments.map(({ serviceName, staffName, startTime, endTime }) => {
        const clock = (time: string) =>
          new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: booking.timeZone }).format(new Date(time));
        return `${serviceName} with ${staffName}${clock(startTime)} – ${clock(endTime)}`;
      }),
    );

    const link = await sessionOf(tenant, { kind: 'booking', bookingId: booking?.id });
    await page.goto(link.url);
    await page.getByRole('heading', { name: 'Your appointment', level: 2 }).waitFor();
    expect(await shown()).toEqual(parts);
    await page.getByRole('button', { name: 'Move' }).click();
    const { startTime, timeZone } = booking as Booking;
    // On its own day the staff members are busier than others.
    const day = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone });
    await page.getByRole('button', { name: day.format(new Date(startTime)), exact: true }).click();
    await page.locator('.times button').last().click();
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    const [moved] = await bookingsOf(tenant);
    expect(moved?.startTime.slice(0, 10)).toBe(startTime.slice(0, 10));
    expect(moved?.startTime).not.toBe(startTime);
    expect(moved?.segments.map(({ staffId }) => staffId)).toEqual(booking?.segments.map(({ staffId }) => staffId));
    expect(errors).toEqual([]);
  });

  test('A visitor can book no more places than a class has left, and no more bookings than the booking link allows', async () => {
    const tenant = await newTenant(local());
    await makeClass(local().admin, tenant, 6);
    const session = await sessionOf(tenant, { kind: 'booker', bookings: 2 });
    const { page, errors } = await open(origin(), pathOf(session), phone);
    // A service with shared starts cannot be part of a visit.
    await page.getByRole('button', { name: 'Book several services' }).click();
    await page.getByRole('heading', { name: 'Which services' }).waitFor();
    expect(await page.getByRole('button', { name: /Haircut/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back' }).click();
    await chooseTime(page);
    const places = page.getByLabel('Places (6 left)');
    expect(await places.locator('option').allTextContents()).toEqual(['1', '2', '3', '4', '5', '6']);
    await places.selectOption('4');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'Continue' }).click();
    await fillInAndBook(page);
    await page.getByText('Places: 4').waitFor();
    expect(await bookingsOf(tenant)).toMatchObject([{ places: 4, serviceName: 'Haircut' }]);

    await page.reload();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
    const another = page.getByRole('button', { name: 'Book another appointment' });
    await another.click();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('Places: 4').waitFor();
    await another.click();
    await chooseTime(page);
    expect(await page.getByLabel('Places (2 left)').locator('option').count()).toBe(2);
    await page.getByRole('button', { name: 'Continue' }).click();
    await fillIn(page);
    // One contact has at most five upcoming places.
    await page.getByLabel('Email').fill('max@example.com');
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(await another.count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Move' }).waitFor();
    expect(await another.count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(session.url);
    await page.getByRole('button', { name: 'Move' }).waitFor();
    expect(await another.count(), 'opened again').toBe(0);
    expect(errors).toEqual([]);
    // Another tab knows only the link.
    const { page: tab } = await open(origin(), pathOf(session), phone);
    await chooseTime(tab);
    await tab.getByText('This link does not allow this step, or all its bookings are made.').waitFor();
    await tab.getByRole('button', { name: 'Move' }).waitFor();
    expect(await tab.getByRole('button', { name: 'Book another appointment' }).count(), 'used up').toBe(0);
  });

  test('The page of an appointment offers only the actions of its own link, not of a link opened before, and reports an invalid link', async () => {
    const tenant = await newTenant(local());
    const { body: booking } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
    const access = { kind: 'booking', bookingId: booking.id, may: ['read', 'cancel'] };
    const added = '&style=position:fixed&onclick=alert(1)&api=https://evil.example';
    const session = await sessionOf(tenant, access);
    const { page } = await open(origin(), pathOf(session) + added);
    await page.getByRole('heading', { name: 'Your appointment', level: 2 }).waitFor();
    const attributes = await page.evaluate(`document.querySelector('booking-slots').getAttributeNames()`);
    expect(attributes).toEqual(['token', 'booking', 'may', 'api']);
    await page.reload();
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
    expect(await page.getByRole('button', { name: 'Move' }).count()).toBe(0);
    expect(await page.getByText('Jānis').count()).toBe(0);
    // A link with fewer actions for the same session.
    await page.goto(session.url.replace('.cancel', ''));
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Add to calendar' }).waitFor();
    await page.goto(`${origin()}/manage/#bs_live_${'a'.repeat(36)}&booking=1`);
    await page.getByText('This link is not valid.').waitFor();
    const { url, token } = await sessionOf(tenant, { kind: 'booking', bookingId: booking.id });
    await page.goto(url);
    await page.getByRole('heading', { name: 'Your appointment', level: 2 }).waitFor();
    await page.getByText(tenant.business.name).waitFor();
    expect(page.url()).not.toContain(token);
    const bare = await open(origin(), '/book/');
    await bare.page.getByText('This link is not valid.').waitFor();
  });

  test('Every screen of the booking page fits a phone 320 px wide, even with right-to-left text of double size', async () => {
    const tenant = await newTenant(local());
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })), phone);
    await page.evaluate(`{
      const large = new CSSStyleSheet();
      large.replaceSync('html { font-size: 200%; direction: rtl }');
      document.adoptedStyleSheets = [large];
    }`);
    const tooWide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    expect(await tooWide()).toBe(0);
    await page.getByRole('button', { name: /Haircut/ }).click();
    await page.locator('.days button:enabled').nth(1).click();
    await page.getByRole('heading', { name: /Which time\?/ }).waitFor();
    expect(await tooWide()).toBe(0);
    await page.locator('.times button').first().click();
    await fillIn(page);
    expect(await tooWide()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(await tooWide()).toBe(0);
  });

  test('On an English page, Arabic names keep the order “service with staff member”, and an Arabic full stop is at the left', async () => {
    const tenant = await newTenant(local());
    const owner = await ownerOf(local(), tenant.business.id);
    const [service] = tenant.services;
    const description = 'مع الغسيل.';
    await owner.done('PATCH', `/services/${service?.id}`, { name: 'قص الشعر', description });
    for (const { id } of tenant.staff) await owner.done('PATCH', `/staff/${id}`, { name: 'محمد' });
    await owner.done('PATCH', '/business', { address: null, phone: null });
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })), phone);
    const leftOf = (character: number) =>
      page.getByText(description).evaluate((element, at) => {
        const range = document.createRange();
        range.setStart(element.firstChild ?? element, at);
        range.setEnd(element.firstChild ?? element, at + 1);
        return range.getBoundingClientRect().x;
      }, character);
    expect(await leftOf(description.length - 1)).toBeLessThan(await leftOf(0));
    await page.getByRole('button', { name: 'قص الشعر' }).click();
    await page.getByText(tenant.business.name).waitFor();
    expect(await page.locator('main > p').count(), 'no empty line for address and phone').toBe(1);
    await chooseFirstTime(page);
    const text = page.locator('p', { hasText: 'قص الشعر with محمد' });
    const left = async (part: Locator) => (await part.boundingBox())?.x ?? Number.NaN;
    const word = text.getByText('with', { exact: true });
    expect(await left(text.getByText('قص الشعر', { exact: true }))).toBeLessThan(await left(word));
    expect(await left(word)).toBeLessThan(await left(text.getByText('محمد', { exact: true })));
  });

  test('If a proxy answers a booking request in place of the API, a visitor can send the request again and has one booking', async () => {
    const tenant = await newTenant(local());
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })));
    await chooseTime(page);
    await fillIn(page);
    await page.route('**/bookings', proxyPage, { times: 1 });
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByText('Something went wrong.').waitFor();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(await bookingsOf(tenant)).toHaveLength(1);
  });

  test('Negative control: if a repeated booking request has another idempotency key, a visitor who has booked sees an error', async () => {
    const { page } = await open(origin(), pathOf(await sessionOf(await newTenant(local()), { kind: 'booker' })));
    await chooseTime(page);
    await fillIn(page);
    await page.route('**/bookings', proxyPage, { times: 1 });
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByText('Something went wrong.').waitFor();
    await page.route('**/bookings', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'idempotency-key': crypto.randomUUID() } }),
    );
    await page.getByRole('button', { name: 'Book' }).click();
    await page
      .getByRole('alert')
      .getByText('This link does not allow this step, or all its bookings are made.')
      .waitFor();
    expect(await page.getByRole('heading', { name: 'Your appointment is booked' }).count()).toBe(0);
  });

  test('After a reload, a visitor sees the days or times shown before, and the time that the visitor held is free again', async () => {
    const tenant = await newTenant(local());
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })));
    const [from, to] = [1, 14].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const free = async () => {
      const path = `/slots/days?serviceId=${tenant.services[0]?.id}&from=${from}&to=${to}`;
      const { body } = await tenant.call<{ data: { count: number }[] }>('GET', path);
      return body.data.reduce((sum, { count }) => sum + count, 0);
    };
    await chooseTime(page);
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    const held = await free();
    await page.reload();
    await page.getByRole('heading', { name: 'Which time?' }).waitFor();
    await expect.poll(free).toBeGreaterThan(held);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Later days' }).click();
    await page.getByRole('button', { name: 'Earlier days' }).waitFor();
    const days = await page.locator('.days').textContent();
    await page.reload();
    await page.locator('.days').waitFor();
    expect(await page.locator('.days').textContent()).toBe(days);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'What would you like to book?' }).waitFor();
    await page.reload();
    await chooseTime(page);
    await fillIn(page);
    // Another link in the same tab begins a new choice, and shows nothing that the visitor of the first one typed.
    await page.goto((await sessionOf(tenant, { kind: 'booker' })).url);
    await chooseTime(page);
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
  });

  test('The chosen time stays held while the booking is sent, and while the browser keeps the page in its back/forward cache', async () => {
    const { page } = await open(origin(), pathOf(await sessionOf(await newTenant(local()), { kind: 'booker' })));
    const released: string[] = [];
    page.on('request', (request) => request.method() === 'DELETE' && released.push(request.url()));
    await chooseTime(page);
    await fillIn(page);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await page.route('**/bookings', async (route) => {
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`);
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(released).toEqual([]);
  });

  test('A link to an appointment still works if a mail program added characters, and shows an error if it was truncated', async () => {
    const tenant = await newTenant(local());
    const { body: booking } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
    const { url } = await sessionOf(tenant, { kind: 'booking', bookingId: booking.id, may: ['read'] });
    const { page } = await open(origin(), '/config.json');
    await page.goto(`${url.replaceAll('&', '&amp;')}.)`);
    await page.getByRole('link', { name: 'Add to calendar' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.goto(url.slice(0, url.indexOf('&')));
    await page.getByText('This link is not valid.').waitFor();
    const { url: bookingPage } = await sessionOf(tenant, { kind: 'booker' });
    await page.goto(`${bookingPage}.`);
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
  });

  test('Several booking links can be opened in one tab of a browser that blocks all storage, also after a reload', async () => {
    const tenant = await newTenant(local());
    const session = await sessionOf(tenant, { kind: 'booker' });
    const { page } = await open(origin(), '/config.json');
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('No', 'SecurityError') } })`,
    );
    await page.goto(session.url);
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    for (const question of ['', '?']) {
      const next = await sessionOf(tenant, { kind: 'booker' });
      await page.goto(next.url.replace('#', `${question}#`));
      await page.locator(`booking-slots[token=${next.token}]`).waitFor();
    }
  });

  test.each([
    ['the request for the configuration gets no response', '**/config.json', undefined],
    ['a proxy answers the request for the configuration', '**/config.json', '<!doctype html>'],
    ['the request for a script gets no response', '**/element/*.js', undefined],
  ])('A visitor of the booking page can try again if %s', async (_, path, body) => {
    const session = await sessionOf(await newTenant(local()), { kind: 'booker' });
    const { page } = await open(origin(), '/docs/errors/');
    const refuse = (route: Route) => (body === undefined ? route.abort() : route.fulfill({ body }));
    await page.route(path, refuse);
    await page.goto(session.url);
    await page.getByText('There is no connection.').waitFor();
    await page.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
  });

  test('No other site can show the pages for booking or managing an appointment in a frame', async () => {
    const files: Record<string, string> = { '/framed': '<title>Framed</title>' };
    const site = await servedPages(files);
    const shown = async (url: string) => {
      files['/'] = `<!doctype html><html lang="en"><title>Shop</title><iframe src="${url}"></iframe></html>`;
      const { page } = await open(site, '/');
      return page.frames().at(-1)?.url();
    };
    for (const path of ['/book/', '/manage/']) expect(await shown(origin() + path), path).toMatch(/^chrome-error:/);
    // Negative control: a page without such a policy is shown.
    expect(await shown(`${site}/framed`)).toBe(`${site}/framed`);
  });
});
