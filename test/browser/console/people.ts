/** Clients, payments and reviews. */
import { readFileSync } from 'node:fs';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  breakCall,
  expectAccessible,
  expectAccessibleInAllThemes,
  loseAnswer,
  type Owner,
  screens,
  search,
  visit,
} from '../../support/console.ts';

interface Client {
  readonly id: number;
  readonly name: string;
  readonly phone: string | null;
  readonly erasedAt: string | null;
}

interface Payment {
  readonly refundedAmount: number;
  readonly refunds: readonly { readonly amount: number; readonly reason: string | null }[];
}

const visits = [
  [5, 'The best haircut in Riga.'],
  [3, 'Good, but I had to wait for twenty minutes.'],
] as const;

// The host has no hyphen at which a line could break.
const [mailbox, host] = ['a.rather.long-address', '@mail.longcompanyname.example'];

/** Books the first slot that the API lists from tomorrow on, because earlier bookings have taken theirs. */
async function bookFirstSlot({ tenant, call }: Owner, client: object) {
  const serviceId = tenant.services[0]?.id;
  const [from, to] = [1, 7].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  const query = `serviceId=${serviceId}&from=${from}&to=${to}`;
  const slots = await tenant.call<{ data: { startTime: string }[] }>('GET', `/slots?${query}`);
  const startTime = slots.body.data[0]?.startTime;
  return call<{ id: number; clientId: number }>('POST', '/bookings', { serviceId, startTime, client });
}

/** A client with a long email address, a future booking and a payment for it, and two reviews by another client. */
async function visited(owner: Owner) {
  const { call } = owner;
  const names = ['Ilze Kalniņa', 'Jānis Ozols', 'Līga Krūmiņa', 'Mārtiņš Bērzs', 'Agnese Vītola'];
  for (const [at, name] of names.entries()) {
    const email = at === 0 ? mailbox + host : `client-${at}@example.com`;
    await call('POST', '/clients', { name, phone: `+371 2000 000${at}`, email });
  }
  const book = (client: object) => bookFirstSlot(owner, client);
  const booked = await book({ name: 'Ilze Kalniņa', email: mailbox + host });
  await call('POST', '/payments', { amount: 4_500, method: 'card', bookingId: booked.id });
  const cash = { amount: 9_800, method: 'cash', clientId: booked.clientId, receivedAt: '2026-03-01T22:30:00Z' };
  const { id: paymentId } = await call<{ id: number }>('POST', '/payments', cash);
  const client = { name: 'Līga Krūmiņa', email: 'client-2@example.com' };
  for (const [at, [rating, text]] of visits.entries()) {
    const { id } = await book(client);
    await call('POST', `/bookings/${id}/complete`);
    const { id: reviewId } = await call<{ id: number }>('POST', '/reviews', { bookingId: id, rating, text });
    if (at === 0) await call('POST', `/reviews/${reviewId}/reply`, { text: 'Thank you, see you soon!' });
  }
  return { ...booked, paymentId };
}

/** Holds the next request with this method until the returned function is called, and then fails it with this code. */
async function hold(page: Page, method: string, pattern: string, code: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(pattern, async (route) => {
    if (isHeld || route.request().method() !== method) return route.fallback();
    isHeld = true;
    await held.promise;
    await route.fulfill({ status: 503, json: { code, message: 'Try again later.' } });
  });
  return held.resolve;
}

/** The text as the page breaks it into lines, with a space between them. */
const linesOf = (cell: Locator) =>
  cell.evaluate((element) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const lines = new Map<number, string>();
    while (texts.nextNode()) {
      for (let at = 0; at < (texts.currentNode.nodeValue ?? '').length; at += 1) {
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + 1);
        const { top } = range.getBoundingClientRect();
        lines.set(top, `${lines.get(top) ?? ''}${range}`);
      }
    }
    return [...lines.values()].join(' ');
  });

export const people = screens('clients, payments and reviews', ({ openAs, openAsOwner, system }) => {
  test('A CSV download of clients, payments or bookings contains every page of the list, even if a page failed at first', async () => {
    const owner = await system().owner();
    await visited(owner);
    const gone = await bookFirstSlot(owner, { name: 'Rita Kalve', email: 'rita@example.com' });
    await owner.call('POST', `/bookings/${gone.id}/cancel`);
    const { page, errors } = await openAs(owner, '/clients');
    // With pages of two, the file continues after the end of a page.
    const failures = [
      { status: 429, json: { code: 'rate_limit_exceeded', retryAfter: 0 } },
      { status: 503, json: { code: 'temporarily_unavailable', retryAfter: 0 } },
    ];
    await page.route('**/v1/account/*limit=100*', (route) => {
      const url = route.request().url().replace('limit=100', 'limit=2');
      const failure = url.includes('cursor=') && failures.shift();
      return failure ? route.fulfill(failure) : route.continue({ url });
    });
    const names: string[] = [];
    const csv = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download CSV' }).click(),
      ]);
      names.push(download.suggestedFilename());
      return readFileSync(await download.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
    };

    const [header, ...rows] = await csv();
    expect(header).toBe('\uFEFFid,name,phone,email,createdAt,erasedAt');
    expect(rows.map((row) => row.split(',')[1]).sort()).toEqual(
      ['Agnese Vītola', 'Ilze Kalniņa', 'Jānis Ozols', 'Līga Krūmiņa', 'Mārtiņš Bērzs', 'Rita Kalve'].sort(),
    );
    await visit(page, '/payments');
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    const [fields, ...paid] = await csv();
    expect(fields).toMatch(/id,receivedAt,clientId,client,bookingId,bookingStart,method,/);
    // A spring night in Riga is still the day before in UTC.
    expect(paid.filter((row) => row.includes(',2026-03-02T00:30:00+02:00,')).length).toBe(1);
    expect(
      paid.filter((row) => /,Ilze Kalniņa,\d+,\d{4}-\d\d-\d\dT\d\d:\d\d:00\+0[23]:00,card,/.test(row)).length,
    ).toBe(1);
    const payments = paid.map((row) => row.split(',').slice(-3));
    expect(payments.sort()).toEqual([
      ['45.00', '0.00', 'EUR'],
      ['98.00', '0.00', 'EUR'],
    ]);
    await visit(page, '/bookings');
    await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor();
    const upcoming = (await csv()).join('\n');
    expect(upcoming).toContain('Ilze Kalniņa');
    // The list does not show cancelled bookings either.
    expect(upcoming).not.toContain('Rita Kalve');
    expect(names).toEqual(['clients.csv', 'payments.csv', 'bookings-upcoming.csv']);
    expect(errors.filter((error) => !/429|503/.test(error))).toEqual([]);
  });

  test('An owner finds, edits and erases a client; while a change is sent, its form stays open, and shows if the change failed', async () => {
    const owner = await system().owner();
    const { clientId, id: bookingId } = await visited(owner);
    const { page, errors } = await openAs(owner, '/clients');

    await page.getByRole('searchbox', { name: 'Search' }).fill('kaln');
    await page.waitForURL('**/clients?search=kaln');
    await page.getByRole('row', { name: /Jānis Ozols/ }).waitFor({ state: 'detached' });
    await page.reload();
    // In a large business, the first thousand bookings contain none of this client.
    await page.route('**/v1/account/bookings?*', (route) => {
      const url = new URL(route.request().url());
      if (!url.searchParams.has('cursor')) return route.fulfill({ json: { data: [], nextCursor: 'further' } });
      url.searchParams.delete('cursor');
      return route.continue({ url: url.href });
    });
    await page.getByRole('link', { name: 'Ilze Kalniņa' }).click();
    await page
      .getByRole('region', { name: 'Upcoming' })
      .getByRole('row', { name: /Haircut.*Confirmed/ })
      .waitFor();

    await page.getByRole('region', { name: 'Upcoming' }).getByRole('link').click();
    await page.getByRole('dialog', { name: 'Ilze Kalniņa' }).getByRole('button', { name: 'Move' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit client' });
    await form.getByRole('textbox', { name: 'Phone' }).fill('2000 0001');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter the number with its country code, such as +371 2000 0000').waitFor();
    // The console leaves this to the API.
    const email = form.getByRole('textbox', { name: 'Email' });
    const known = await email.inputValue();
    await email.fill('not an email');
    await form.getByRole('textbox', { name: 'Phone' }).fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Must /).waitFor();
    await email.fill(known);
    await form.getByRole('textbox', { name: 'Phone' }).fill('+371 2000 0001');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('This client already exists', { exact: true }).waitFor();
    await form.getByRole('link', { name: 'Open the client with these contact details' }).waitFor();
    await form.getByRole('textbox', { name: 'Phone' }).fill('+371 2000 0099');
    const failSave = await hold(page, 'PATCH', `**/v1/account/clients/${clientId}`, 'internal_error');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByLabel('Close').click();
    await page.getByText('This is still being sent').waitFor();
    failSave();
    await form.getByText('Something went wrong on our side').waitFor();
    // The page shows two spaces as one.
    await form.getByRole('textbox', { name: 'Name' }).fill('Ilze  Kalniņa');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: '+371 2000 0099' }).waitFor();

    const bookings = Promise.withResolvers<void>();
    await page.route('**/v1/account/bookings?*', async (route) => {
      await bookings.promise;
      await route.fallback();
    });
    await page.getByRole('button', { name: 'Erase' }).click();
    const erase = page.getByRole('dialog', { name: 'Erase this client permanently?' });
    const verb = erase.getByRole('button', { name: 'Erase permanently' });
    await erase.getByRole('textbox').fill('Ilze Kalniņa');
    expect(await verb.isDisabled()).toBe(true);
    bookings.resolve();
    await erase.getByText('1 upcoming booking').waitFor();
    await erase.getByRole('textbox').fill('Ilze');
    expect(await verb.isDisabled()).toBe(true);
    await erase.getByText(/Haircut/).waitFor();
    expect(await erase.getByRole('checkbox', { name: 'Cancel upcoming bookings, too' }).isChecked()).toBe(true);
    await expectAccessible(page, 'client-erase');
    await erase.getByRole('textbox').fill('Ilze Kalniņa');
    const failErasure = await hold(page, 'POST', '**/erase', 'temporarily_unavailable');
    await verb.click();
    await erase.getByRole('button', { name: 'Cancel' }).click();
    failErasure();
    await erase.getByText('The service is busy').waitFor();
    await verb.click();
    await page.getByRole('heading', { level: 1, name: 'Erased client' }).waitFor();
    const erased = await owner.call<Client>('GET', `/clients/${clientId}`);
    expect(erased).toMatchObject({ name: '', phone: null, erasedAt: expect.any(String) });
    expect(await owner.call('GET', `/bookings/${bookingId}`)).toMatchObject({ status: 'cancelled' });
    expect(errors.filter((error) => !/40[09]|503/.test(error))).toEqual([]);
  });

  test('With the keyboard, an owner finds and opens clients, bookings and screens in one search field, which shows if a search fails', async () => {
    const owner = await system().owner();
    const { clientId, id } = await visited(owner);
    const { page, errors } = await openAs(owner, '/webhooks');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    const found = page.getByRole('dialog', { name: 'Search' });
    await search(page, 'ilze');
    await found.getByRole('option', { name: /^Ilze Kalniņa.*\+371/ }).waitFor();
    await found.getByRole('option', { name: /Ilze Kalniņa · Haircut.*Booking/ }).waitFor();
    await expectAccessibleInAllThemes(page, 'search');
    // Windows high contrast removes most backgrounds.
    await page.emulateMedia({ forcedColors: 'active' });
    const backgrounds = await found
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => getComputedStyle(option).backgroundColor));
    expect(new Set(backgrounds).size).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/clients/${clientId}`);
    await search(page, `#${id}`);
    await found.getByRole('option', { name: /Ilze Kalniņa · Haircut/ }).waitFor();
    await page.keyboard.press('Enter');
    const opened = page.getByRole('dialog', { name: 'Ilze Kalniņa' });
    await opened.getByRole('link', { name: 'Messages about' }).waitFor();
    const payments = opened.getByRole('link', { name: 'Show payments' });
    expect(await payments.getAttribute('href')).toBe(`/payments?client=${clientId}&booking=${id}`);
    const [dot, surface] = await opened
      .getByText('Confirmed')
      .locator('..')
      .evaluate((badge) => ['::before', null].map((part) => getComputedStyle(badge, part).backgroundColor));
    expect(dot).not.toBe(surface);
    await page.keyboard.press('Escape');
    await search(page, 'setti');
    await found.getByRole('option', { name: /Settings/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await search(page, 'nobody of this name');
    await found.getByText('Nothing found.').waitFor();
    expect(errors).toEqual([]);
    await breakCall(page, '**/v1/account/clients?*', 429, { code: 'rate_limit_exceeded' });
    await found.getByRole('combobox').fill('another client');
    await found.getByText('Too many requests. Wait a moment and try again').waitFor();
    expect(await found.getByText('Nothing found.').count()).toBe(0);
  });

  test('If responses are lost and an owner saves again, a payment is recorded only once', async () => {
    const { owner, page } = await openAsOwner('/payments');
    const form = page.getByRole('dialog', { name: 'Record a payment' });
    await page.getByRole('button', { name: 'Record payment' }).first().click();
    await form.getByRole('textbox', { name: 'Amount' }).fill('12');
    await form.getByLabel('Method').fill('Cash');
    const json = { message: 'Try again.' };
    const answers = {
      connection_failed: async (route: Route) => {
        await route.fetch({ maxRetries: 1 });
        await route.abort();
      },
      idempotency_in_progress: { status: 409, json: { ...json, code: 'idempotency_in_progress' } },
      unexpected_answer: { status: 201, contentType: 'application/json', body: '{"id":' },
      rate_limit_exceeded: { status: 429, json: { ...json, code: 'rate_limit_exceeded' } },
    };
    const payments = '**/v1/account/payments';
    for (const [code, answer] of Object.entries(answers)) {
      await page.route(payments, typeof answer === 'function' ? answer : (route) => route.fulfill(answer));
      await form.getByRole('button', { name: 'Record payment' }).click();
      await form.getByRole('alert').getByText(code).waitFor();
      await page.unroute(payments);
    }
    await form.getByRole('button', { name: 'Record payment' }).click();
    await page.getByText('Payment of €12.00 recorded').waitFor();
    expect((await owner.call<{ data: object[] }>('GET', '/payments')).data.length).toBe(1);
  });

  test('An owner filters payments by day, client and booking, and refunds a payment in parts, even if a response is lost', async () => {
    const owner = await system().owner();
    const { id: bookingId, clientId, paymentId } = await visited(owner);
    // 1 March 22:30 UTC is 2 March in Riga.
    const path = `/payments?client=${clientId}&from=2026-03-02&to=2026-03-02`;
    const { page, errors } = await openAs(owner, path);
    const rows = page.getByRole('table').getByRole('row');

    await page.getByRole('row', { name: /Ilze Kalniņa.*Cash.*Paid.*€98.00/ }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row', { name: /€45.00/ }).waitFor();
    await page.getByText('€143.00').first().waitFor();
    const number = page.getByRole('textbox', { name: 'Booking number' });
    await number.fill(`#${bookingId}`);
    await number.press('Enter');
    await page.getByText('€143.00').first().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /€45.00/ }).waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    // A payment that is recorded here belongs to the booking.
    await page.getByRole('button', { name: 'Record payment' }).click();
    const record = page.getByRole('dialog', { name: 'Record a payment' });
    await record.getByText('Ilze Kalniņa').waitFor();
    await record.getByRole('textbox', { name: 'Amount' }).fill('1');
    await record.getByLabel('Method').fill('cash');
    await record.getByRole('button', { name: 'Record payment' }).click();
    await rows.filter({ hasText: '€1.00' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('€144.00').first().waitFor();

    await page.getByRole('link', { name: /2 Mar 2026/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Payment of €98.00' });
    await drawer.getByRole('button', { name: 'Record refund' }).click();
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('0');
    await drawer.getByRole('button', { name: 'Record refund of €0.00' }).click();
    await drawer.getByText('Enter an amount above zero').waitFor();
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('98.01');
    await drawer.getByRole('button', { name: 'Record refund of €98.01' }).click();
    await drawer.getByText('The refund is larger than the remaining amount', { exact: true }).waitFor();
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('8,50');
    await drawer.getByRole('textbox', { name: 'Reason' }).fill('Waited too long');
    // The response to the refund is shown before the payment is reloaded, which never ends here.
    const reload = /\/v1\/account\/payments\/\d+$/;
    await page.route(reload, () => undefined);
    await drawer.getByRole('button', { name: 'Record refund of €8.50' }).click();
    await drawer.getByText('€8.50 · Waited too long').waitFor();
    await drawer.getByText('Partly refunded').waitFor();
    await page.unroute(reload);
    await drawer.getByRole('button', { name: 'Record refund' }).click();
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('9.50');
    await loseAnswer(page, 'POST', '**/refunds');
    await drawer.getByRole('button', { name: 'Record refund of €9.50' }).click();
    await drawer.getByText('€9.50', { exact: true }).waitFor();
    await drawer.getByText('No connection to the server').waitFor();
    await drawer.getByRole('button', { name: 'Record refund of €9.50' }).click();
    await drawer.getByRole('button', { name: 'Record refund' }).click();
    await drawer.getByRole('button', { name: 'Record refund of €80.00' }).click();
    await drawer.getByText('Refunded', { exact: true }).waitFor();
    await expect.poll(() => drawer.evaluate((open) => open.contains(document.activeElement))).toBe(true);
    const { refundedAmount, refunds } = await owner.call<Payment>('GET', `/payments/${paymentId}`);
    expect([refundedAmount, refunds.length]).toEqual([9_800, 3]);
    expect(errors.filter((error) => !error.includes('409') && !error.includes('ERR_FAILED'))).toEqual([]);
  });

  test('The overview of the console counts unconfirmed bookings, and links to a list in which an owner confirms them', async () => {
    const owner = await system().owner();
    await visited(owner);
    await owner.call('PATCH', '/business', { bookingRules: { confirmation: 'manual' } });
    await bookFirstSlot(owner, { name: 'Jane Doe', email: 'jane@example.com' });
    const { page } = await openAs(owner, '/payments');
    const starts = new Set<string | null>();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/bookings') && searchParams.get('status') === 'pending')
        starts.add(searchParams.get('from'));
    });
    // Among many bookings of other statuses, the first page ends without an unconfirmed one. The second page fails once.
    let fails = true;
    await page.route(/status=pending/, (route) => {
      const later = route.request().url().replace('&cursor=later', '');
      const isFirst = later === route.request().url();
      if (isFirst) return route.fulfill({ json: { data: [], nextCursor: 'later' } });
      return fails ? route.fulfill({ status: 404, json: {} }) : route.continue({ url: later });
    });
    await visit(page, '/');
    const tasks = page.getByRole('region', { name: 'To do' });
    await tasks.getByRole('alert').waitFor();
    expect(await tasks.getByText('You are all caught up.').count()).toBe(0);
    fails = false;
    await tasks.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1 booking is waiting for your confirmation.').waitFor();
    await page.unroute(/status=pending/);
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.waitForURL('**/bookings?show=pending');
    await page
      .getByRole('row', { name: /Jane Doe.*Pending/ })
      .getByRole('link')
      .click();
    const drawer = page.getByRole('dialog', { name: 'Jane Doe' });
    await drawer.getByRole('button', { name: 'Confirm' }).click();
    await drawer.getByText('Confirmed').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No bookings are waiting for confirmation').waitFor();
    // The past ends when its list is chosen, in a tab that may have been open for days.
    const chosen = Date.now();
    const asked = page.waitForRequest(/account\/bookings\?.*to=/);
    await page.getByText('Past', { exact: true }).click();
    const end = new URL((await asked).url()).searchParams.get('to');
    expect(Date.parse(`${end}`)).toBeGreaterThanOrEqual(chosen);
    await page.getByText('No bookings in the last 90 days').waitFor();
    await page.getByText('Upcoming', { exact: true }).click();
    await page.getByRole('row', { name: /Jane Doe.*Confirmed/ }).waitFor();
    await expectAccessibleInAllThemes(page, 'bookings');
    const cancelled = await bookFirstSlot(owner, { name: 'Max Power', email: 'max@example.com' });
    await owner.call('POST', `/bookings/${cancelled.id}/cancel`, {});
    await page.getByText('Cancelled', { exact: true }).click();
    await page.getByRole('row', { name: /Max Power.*Cancelled/ }).waitFor();
    await page.getByText('Upcoming', { exact: true }).click();
    await page.getByRole('row', { name: /Jane Doe.*Confirmed/ }).waitFor();
    expect(await page.getByRole('row', { name: /Max Power/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'Reply' }).click();
    await page.waitForURL('**/reviews?open=true');
    expect(starts.size).toBe(1);
    expect(Number.isNaN(Date.parse([...starts][0] ?? ''))).toBe(false);
  });

  test('An owner can reply to a review, but not to the review of an erased client', async () => {
    const owner = await system().owner();
    const { id, clientId } = await visited(owner);
    await owner.call('POST', `/bookings/${id}/complete`);
    await owner.call('POST', '/reviews', { bookingId: id, rating: 4 });
    await owner.call('POST', `/clients/${clientId}/erase`, {});
    await owner.call('PATCH', `/services/${owner.tenant.services[0]?.id}`, { name: 'قص الشعر' });
    for (const member of owner.tenant.staff) await owner.call('PATCH', `/staff/${member.id}`, { name: 'محمد' });
    // Until the erasure has reached the review, it can still get a reply.
    const authors = async () =>
      (await owner.call<{ data: { authorName: string }[] }>('GET', '/reviews')).data.map(
        ({ authorName }) => authorName,
      );
    await expect.poll(authors).toContain('');
    const { page, errors } = await openAs(owner, '/reviews');
    await page.getByText('3 reviews').waitFor();
    await page.getByText('The best haircut in Riga.').waitFor();
    await page.getByText('Without reply').click();
    await page.getByText('The best haircut in Riga.').waitFor({ state: 'detached' });
    await page.reload();
    // The line of the visit is loaded later, and moves the buttons below it.
    const review = page.getByRole('article', { name: 'Līga K.' });
    await review.getByText('\u2068قص الشعر\u2069 with \u2068محمد\u2069').selectText();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('ControlOrMeta+c');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied, 'Arabic names, copied without invisible characters').toBe('قص الشعر with محمد');
    await page.getByRole('button', { name: 'Reply to Līga K.' }).click();
    const reply = page.getByRole('textbox', { name: 'Reply to Līga K.' });
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByText('Must not be empty.').waitFor();
    const thanks = 'شكرا!';
    await reply.fill(thanks);
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByText('All reviews have a reply').waitFor();
    await page.getByText('All', { exact: true }).click();
    const direction = await page.getByText(thanks).evaluate((text) => getComputedStyle(text).direction);
    expect(direction, 'The reply is read from right to left').toBe('rtl');
    const ofErased = page.getByRole('article', { name: 'Erased client' });
    await ofErased.waitFor();
    expect(await ofErased.getByRole('button').count()).toBe(0);
    await ofErased.getByRole('link', { name: /with/ }).click();
    await page.getByRole('dialog').getByText('Completed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('region', { name: 'To do' }).waitFor();
    expect(await page.getByRole('link', { name: 'Reply' }).count()).toBe(0);
    const { data } = await owner.call<{ data: { reply: string | null }[] }>('GET', '/reviews');
    expect(data.map(({ reply }) => reply)).toContain(thanks);
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('With reduced motion, placeholders of a loading list do not move, and an empty list shows a message', async () => {
    // The tests ask for reduced motion.
    const { page } = await openAsOwner('/webhooks');
    const loaded = Promise.withResolvers<void>();
    await page.route('**/v1/account/clients?*', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await visit(page, '/clients');
    await page.locator('[aria-busy] .mantine-Skeleton-root').first().waitFor();
    const moving = 'document.getAnimations().filter(({ effect }) => effect.target.closest("[aria-busy]")).length';
    expect(await page.evaluate(moving)).toBe(0);
    loaded.resolve();
    await page.getByText('No clients yet').waitFor();
    await expectAccessible(page, 'clients-empty');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('No payments yet').waitFor();
    await page.getByRole('link', { name: 'Reviews', exact: true }).click();
    await page.getByText('No reviews yet').waitFor();
  });

  test('Each list of past bookings shows the newest hundred, and the button “Show more” adds a hundred older bookings', async () => {
    const owner = await system().owner();
    const { id, clientId } = await bookFirstSlot(owner, { name: 'Jane Doe', email: 'jane@example.com' });
    const booking = await owner.call<object>('GET', `/bookings/${id}`);
    const past = Array.from({ length: 250 }, (_, at) => ({
      ...booking,
      id: at + 1,
      client: { name: `Client ${at + 1}` },
      startTime: new Date(Date.now() - (250 - at) * 3_600_000).toISOString(),
    }));
    const { page } = await openAs(owner, '/services');
    let requests = 0;
    await page.route(/\/account\/bookings\?.*to=/, (route) => {
      requests += 1;
      const { cursor, from = '', to = '' } = Object.fromEntries(new URL(route.request().url()).searchParams);
      const all = past.filter(({ startTime }) => startTime >= from && startTime < to);
      const [start, end] = [Number(cursor ?? 0), Number(cursor ?? 0) + 100];
      const nextCursor = end < all.length ? String(end) : null;
      return route.fulfill({ json: { data: all.slice(start, end), nextCursor } });
    });
    await visit(page, '/bookings?show=past');
    const rows = page.getByRole('row');
    await rows.nth(1).getByRole('cell', { name: 'Client 250', exact: true }).waitFor();
    await rows.nth(100).getByRole('cell', { name: 'Client 151', exact: true }).waitFor();
    expect(await rows.count()).toBe(1 + 100);
    // The pages of the last two days and of the six days before, which are enough.
    expect(requests).toBe(3);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await rows.nth(200).getByRole('cell', { name: 'Client 51', exact: true }).waitFor();
    expect(await rows.count()).toBe(1 + 200);
    await more.click();
    await rows.nth(250).getByRole('cell', { name: 'Client 1', exact: true }).waitFor();
    await more.waitFor({ state: 'detached' });
    await page.getByText('Cancelled', { exact: true }).click();
    await expect.poll(() => rows.count()).toBe(1 + 100);
    // The list of a client shows no page before a period is complete, so that nothing moves.
    await visit(page, `/clients/${clientId}`);
    const ofClient = page.getByRole('region', { name: 'Past bookings' }).getByRole('link');
    await ofClient.nth(99).waitFor();
    expect(await ofClient.first().getAttribute('href')).toContain('booking=250');
    expect(await ofClient.count()).toBe(100);
  });

  test('The lists of payments and deliveries show current client names, and request twenty clients at a time', async () => {
    const owner = await system().owner();
    const booked = await bookFirstSlot(owner, { name: 'Anna Liepa', email: 'anna@example.com' });
    const body = { amount: 4_500, method: 'card', bookingId: booked.id };
    const payment = await owner.call<object>('POST', '/payments', body);
    await owner.call('PATCH', `/clients/${booked.clientId}`, { name: 'Anna Ozola' });
    const { page } = await openAs(owner, '/payments');
    await page.getByRole('cell', { name: 'Anna Ozola' }).waitFor();
    const ids = Array.from({ length: 120 }, (_, at) => at + 1);
    await page.route(/account\/payments\?/, (route) => {
      const data = ids.map((id) => ({ ...payment, id, clientId: id }));
      return route.fulfill({ json: { data, nextCursor: null } });
    });
    const requests: string[][] = [];
    await page.route(/account\/clients/, (route) => {
      const some = new URL(route.request().url()).searchParams.get('ids')?.split(',') ?? [];
      requests.push(some);
      return route.fulfill({ json: { data: some.map((id) => ({ id: Number(id), name: `Client ${id}` })) } });
    });
    await visit(page, '/payments?from=2026-01-01');
    await page.getByRole('cell', { name: 'Client 120' }).waitFor();
    expect(requests.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20, 20]);
    await page.route(/account\/deliveries\?/, (route) => {
      const sent = { event: 'client.created', bookingId: null, attemptNumber: 1, deliveryStatus: 'success' };
      const data = ids.slice(0, 25).map((id) => ({ ...payment, ...sent, deliveryId: `dlv_${id}`, clientId: id + 200 }));
      return route.fulfill({ json: { data, nextCursor: null } });
    });
    await visit(page, '/deliveries');
    await page.getByRole('row', { name: /Client 225/ }).waitFor();
    expect(requests.slice(6).map(({ length }) => length)).toEqual([20, 5]);
  });

  test('Clients, payments and reviews are accessible in light mode, in dark mode and on a phone, even with very long texts', async () => {
    const owner = await system().owner();
    const { id, clientId, paymentId } = await visited(owner);
    await owner.call('POST', '/payments', { amount: 123_456_789, method: 'cash' });
    await owner.call('POST', `/payments/${paymentId}/refunds`, { amount: 1_000, reason: 'A little late' });
    const { page } = await openAs(owner, '/clients');
    const email = page.getByRole('row', { name: 'Ilze Kalniņa' }).getByRole('cell').nth(2);
    // A font may be narrow enough for one line.
    expect([`${mailbox} ${host}`, mailbox + host]).toContain(await linesOf(email));
    await expectAccessibleInAllThemes(page, 'clients');
    // On paper, a fixed header covers the first rows of each page.
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible(), 'header on paper').toBe(false);
    await page.emulateMedia({ media: null });
    await visit(page, `/clients/${clientId}`);
    await page.getByRole('region', { name: 'Upcoming' }).getByRole('table').waitFor();
    await expectAccessibleInAllThemes(page, 'client');
    await visit(page, '/payments');
    await page.getByRole('row', { name: /Ilze Kalniņa.*Cash/ }).waitFor();
    await expectAccessibleInAllThemes(page, 'payments');
    const phone = { width: 320, height: 700 };
    await page.setViewportSize(phone);
    expect(await linesOf(page.getByRole('definition').first())).toBe('€1,234,710.89');
    await page.setViewportSize({ width: 1_280, height: 860 });
    await visit(page, `/payments?payment=${paymentId}`);
    await page.getByRole('button', { name: 'Record refund' }).click();
    await page.getByText('A little late').waitFor();
    await expectAccessibleInAllThemes(page, 'payment');
    await visit(page, '/reviews');
    await page.getByText('Thank you, see you soon!').waitFor();
    await expectAccessibleInAllThemes(page, 'reviews');
    const name = 'x'.repeat(100);
    const long = await bookFirstSlot(owner, { name, email: 'x@example.com' });
    await visit(page, `/bookings?booking=${long.id}`);
    const details = page.getByRole('dialog', { name });
    await details.getByRole('button', { name: 'Move' }).click();
    const form = page.getByRole('dialog', { name: 'Move booking' });
    await form.getByText(/^x+/).waitFor();
    const excess = (dialog: Locator) => dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(await excess(form)).toBe(0);
    await form.getByRole('button', { name: 'Cancel' }).click();
    const close = await details.getByRole('button', { name: 'Close', exact: true }).boundingBox();
    expect((close?.x ?? 1_280) + (close?.width ?? 0)).toBeLessThan(1_280);
    await page.setViewportSize(phone);
    await visit(page, `/bookings?booking=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Ilze Kalniņa' });
    await drawer.getByText(mailbox + host, { exact: true }).waitFor();
    expect(await excess(drawer)).toBe(0);
  });
});
