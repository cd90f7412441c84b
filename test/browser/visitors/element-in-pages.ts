/** The booking element in realistic pages, with bad networks, and with changes while it is shown. */
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { newTenant, type TestTenant } from '../../support/local.ts';
import { ownerWith } from '../../support/owner.ts';
import {
  bookingsOf,
  chooseFirstTime,
  chooseTime,
  elementFile,
  fillIn,
  fillInAndBook,
  makeClass,
  type Session,
  servedPages,
  sessionOf,
  visitors,
} from '../../support/visitor.ts';

const tokenOf = async (tenant: TestTenant, more = {}) => (await sessionOf(tenant, { kind: 'booker', ...more })).token;
const firstStaff = ({ staff }: TestTenant) => ({ staffIds: staff.slice(0, 1).map(({ id }) => id) });
const haircut = (page: Page) => page.getByRole('button', { name: /Haircut/ });
const book = (page: Page) => page.getByRole('button', { name: 'Book', exact: true }).click();
const isBooked = (page: Page) => page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName);

/** A service in the format of `GET /services`. */
const service = (id: number, name: string, more = {}) => ({
  ...{
    id,
    name,
    capacity: 1,
    durationMinutes: 30,
    price: { amount: 100, currency: 'EUR' },
    active: true,
    staffIds: [7],
  },
  ...more,
});

/** Lets the first POST to `path` reach the API, and loses its response and the next request. */
async function loseAnswers(page: Page, path: string): Promise<void> {
  let count = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST' || ++count > 2) return route.continue();
    if (count === 1) await route.fetch({ maxRetries: 1 });
    return route.abort();
  });
}

export const elementInPages = visitors('the booking element in pages of others', ({ local, open, origin }) => {
  /** A page of another site, in which `ELEMENT` is replaced by the element. */
  async function pageWith(token: string, body: string, api = `${origin()}/v1/integration`): Promise<string> {
    return servedPages({ '/element.js': elementFile, '/': shopPage(token, body, api) });
  }

  function shopPage(token: string, body: string, api = `${origin()}/v1/integration`): string {
    const element = `<booking-slots api="${api}" token="${token}"></booking-slots>`;
    return `<!doctype html><html lang="en"><title>Shop</title>${body.replaceAll('ELEMENT', element)}
<script type="module" src="/element.js"></script></html>`;
  }

  /** The page of a new business, where `ELEMENT` in its body is the element, at each load with a new session. */
  const openShop = async (body = 'ELEMENT', more: (tenant: TestTenant) => object = () => ({})) => {
    const tenant = await newTenant(local());
    const sessions: Session[] = [];
    const draw = async () => {
      const session = await sessionOf(tenant, { kind: 'booker', ...more(tenant) });
      sessions.push(session);
      return shopPage(session.token, body);
    };
    const { page } = await open(await servedPages({ '/element.js': elementFile, '/': draw }), '/');
    return { tenant, page, sessions };
  };

  test('The <booking-slots> element changes neither focus nor scroll position of its page until the visitor uses the element', async () => {
    const { page } = await openShop('<input autofocus><div style="height: 3000px"></div>ELEMENT');
    await haircut(page).waitFor();
    const state = '[document.activeElement.localName, scrollY]';
    expect(await page.evaluate(state)).toEqual(['input', 0]);
    await haircut(page).click();
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    expect(await page.evaluate('document.activeElement.localName')).toBe('booking-slots');
  });

  test('A page can replace every text of the <booking-slots> element, and propose contact details that the visitor can change', async () => {
    const client = `{ name: 'Jane Doe', email: 'jane@example.com', phone: '+371 2000 0001' }`;
    const set = `<script>Object.assign(document.querySelector('booking-slots'),
      { texts: { service: 'Choose a treatment' }, client: ${client} })</script>`;
    const { page, tenant } = await openShop(`<main lang="de">ELEMENT${set}</main>`);
    const heading = page.getByRole('heading', { name: 'Choose a treatment' });
    await heading.waitFor();
    expect(await heading.locator('[lang]').count()).toBe(0);
    await chooseTime(page);
    await page.getByLabel('Email').fill('');
    await page.reload();
    await page.locator('.times button').first().click();
    await book(page);
    await isBooked(page);
    const [booking] = await bookingsOf(tenant);
    expect(booking?.client).toEqual({ name: 'Jane Doe', email: null, phone: '+371 2000 0001' });
    await page.evaluate(`document.querySelector('booking-slots').texts = Object.fromEntries(
      Object.keys(customElements.get('booking-slots').texts).map((name) => [name, '«' + name + '»']))`);
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('heading', { name: '«reallyCancel»' }).waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['«cancel»', '«keep»']);
  });

  test('The <booking-slots> element formats prices in the language of its page, or of the browser if `lang` is invalid', async () => {
    const prices = { de: '45,00', de_DE: '45,00', 'no such language': '45.00' };
    const body = Object.keys(prices).map((lang) => `<div lang="${lang}">ELEMENT</div>`);
    const token = await tokenOf(await newTenant(local()));
    // The base URL may end with a slash.
    const { page } = await open(await pageWith(token, body.join(''), `${origin()}/v1/integration/`), '/');
    for (const [lang, price] of Object.entries(prices)) {
      const around = page.locator(`[lang="${lang}"]`);
      expect(await around.getByRole('button', { name: /Haircut/ }).textContent()).toContain(price);
      expect(await around.getByText('What would you like to book?').getAttribute('lang')).toBe('en');
    }
  });

  test('In an older browser, such as Chrome 109, buttons are readable and a visitor can book', async () => {
    const token = await tokenOf(await newTenant(local()));
    const files = {
      '/element.js': elementFile.replaceAll('light-dark(', 'unknown-function('),
      '/': shopPage(
        token,
        '<script>delete Crypto.prototype.randomUUID; delete Array.prototype.toReversed</script>ELEMENT',
      ),
    };
    const { page } = await open(await servedPages(files), '/', { colorScheme: 'dark' });
    const looks = (button: Locator) =>
      button.evaluate((one) => {
        const { borderTopStyle, backgroundColor, color, colorScheme } = getComputedStyle(one);
        return [borderTopStyle, backgroundColor, color, colorScheme];
      });
    expect(await looks(haircut(page))).toEqual(['solid', 'rgba(0, 0, 0, 0)', 'rgb(20, 33, 31)', 'light']);
    await chooseTime(page);
    const main = page.getByRole('button', { name: 'Book', exact: true });
    expect(await looks(main)).toEqual(['solid', 'rgb(11, 102, 95)', 'rgb(255, 255, 255)', 'light']);
    await fillInAndBook(page);
  });

  test('After its session token changed, the <booking-slots> element ignores late responses to requests with earlier tokens', async () => {
    const tenant = await newTenant(local());
    const [first, second] = [await tokenOf(tenant), await tokenOf(tenant)];
    const { page } = await open(await pageWith(first, 'ELEMENT'), '/');
    await haircut(page).waitFor();
    const lists: Route[] = [];
    const { promise: areAsked, resolve: asked } = Promise.withResolvers<void>();
    await page.route('**/services?*', (route) => {
      if (lists.push(route) === 3) asked();
    });
    for (const token of [second, first, second]) {
      const request = page.waitForRequest(/services/);
      await page.locator('booking-slots').evaluate((element, value) => element.setAttribute('token', value), token);
      await request;
    }
    await areAsked;
    for (const [i, route] of [...lists.entries()].reverse()) {
      const data = [service(1, `List ${i}`), service(2, 'Another')];
      const requestFinished = page.waitForEvent('requestfinished', (request) => request === route.request());
      await route.fulfill({ json: { data, total: data.length } });
      await requestFinished;
    }
    // Two frames, so that all effects of the last response have been drawn.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await page.getByText('List').allTextContents()).toEqual([expect.stringContaining('List 2')]);
  });

  test('When a page replaces the session token of the <booking-slots> element, the time that the visitor held is offered again', async () => {
    const { tenant, page } = await openShop('ELEMENT', firstStaff);
    const times = async () => {
      await haircut(page).click();
      await page.locator('.days button:enabled').nth(1).click();
      await page.getByRole('heading', { name: /Which time\?/ }).waitFor();
      return page.locator('.times button').allTextContents();
    };
    const offered = await times();
    await page.locator('.times button').first().click();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    const released = page.waitForResponse((response) => response.request().method() === 'DELETE');
    const next = await tokenOf(tenant, firstStaff(tenant));
    await page.locator('booking-slots').evaluate((element, value) => element.setAttribute('token', value), next);
    expect((await released).status()).toBe(204);
    expect(await times()).toEqual(offered);
  });

  test('If a page replaces the session token during a move, the service that the visitor then chooses survives a reload', async () => {
    const { tenant, page } = await openShop();
    await chooseTime(page);
    await fillInAndBook(page);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    const next = await tokenOf(tenant);
    await page.locator('booking-slots').evaluate((element, value) => element.setAttribute('token', value), next);
    await haircut(page).click();
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
  });

  test("The <booking-slots> element keeps a visitor's input when the page moves it or sets the same token again", async () => {
    const { tenant, page } = await openShop('ELEMENT<footer></footer>');
    await chooseTime(page);
    await fillIn(page);
    await page.locator('booking-slots').evaluate((element) => {
      element.remove();
      document.querySelector('footer')?.append(element);
      element.setAttribute('token', element.getAttribute('token') ?? '');
    });
    await book(page);
    await isBooked(page);
    expect(await bookingsOf(tenant)).toHaveLength(1);
  });

  test('If the response to a hold request is lost, the visitor can try again, and sees the same times after “Back” or a reload', async () => {
    const { page } = await openShop('ELEMENT', firstStaff);
    const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
    const lose = async () => {
      await loseAnswers(page, '**/slots/holds');
      await page.locator('.times button').first().click();
      await heading('There is no connection.');
      await page.unroute('**/slots/holds');
    };
    await haircut(page).click();
    await page.locator('.days button:enabled').nth(1).click();
    await heading(/Which time\?/);
    const times = () => page.locator('.times button').allTextContents();
    const offered = await times();
    await lose();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.locator('.times button').last().click();
    await heading('Your details');
    await page.getByRole('button', { name: 'Back' }).click();
    await heading(/Which time\?/);
    expect(await times()).toEqual(offered);
    await lose();
    await page.reload();
    await heading(/Which time\?/);
    expect(await times()).toEqual(offered);
    await lose();
    await page.getByRole('button', { name: 'Try again' }).click();
    await fillInAndBook(page);
  });

  test.each([
    ['succeeds', false],
    ['is refused', true],
  ])(
    'If a booking request %s while the visitor reloads the page, the visitor need not enter any details again',
    async (_, isRefused) => {
      const { tenant, page, sessions } = await openShop();
      const held = page.waitForResponse(/\/slots\/holds/);
      await chooseTime(page);
      const { holdId } = (await (await held).json()) as { holdId: string };
      await fillIn(page);
      const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
      const lose = async (route: Route) => {
        if (!isRefused) await route.fetch({ maxRetries: 1 });
        sent();
      };
      await page.route('**/bookings', lose, { times: 1 });
      await book(page);
      await isSent;
      if (isRefused) {
        const headers = { Authorization: `Bearer ${sessions[0]?.token}` };
        await fetch(`${origin()}/v1/integration/slots/holds/${holdId}`, { method: 'DELETE', headers });
      }
      await page.reload();
      if (isRefused) {
        await page.getByRole('alert').waitFor();
        await page.locator('.times button').first().click();
        await page.getByRole('heading', { name: 'Your details' }).waitFor();
        await book(page);
      }
      await isBooked(page);
      expect(await bookingsOf(tenant)).toMatchObject([{ client: { name: 'Jane Doe' } }]);
    },
  );

  test('A visitor whose booking request got no response can go back without booking, or correct the email and book only once', async () => {
    const { tenant, page } = await openShop();
    await chooseTime(page);
    await fillIn(page);
    await page.context().setOffline(true);
    await book(page);
    await page.getByText('There is no connection.').waitFor();
    expect(await focused(page)).toBeDefined();
    const released = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: 'Back' }).click();
    await released;
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole('heading', { name: 'Which time?' }).waitFor();
    expect(await bookingsOf(tenant)).toEqual([]);

    await page.locator('.times button').last().click();
    await loseAnswers(page, '**/bookings');
    await book(page);
    await page.getByText('There is no connection.').waitFor();
    await page.getByLabel('Email').fill('john@example.com');
    await book(page);
    await isBooked(page);
    expect(await bookingsOf(tenant)).toHaveLength(1);

    const cancel = page.getByRole('button', { name: 'Cancel appointment' });
    await cancel.click();
    await loseAnswers(page, '**/cancel');
    await cancel.click();
    await page.getByRole('heading', { name: 'There is no connection.' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor();
  });

  test.each([
    ['books again', (page: Page) => book(page)],
    ['goes back', (page: Page) => page.getByRole('button', { name: 'Back' }).click()],
    ['reloads the page', (page: Page) => page.reload()],
  ])(
    'If the response to a booking is lost and the session token expires, a visitor who %s reads that the booking may exist',
    async (_, act) => {
      const { tenant, page, sessions } = await openShop();
      await chooseTime(page);
      await fillIn(page);
      await loseAnswers(page, '**/bookings');
      await book(page);
      await page.getByText('There is no connection.').waitFor();
      expect((await tenant.call('DELETE', `/sessions/${sessions[0]?.id}`)).status).toBe(204);
      await act(page);
      await page.getByText('It is not known whether your request arrived.').waitFor();
    },
  );

  test('If the chosen time is taken while the connection is lost, a visitor can book one of the remaining times', async () => {
    const { tenant, page } = await openShop();
    await haircut(page).click();
    await page.route('**/slots/holds', (route) => route.abort(), { times: 2 });
    const listed = page.waitForResponse(/\/slots\?/);
    await chooseFirstTime(page);
    const { startTime, serviceId, staffId } = ((await (await listed).json()) as { data: [Booking] }).data[0];
    await page.getByRole('heading', { name: 'There is no connection.' }).waitFor();
    const client = { name: 'Another client', email: 'another@example.com' };
    const taken = await tenant.call('POST', '/bookings', { startTime, serviceId, staffId, client });
    expect(taken.status).toBe(201);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /Which time/ }).waitFor();
    await page.getByText('This time has just been taken.').waitFor();
    await page.locator('.times button').first().click();
    await fillInAndBook(page);
    const all = await bookingsOf(tenant);
    expect(all).toHaveLength(2);
    expect(all.filter((one) => one.startTime === startTime && one.staffId === staffId)).toHaveLength(1);
  });

  test('If the chosen time is taken and the other times fail to load, a visitor can try to book the same time again', async () => {
    const { page } = await openShop();
    await chooseTime(page);
    await fillIn(page);
    await page.route('**/bookings', (route) => route.fulfill({ status: 409, json: { code: 'slot_unavailable' } }), {
      times: 1,
    });
    await page.route(/\/slots\?/, (route) => route.abort(), { times: 2 });
    await book(page);
    await page.getByText('This time has just been taken.').waitFor();
    await book(page);
    await isBooked(page);
  });

  test('The <booking-slots> element has no button “Back” beside an error of the first request, because there is no earlier screen', async () => {
    const tenant = await newTenant(local());
    const { page } = await open(await pageWith('', 'ELEMENT'), '/');
    await page.getByRole('heading', { name: 'Loading' }).waitFor();
    for (const token of [await tokenOf(tenant), await tokenOf(tenant)]) {
      await page.route('**/services?*', (route) => route.abort(), { times: 2 });
      await page.locator('booking-slots').evaluate((element, value) => element.setAttribute('token', value), token);
      await page.getByRole('heading', { name: 'There is no connection.' }).waitFor();
      expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Try again' }).click();
      await chooseTime(page);
      await page.getByLabel('Name').waitFor();
    }
  });

  test('A visitor whose session token was issued for another site sees an error without a button to try again', async () => {
    const { page } = await openShop('ELEMENT', () => ({ origin: 'https://another.example' }));
    await page.getByRole('heading', { name: 'This page is no longer valid.' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('If a request of the <booking-slots> element gets no response, the visitor can return to the previous screen', async () => {
    const shortTimeout = '{ const own = AbortSignal.timeout; AbortSignal.timeout = () => own(50) }';
    const { page } = await openShop();
    await haircut(page).waitFor();
    await page.evaluate(shortTimeout);
    await page.route('**/slots/days*', () => undefined);
    await haircut(page).click();
    await page.getByRole('heading', { name: 'There is no connection.' }).waitFor();
    const failed = await page.getByRole('heading').elementHandle();
    await page.getByRole('button', { name: 'Try again' }).click();
    await failed?.waitForElementState('hidden');
    await page.getByRole('button', { name: 'Back' }).click();
    await haircut(page).waitFor();
    expect(await haircut(page).isEnabled()).toBe(true);
    expect(await focused(page)).toBe('h2');
  });

  test('A visitor on a phone whose contact details are refused sees the reason above the field, and can book with other details', async () => {
    const tenant = await newTenant(local());
    await makeClass(local().admin, tenant, 6);
    const { page } = await open(await pageWith(await tokenOf(tenant), 'ELEMENT'), '/');
    const held = page.waitForResponse(/\/slots\/holds/);
    await chooseTime(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    const { segments, startTime } = (await (await held).json()) as Booking;
    const response = await fetch(`${origin()}/v1/integration/bookings`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await tokenOf(tenant)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        serviceId: segments[0]?.serviceId,
        startTime,
        client: { name: 'Jane Doe', email: 'jane@example.com' },
      }),
    });
    expect(response.status).toBe(201);
    await fillIn(page);
    await book(page);
    await page.getByText('With these contact details there are already other appointments.').waitFor();
    // The part of a phone that a keyboard leaves.
    await page.setViewportSize({ width: 320, height: 300 });
    const email = page.getByLabel('Email');
    await email.fill('not an address');
    await email.press('Enter');
    const problem = page.getByRole('alert').getByText('Something you entered is not valid.');
    await problem.waitFor();
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    const problemId = await page.getByRole('alert').getAttribute('id');
    expect(await email.getAttribute('aria-describedby')).toBe(`${problemId} either`);
    const [above, below] = await Promise.all([problem.boundingBox(), email.boundingBox()]);
    expect(above?.y).toBeGreaterThanOrEqual(0);
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(150);
    const focused = `document.querySelector('booking-slots').shadowRoot.activeElement.name`;
    expect(await page.evaluate(focused)).toBe('email');
    await email.fill('john@example.com');
    const name = page.getByLabel('Name');
    await name.fill('');
    await name.press('Enter');
    await expect.poll(() => name.getAttribute('aria-describedby')).toBe(problemId);
    expect(await email.getAttribute('aria-describedby')).toBe('either');
    await name.fill('John Doe');
    await book(page);
    await isBooked(page);
  });

  test('A visitor whose hold on a time no longer exists can still book the time, and a lost response causes no second booking', async () => {
    const tenant = await newTenant(local());
    await makeClass(local().admin, tenant, 6);
    const token = await tokenOf(tenant, { bookings: 2 });
    const holds =
      '<script>var holds = []; addEventListener("held", (event) => holds.push(event.detail.holdId))</script>';
    const { page } = await open(await pageWith(token, `${holds}ELEMENT`), '/');
    const held = page.waitForResponse(/\/slots\/holds/);
    await chooseTime(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    const { holdId, startTime } = (await (await held).json()) as Booking & { holdId: string };
    const headers = { Authorization: `Bearer ${token}` };
    const released = await fetch(`${origin()}/v1/integration/slots/holds/${holdId}`, { method: 'DELETE', headers });
    expect(released.status).toBe(204);
    await fillIn(page);
    // The first booking is refused. The next one is made, and both its response and that of the retry are lost.
    const refused = page.waitForResponse((response) => response.status() === 409);
    let made = 0;
    await page.route('**/bookings', async (route) => {
      const answer = await route.fetch({ maxRetries: 1 });
      if (answer.status() === 409 || made === 2) return route.fulfill({ response: answer });
      made += 1;
      return route.abort();
    });
    await book(page);
    await refused;
    await page.getByText('There is no connection.').waitFor();
    await page.getByLabel('Email').fill('john@example.com');
    await book(page);
    await isBooked(page);
    expect(await bookingsOf(tenant)).toMatchObject([{ startTime, client: { name: 'Jane Doe' } }]);
    // The page gets an event for the second hold, too.
    expect(await page.evaluate('holds')).toEqual([holdId, expect.not.stringMatching(holdId)]);
  });

  test('The contact form keeps its entries when a visitor reloads or chooses another time, but not after leaving the page', async () => {
    const { page } = await openShop('ELEMENT<a href="/">Home</a>');
    await chooseTime(page);
    await fillIn(page);
    await page.getByLabel('Comment').fill('Please ring twice.');
    const isFilledIn = async () => {
      await page.locator('.times button').nth(1).click();
      await page.getByRole('heading', { name: 'Your details' }).waitFor();
      expect(await page.getByLabel('Comment').inputValue()).toBe('Please ring twice.');
    };
    await page.getByRole('button', { name: 'Back' }).click();
    await isFilledIn();
    await page.reload();
    await isFilledIn();
    await page.getByRole('link').click();
    await chooseTime(page);
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    expect(await page.getByLabel('Comment').inputValue()).toBe('');
    await fillInAndBook(page);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('Jane');
  });

  test('After booking, a reload shows the appointment, and the visitor can book another one even if the session token expired', async () => {
    const { tenant, page } = await openShop();
    await chooseTime(page);
    await fillInAndBook(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
    await page.route('**/bookings/*', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized' } }));
    await page.reload();
    await haircut(page).click();
    await page.locator('.days button:enabled').nth(1).click();
    const time = page.getByRole('heading', { name: /Which time\?/ });
    await time.waitFor();
    const times = await page.locator('.times button').allTextContents();
    await page.reload();
    await time.waitFor();
    expect(await page.locator('.times button').allTextContents()).toEqual(times);
    await page.unroute('**/bookings/*');
    await page.locator('.times button').first().click();
    await fillIn(page);
    await page.getByLabel('Email').fill('max@example.com');
    await book(page);
    await isBooked(page);
    await page.reload();
    await page.getByRole('button', { name: 'Book another appointment' }).click();
    await chooseTime(page);
    await fillIn(page);
    await page.getByLabel('Email').fill('eva@example.com');
    await book(page);
    await isBooked(page);
    expect(await bookingsOf(tenant)).toHaveLength(3);
    await page.reload();
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor();
    const token = await tokenOf(tenant);
    await page.evaluate((token) => document.querySelector('booking-slots')?.setAttribute('token', token), token);
    await haircut(page).waitFor();
  });

  test('Two <booking-slots> elements in one page keep separate choices after a reload, and a removed one releases its time', async () => {
    const tenant = await newTenant(local());
    const [, ...others] = tenant.services;
    const draw = async () => {
      const other = shopPage(await tokenOf(tenant, { serviceIds: others.map(({ id }) => id) }), '<main>ELEMENT</main>');
      return shopPage(await tokenOf(tenant), 'ELEMENT') + other;
    };
    const { page } = await open(await servedPages({ '/element.js': elementFile, '/': draw }), '/');
    const second = page.locator('main booking-slots');
    await second.getByRole('button', { name: /Colour/ }).click();
    await second.locator('.days').waitFor();
    await haircut(page).click();
    await page.locator('.days').nth(1).waitFor();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/slots/days')) asked.push(searchParams.get('serviceId'));
    });
    await page.reload();
    await page.locator('.days').nth(1).waitFor();
    expect(asked.sort()).toEqual(tenant.services.slice(0, 2).map(({ id }) => String(id)));
    const chooseTimeIn = async (element: Locator) => {
      await element.locator('.days button:enabled').nth(1).click();
      await element.locator('.times button').first().click();
    };
    await chooseTimeIn(second);
    await second.getByLabel('Name').waitFor();
    const released = page.waitForRequest((request) => request.method() === 'DELETE');
    await second.evaluate((element) => element.remove());
    await released;
    const first = page.locator('booking-slots');
    await page.route('**/slots/holds', async (route) => {
      await first.evaluate((element) => element.remove());
      await route.continue();
    });
    const releasedEarly = page.waitForRequest((request) => request.method() === 'DELETE');
    await chooseTimeIn(first);
    await releasedEarly;
  });

  test('A visitor can choose today even when UTC is a day ahead, and can tell equal times apart when the clocks go back', async () => {
    const { page } = await openShop();
    // Their responses would contain the time of the server.
    for (const path of ['business', 'staff?*']) await page.route(`**/${path}`, (route) => route.abort());
    await page.reload();
    await haircut(page).waitFor();
    await page.clock.setFixedTime('2027-03-02T01:30:00Z');
    const requestSent = page.waitForRequest(/slots\/days/);
    await page.route('**/slots/days*', (route) => {
      const dates = ['2027-02-28', '2027-03-01', '2027-03-02', '2028-01-01'];
      const data = dates.map((date) => ({ date, count: 3 }));
      return route.fulfill({ json: { data, timeZone: 'America/Los_Angeles' } });
    });
    await haircut(page).click();
    expect((await requestSent).url()).toContain('from=2027-03-01&');
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    expect(await page.locator('.days button').allTextContents()).toEqual([
      'Mon, Mar 1',
      'Tue, Mar 2',
      'Sat, Jan 1, 2028',
    ]);
    await page.route(/\/slots\?/, (route) => {
      const starts = ['2027-11-07T01:30:00-07:00', '2027-11-07T01:30:00-08:00', '2027-11-07T02:30:00-08:00'];
      const data = starts.map((startTime) => ({ startTime, staffId: 7, serviceId: 1 }));
      return route.fulfill({ json: { data, timeZone: 'America/Los_Angeles' } });
    });
    await page.locator('.days button').first().click();
    await page.getByRole('heading', { name: 'Which time?' }).waitFor();
    expect((await page.locator('.times button').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      '1:30:00 AM PDT',
      '1:30:00 AM PST',
      '2:30 AM',
    ]);
    await page.clock.setFixedTime('2027-04-15T12:00:00Z');
    const sentLater = page.waitForRequest(/slots\/days/);
    await page.getByRole('button', { name: 'Back' }).click();
    expect((await sentLater).url()).toContain('from=2027-04-15&');
  });

  test("A visitor can browse from today to the last day that can be booked, even if the device's clock is wrong", async () => {
    const { tenant, page } = await openShop();
    const label = (days: number) => {
      const format = { weekday: 'short', day: 'numeric', month: 'short' } as const;
      const { timeZone } = tenant.business;
      return new Intl.DateTimeFormat('en', { ...format, timeZone }).format(Date.now() + days * 86_400_000);
    };
    const { maxAdvanceDays } = tenant.business.bookingRules;
    const before = [label(0), label(maxAdvanceDays)];
    await page.clock.setFixedTime(Date.now() + 86_400_000);
    await page.reload();
    await haircut(page).click();
    const first = () => page.locator('.days button').first().textContent();
    await page.getByRole('heading', { name: 'Which day?' }).waitFor();
    expect([before[0], label(0)]).toContain(await first());
    const earlier = page.getByRole('button', { name: 'Earlier days' });
    expect(await earlier.count()).toBe(0);
    const shown = await first();
    await page.getByRole('button', { name: 'Later days' }).click();
    await earlier.waitFor();
    expect(await first()).not.toBe(shown);
    await earlier.click();
    await earlier.waitFor({ state: 'detached' });
    expect(await first()).toBe(shown);
    const later = page.getByRole('button', { name: 'Later days' });
    for (let days = 28; days <= maxAdvanceDays; days += 28) {
      const old = await first();
      await later.click();
      await expect.poll(first).not.toBe(old);
    }
    expect(await later.count()).toBe(0);
    const last = String(await page.locator('.days button').last().textContent()).replace(/, \d{4}$/, '');
    expect([before[1], label(maxAdvanceDays)]).toContain(last);
  });

  test('If no day in four weeks is free, a visitor sees the dates of these weeks and can go on to later days', async () => {
    const { page } = await openShop();
    await haircut(page).waitFor();
    const full = async (route: Route) => {
      const answer = await route.fetch({ maxRetries: 1 });
      const days = (await answer.json()) as { data: readonly object[] };
      await route.fulfill({ json: { ...days, data: days.data.map((day) => ({ ...day, count: 0 })) } });
    };
    await page.route('**/slots/days*', full, { times: 1 });
    await haircut(page).click();
    const message = page.locator('section p', { hasText: 'There are no free times in these weeks.' });
    expect(await message.textContent()).toMatch(/\.[A-Z][a-z]+ \d+.*\s–\s.*\d, \d{4}$/);
    expect(await page.locator('.days').count()).toBe(0);
    await page.getByRole('button', { name: 'Later days' }).click();
    await page.locator('.days button:enabled').first().waitFor();
  });

  test('A visitor who tries to move an appointment that was cancelled in another tab sees that it is cancelled', async () => {
    const { tenant, page } = await openShop();
    await chooseTime(page);
    await fillInAndBook(page);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.locator('.days button:enabled').nth(2).click();
    const [booking] = await bookingsOf(tenant);
    expect((await tenant.call('POST', `/bookings/${booking?.id}/cancel`)).status).toBe(200);
    await page.locator('.times button').first().click();
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'This appointment has changed in the meantime.' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor();
  });

  test('A visitor can move an appointment to a time that overlaps its current time, but not to the current time', async () => {
    const { tenant, page } = await openShop('ELEMENT', firstStaff);
    await haircut(page).click();
    await page.locator('.days button:enabled').nth(1).click();
    const times = page.locator('.times button');
    await times.first().waitFor();
    const [offered, day] = [await times.allTextContents(), await page.getByRole('heading').textContent()];
    await times.first().click();
    await fillInAndBook(page);
    const [booked] = await bookingsOf(tenant);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.locator('.days button:enabled').nth(1).click();
    await page.getByRole('heading', { name: String(day) }).waitFor();
    expect(await times.allTextContents()).toEqual(offered);
    expect(await times.first().isDisabled()).toBe(true);
    await times.nth(1).click();
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    const [moved] = await bookingsOf(tenant);
    expect(moved?.startTime).not.toBe(booked?.startTime);
    expect(Date.parse(moved?.startTime ?? '')).toBeLessThan(Date.parse(booked?.endTime ?? ''));
  });

  test('If the response to a move is lost, a visitor can still move the appointment to another time and back', async () => {
    const { tenant, page } = await openShop('ELEMENT', firstStaff);
    await chooseTime(page);
    await fillInAndBook(page);
    const isMoved = () => page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    const move = () => page.getByRole('button', { name: 'Move' }).click();
    const days = page.locator('.days button:enabled');
    const times = page.locator('.times button');
    await move();
    await days.nth(2).click();
    await loseAnswers(page, '**/reschedule');
    await times.first().click();
    await move();
    await page.getByRole('heading', { name: 'There is no connection.' }).waitFor();
    const [lost] = await bookingsOf(tenant);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await times.last().click();
    await move();
    await isMoved();
    const [elsewhere] = await bookingsOf(tenant);
    expect(elsewhere?.startTime).not.toBe(lost?.startTime);
    await move();
    await days.nth(2).click();
    await times.first().click();
    await move();
    await isMoved();
    expect((await bookingsOf(tenant))[0]?.startTime).toBe(lost?.startTime);
  });

  test('After a business changed its time zone, a visitor who moves an appointment sees the time zones of the old and the new time', async () => {
    const { tenant, page } = await openShop('ELEMENT', firstStaff);
    await haircut(page).click();
    const times = page.locator('.times button');
    const day = page.locator('.days button:enabled').nth(1);
    const date = String(await day.textContent());
    await day.click();
    await times.nth(8).click();
    await fillInAndBook(page);
    const [booked] = await bookingsOf(tenant);
    const owner = ownerWith(local(), String(await local().run.owners?.token(tenant.business.id)));
    await owner.done('PATCH', '/business', { timeZone: 'Europe/Berlin', keepInstants: true });
    await page.getByRole('button', { name: 'Move' }).click();
    // Berlin is an hour behind Riga, so today may have free times again.
    await page.getByRole('button', { name: date, exact: true }).click();
    await page.getByRole('heading', { name: /Which time\?/ }).waitFor();
    const clock = (one: Booking | undefined, timeZone: string) =>
      new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(
        Date.parse(String(one?.startTime)),
      );
    const texts = () => page.locator('section p').allTextContents();
    const old = expect.stringContaining(clock(booked, 'Europe/Riga'));
    expect(await texts()).toEqual([old]);
    expect(await page.locator('.times button:disabled').count()).toBe(1);
    await times.last().click();
    await page.getByRole('heading', { name: 'Move this appointment?' }).waitFor();
    const question = await texts();
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    const [moved] = await bookingsOf(tenant);
    expect(question).toEqual([old, expect.stringContaining(clock(moved, 'Europe/Berlin'))]);
  });

  test('If the service of an appointment was deleted, a visitor cannot move it, and the page asks to contact the business', async () => {
    const { tenant, page } = await openShop();
    await chooseTime(page);
    await fillInAndBook(page);
    const { run } = local();
    const headers = { Authorization: `Bearer ${await run.owners?.token(tenant.business.id)}` };
    const service = `${origin()}/v1/account/services/${tenant.services[0]?.id}`;
    expect((await fetch(service, { method: 'DELETE', headers })).status).toBe(204);
    await page.getByRole('button', { name: 'Move' }).click();
    await page
      .getByRole('heading', { name: 'This appointment cannot be moved here. Please contact the business.' })
      .waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Back']);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor();
  });

  test('The <booking-slots> element offers all bookable services of a long list and no others, and shows if there are none', async () => {
    const { page } = await openShop();
    await haircut(page).waitFor();
    const first = Array.from({ length: 98 }, (_, i) => service(i + 1, `Service ${i + 1}`));
    const closed = [service(99, 'Not active', { active: false }), service(100, 'Without staff', { staffIds: [] })];
    const last = { price: { amount: 0, currency: 'EUR' }, description: 'With a wash.' };
    const pages = [[...first, ...closed], [service(101, 'The last one', last)]];
    await page.route('**/services?*', (route) => {
      const data = pages[Number(new URL(route.request().url()).searchParams.get('page')) - 1];
      return route.fulfill({ json: { data, total: 101 } });
    });
    await page.locator('booking-slots').evaluate((element) => element.setAttribute('token', 'another'));
    await page.getByRole('button', { name: /The last one/ }).waitFor();
    const several = await page.getByRole('button', { name: 'Book several services' }).boundingBox();
    expect(several?.y, 'without scrolling').toBeLessThan(860);
    const texts = await page.locator('li button').allTextContents();
    // A price of 0 is not shown.
    expect([texts[0], texts.at(-1)]).toEqual(['Service 130 min · €1.00', 'The last one30 minWith a wash.']);
    const names = texts.map((text) => text.split('30 min')[0]);
    expect(names).toEqual([...first.map(({ name }) => name), 'The last one']);
    await page.unroute('**/services?*');
    await page.route('**/services?*', (route) => route.fulfill({ json: { data: closed, total: closed.length } }));
    await page.locator('booking-slots').evaluate((element) => element.setAttribute('token', 'a third'));
    await page.getByRole('heading', { name: 'There is no service that can be booked online.' }).waitFor();
  });

  test('A visitor sees that the business has not yet confirmed an appointment, and can save and print the appointment', async () => {
    const { tenant, page } = await openShop();
    const { body } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
    const { token } = await sessionOf(tenant, { kind: 'booking', bookingId: body.id });
    const longName = 'Haarschnitt für langes, mittellanges und kurzes Haar mit Kopfmassage und Föhnen';
    await page.route(`**/bookings/${body.id}`, async (route) => {
      const answer = await route.fetch({ maxRetries: 1 });
      const booking = (await answer.json()) as Booking;
      const segments = booking.segments.map((segment) => ({ ...segment, serviceName: longName }));
      await route.fulfill({ response: answer, json: { ...booking, segments, status: 'pending' } });
    });
    await page.locator('booking-slots').evaluate(
      (element, [given = '', id = '']) => {
        element.setAttribute('token', given);
        element.setAttribute('booking', id);
      },
      [token, String(body.id)],
    );
    await page.getByRole('heading', { name: 'Your request was sent. The business will confirm it.' }).waitFor();
    const link = page.getByRole('link', { name: 'Add to calendar' });
    await expect.poll(() => link.getAttribute('href')).toContain('LOCATION');
    const href = await link.getAttribute('href');
    const file = decodeURIComponent(href ?? '');
    const unfolded = file.replaceAll('\r\n ', '');
    expect(unfolded).toContain(longName.replace(',', '\\,'));
    const { name, address } = tenant.business;
    expect(unfolded).toContain(`\r\nLOCATION:${`${name}, ${address}`.replaceAll(',', '\\,')}\r\n`);
    // RFC 5545 limits a line to 75 bytes.
    expect(file.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: null });
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('heading', { name: 'Your request was sent. The business will confirm it.' }).waitFor();
  });
});
