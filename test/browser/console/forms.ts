/** Forms and dialogs: what is typed, what closes them, and where the focus is. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  breakCall,
  changeAnswer,
  clientNamed,
  nextTuesday as day,
  screens,
  search,
  visit,
} from '../../support/console.ts';
import { booked } from './booked.ts';

interface Client {
  readonly id: number;
  readonly name: string;
}

export const forms = screens('forms and dialogs', ({ openAs, openAsOwner, openBySigningIn, system }) => {
  test('A date field accepts a date without a year on Enter or Tab, and ignores a date with a two-digit year', async () => {
    const { page } = await openAsOwner(`/calendar?day=${day}`);
    const date = page.getByRole('textbox', { name: 'Date', exact: true });
    const before = await date.inputValue();
    await date.fill('');
    await date.pressSequentially('9.7.31');
    await page.keyboard.press('Tab');
    await expect.poll(() => date.inputValue()).toBe(before);
    expect(page.url()).toContain(day);
    for (const [typed, key, end] of [
      ['24 Dec', 'Enter', /-12-24/],
      ['9.7.', 'Tab', /-07-09/],
    ] as const) {
      await date.fill(typed);
      await page.keyboard.press(key);
      await expect.poll(() => page.url()).toMatch(end);
    }
  });

  test('The Escape key closes an open list or date picker first, and at each further press only the topmost dialog', async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}&booking=${id}`);
    const details = page.getByRole('dialog', { name: 'Jane Doe' });
    await details.getByRole('button', { name: 'Move' }).click();
    const form = page.getByRole('dialog', { name: 'Move booking' });
    const start = form.getByRole('combobox', { name: 'Start' });
    await start.click();
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await form.getByRole('textbox', { name: 'Day' }).click();
    const days = page.getByRole('button', { name: day.slice(0, 4) }).first();
    await days.waitFor();
    await page.keyboard.press('Escape');
    await days.waitFor({ state: 'detached' });
    await start.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await details.getByRole('button', { name: 'Move' }).waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  test('A form asks before it closes if its values differ from the initial ones, and not if they were restored', async () => {
    const { page } = await openAsOwner('/calendar');
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      return question.dismiss();
    });
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'New booking' });
    const comment = form.getByRole('textbox', { name: 'Comment' });
    await comment.fill('By the window');
    await comment.fill('');
    await form.getByRole('button', { name: 'Add another service' }).click();
    await comment.press('Escape');
    await expect.poll(() => questions).toEqual(['You have unsaved changes. Discard them?']);
    await form.getByRole('combobox', { name: '2. Service' }).click();
    await page.getByRole('option').first().click();
    await form.getByRole('button', { name: 'Remove service 2' }).click();
    await comment.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(questions).toHaveLength(1);
  });

  test('When a select field is focused to show its error, its list of options stays closed and does not cover the error', async () => {
    const { page } = await openAsOwner(`/calendar?day=${day}&add=true`);
    const form = page.getByRole('dialog', { name: 'New booking' });
    await form.getByRole('button', { name: 'Add another service' }).click();
    await form.getByRole('button', { name: 'Book', exact: true }).click();
    const service = form.getByRole('combobox', { name: '2. Service' });
    await form.getByText('Choose a service', { exact: true }).waitFor();
    await expect.poll(() => service.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await service.getAttribute('aria-expanded')).toBe('false');
    await service.press('ArrowDown');
    await expect.poll(() => service.getAttribute('aria-expanded')).toBe('true');
  });

  test('The booking form lists the first hundred of 500 services, and finds any service by its name', async () => {
    const { page } = await openAsOwner('/reviews');
    await changeAnswer<{ data: object[] }>(page, /account\/services\?/, ({ data: [one], ...list }) => ({
      ...list,
      // The name of the last one, which exists, is a part of all names.
      data: Array.from({ length: 500 }, (_, i) => ({
        ...one,
        ...(i < 499 ? { id: i + 1, name: `Haircut ${i + 1}` } : { name: 'Hair' }),
      })),
    }));
    await changeAnswer<{ data?: { startTime: string }[] }>(
      page,
      /account\/slots\?/,
      ({ data: [one] = [], ...list }) => ({
        ...list,
        data: Array.from({ length: one ? 108 : 0 }, (_, i) => {
          const startTime = new Date(Date.parse(one?.startTime ?? '') + i * 300_000).toISOString();
          return { ...one, startTime };
        }),
      }),
    );
    // The menu may have requested the services of the first page already.
    await page.goto(`${system().origin}/calendar?day=${day}&add=true`);
    const form = page.getByRole('dialog', { name: 'New booking' });
    const service = form.getByRole('combobox', { name: 'Service' });
    for (const name of ['Haircut 498', 'Hair']) {
      await service.click();
      await page.getByText('400 more: type to find them').waitFor();
      expect(await page.getByRole('option').count()).toBe(101);
      await service.fill(name.toLowerCase());
      // The library selects the first option a moment after the list has changed.
      const selected = page.locator('[data-combobox-selected]');
      await selected.and(page.getByRole('option', { name, exact: true })).waitFor();
      await service.press('Enter');
      await expect.poll(() => service.inputValue()).toBe(name);
    }
    await form.getByRole('combobox', { name: 'Start' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(108);
  });

  test('The calendar of a date field stays closed when its dialog opens and when its error is shown, and opens by a click', async () => {
    const owner = await system().owner();
    const { page } = await openAs(owner, `/staff/${owner.tenant.staff[0]?.id}`);
    await page.getByRole('button', { name: 'Add days' }).click();
    const form = page.getByRole('dialog', { name: 'Time off and special hours' });
    const first = form.getByRole('textbox', { name: 'First day' });
    await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
    const calendar = page.getByRole('button', { name: 'Earlier', exact: true });
    expect(await calendar.count()).toBe(0);
    await first.click();
    await calendar.waitFor();
    const date = form.getByRole('textbox', { name: 'Last day' });
    await date.fill('1 Jan 2024');
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The last day must not be before the first day').waitFor();
    await expect.poll(() => date.evaluate((field) => field === document.activeElement)).toBe(true);
    const days = page.getByRole('button', { name: 'January 2024', exact: true });
    expect(await days.count()).toBe(0);
    await date.click();
    await days.waitFor();
  });

  test('The focus moves to the heading of a new screen and, when a dialog or inline form closes, to the button that opened it', async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}&booking=${id}`);
    const details = page.getByRole('dialog', { name: 'Jane Doe' });
    const focused = () => page.evaluate('document.activeElement.textContent');
    const openAndClose = async (opener: Locator, closing: string) => {
      const name = await opener.textContent();
      await opener.press('Enter');
      await page.getByRole('button', { name: closing, exact: true }).press('Enter');
      await expect.poll(focused).toBe(name);
    };
    await openAndClose(details.getByRole('button', { name: 'Move' }), 'Cancel');
    await openAndClose(details.getByRole('button', { name: 'Cancel booking' }), 'Keep booking');
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await openAndClose(page.getByRole('button', { name: 'New booking' }), 'Cancel');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).press('Escape');
    await expect.poll(focused).toBe('New booking');
    const heading = page.locator('h1:focus');
    await page.getByRole('link', { name: 'Clients', exact: true }).press('Enter');
    await heading.and(page.getByText('Clients')).waitFor();
    await page.getByRole('link', { name: 'Jane Doe' }).press('Enter');
    await heading.and(page.getByText('Jane Doe')).waitFor();
    await page.goBack();
    await heading.and(page.getByText('Clients')).waitFor();
    await search(page, 'calendar');
    await page.keyboard.press('Enter');
    await heading.and(page.getByText('Calendar')).waitFor();
  });

  test('On a phone, the focus is never in the closed menu or behind the header, and is not lost with a removed button', async () => {
    const { page } = await openAsOwner('/clients');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    const focused = page.locator(':focus');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Clients', exact: true }).click();
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    await page.getByRole('navigation').getByRole('link').last().press('Tab');
    expect(await page.locator('#content :focus').count(), 'focus behind the open menu').toBe(0);
    await page.keyboard.press('Escape');
    await focused.and(page.getByRole('button', { name: 'Open menu' })).press('Enter');
    await page.getByRole('link', { name: 'Settings', exact: true }).press('Enter');
    await focused.and(page.getByRole('heading', { name: 'Settings' })).waitFor();
    await page.keyboard.press('Shift+Tab');
    await focused.and(page.getByRole('button', { name: 'Account' })).waitFor();

    const profile = page.getByRole('region', { name: 'Business profile' });
    await profile.getByLabel('Description').fill('By the river.');
    await profile.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Business profile saved').waitFor();
    await focused.and(profile).waitFor();
    await page.getByRole('button', { name: 'Remove hours on Monday' }).press('Enter');
    await focused.and(page.getByRole('group', { name: 'Monday' })).waitFor();

    await page.getByRole('switch', { name: 'Sunday' }).focus();
    const tops: number[] = [];
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Shift+Tab');
      tops.push(await page.evaluate<number>('document.activeElement.getBoundingClientRect().top'));
    }
    const header = await page.getByRole('banner').boundingBox();
    expect(Math.min(...tops)).toBeGreaterThanOrEqual(header?.height ?? 0);
  });

  test('When a pressed button becomes disabled, the focus stays on it or moves to its dialog, never to another button', async () => {
    const owner = await system().owner();
    await owner.tenant.call('POST', '/webhooks', { delivery: 'poll', events: ['client.created'] });
    for (const name of ['Jane Doe', 'Max Power']) await owner.call('POST', '/clients', clientNamed(name));
    const [anna] = owner.tenant.staff;
    await owner.call('PATCH', `/staff/${anna?.id}/schedule`, { exceptions: { [day]: [] } });
    const { page } = await openAs(owner, `/staff/${anna?.id}`);
    const focused = page.locator(':focus');
    const remove = page.getByRole('button', { name: /^Restore the weekly hours: / });
    await remove.waitFor();
    await breakCall(page, '**/schedule', 500, { code: 'internal_error', message: 'Something failed.' });
    await remove.press('Enter');
    await page.getByRole('alert').waitFor();
    await focused.and(remove).waitFor();

    const sent = async () => (await owner.call<{ data: object[] }>('GET', '/deliveries')).data.length;
    await expect.poll(sent).toBe(2);
    await visit(page, '/deliveries');
    await page
      .getByRole('row', { name: /client\.created/ })
      .first()
      .getByRole('link')
      .first()
      .click();
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await delivery.getByRole('button', { name: 'Older' }).press('Enter');
    await focused.and(delivery).waitFor();
  });

  test('If an owner focuses another button while the console loads the manage link of a booking, the focus stays on that button', async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}&booking=${id}`);
    const details = page.getByRole('dialog', { name: 'Jane Doe' });
    const move = details.getByRole('button', { name: 'Move' });
    await page.route('**/manage-link', async (route) => {
      await move.focus();
      await route.continue();
    });
    await details.getByRole('button', { name: 'Copy manage link' }).press('Enter');
    await details.getByRole('region', { name: 'Manage link' }).waitFor();
    await move.and(page.locator(':focus')).waitFor();
  });

  test('A screen reader announces that no client matches a search, but not “No clients yet” when the page opens', async () => {
    const { page } = await openAsOwner('/clients');
    await page.getByText('No clients yet').waitFor();
    expect(await page.getByRole('status').getByText('No clients yet').count()).toBe(0);
    const nothing = page.getByRole('status').getByText('Nothing found.');
    expect(await nothing.count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody');
    await nothing.waitFor();
  });

  test('A typed cancellation reason is discarded only after a confirmation, and never appears in another booking', async () => {
    const owner = await system().owner();
    await booked(owner, '10:00', 'Jane Doe');
    await booked(owner, '13:00', 'Max Power');
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    const details = (name: string) => page.getByRole('dialog', { name, exact: true });
    const find = async (name: string) => {
      await search(page, name);
      await page.getByRole('option', { name: new RegExp(`^${name} · `) }).click();
      await details(name).getByRole('button', { name: 'Cancel booking' }).waitFor();
    };
    // Both have been loaded before.
    await find('Max Power');
    await find('Jane Doe');
    await details('Jane Doe').getByRole('button', { name: 'Cancel booking' }).click();
    await details('Jane Doe').getByRole('textbox', { name: 'Reason' }).fill('Jane is ill');
    page.once('dialog', (question) => question.dismiss());
    const dialogShown = page.waitForEvent('dialog');
    await page.goBack();
    await dialogShown;
    expect(await details('Jane Doe').getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Jane is ill');
    page.on('dialog', (question) => question.accept());
    await find('Max Power');
    expect(await details('Max Power').getByRole('textbox', { name: 'Reason' }).count()).toBe(0);
    await details('Max Power').getByRole('button', { name: 'Move' }).click();
    await page.getByRole('dialog', { name: 'Move booking' }).getByText('Max Power · Haircut').waitFor();
    await find('Jane Doe');
    await expect.poll(() => page.getByRole('dialog', { name: 'Move booking' }).count()).toBe(0);
  });

  test('The button “Keep booking” closes the cancellation form and its error, even while the console waits for a manage link', async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}&booking=${id}`);
    const details = page.getByRole('dialog', { name: 'Jane Doe' });
    const sent = Promise.withResolvers<void>();
    await page.route('**/manage-link', () => sent.resolve());
    await details.getByRole('button', { name: 'Copy manage link' }).click();
    await sent.promise;
    await details.getByRole('button', { name: 'Cancel booking' }).click();
    await details.getByRole('button', { name: 'Keep booking' }).click();
    await details.getByRole('button', { name: 'Copy manage link' }).waitFor();
    await page.reload();
    const restore = await breakCall(page, '**/cancel', 500, { code: 'internal_error', message: 'Something failed.' });
    await details.getByRole('button', { name: 'Cancel booking' }).click();
    await details.getByRole('button', { name: 'Cancel booking' }).click();
    await details.getByRole('alert').waitFor();
    await details.getByRole('button', { name: 'Keep booking' }).click();
    expect(await details.getByRole('alert').count()).toBe(0);
    await restore();
    await details.getByRole('button', { name: 'Cancel booking' }).click();
    await details.getByRole('textbox', { name: 'Reason' }).fill('Jane is ill');
    await page.keyboard.press('Enter');
    await details.getByText('Cancelled', { exact: true }).waitFor();
    const { cancelReason } = await owner.call<{ cancelReason: string }>('GET', `/bookings/${id}`);
    expect(cancelReason).toBe('Jane is ill');
  });

  test('The dialogs that cancel a booking and delete a service stay open while the request is sent, and then show why it failed', async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}&booking=${id}`);
    const booking = page.getByRole('dialog', { name: 'Jane Doe' });
    const deletion = page.getByRole('dialog', { name: 'Delete this service?' });
    const isShownFailing = async (dialog: Locator, verb: string, pattern: string) => {
      const answered = Promise.withResolvers<void>();
      await page.route(pattern, async (route) => {
        if (route.request().method() === 'GET') return route.fallback();
        await answered.promise;
        await route.fulfill({ status: 503, json: { code: 'temporarily_unavailable', message: 'Try again later.' } });
      });
      await dialog.getByRole('button', { name: verb }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText('This is still being sent').waitFor();
      answered.resolve();
      await dialog.getByRole('alert').getByText('The service is busy').waitFor();
      await page.unroute(pattern);
    };
    await booking.getByRole('button', { name: 'Cancel booking' }).click();
    await isShownFailing(booking, 'Cancel booking', '**/cancel');
    const [service] = owner.tenant.services;
    await visit(page, `/services?service=${service?.id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await isShownFailing(deletion, 'Delete service', `**/services/${service?.id}`);
  });

  test('If the response to a new booking is lost and the owner saves again, the booking is made only once', async () => {
    const { owner, page } = await openAsOwner(`/calendar?day=${day}`);
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'New booking' });
    await form.getByRole('combobox', { name: 'Staff' }).click();
    await page.getByRole('option', { name: 'Anna' }).click();
    const start = form.getByRole('combobox', { name: 'Start' });
    await start.click();
    await page.getByRole('option', { name: '11:00' }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Jane Doe');
    await form.getByRole('textbox', { name: 'Email' }).fill('jane@example.com');
    await page.route('**/v1/account/bookings', async (route) => {
      await route.fetch({ maxRetries: 1 });
      await route.abort();
    });
    // The free times are loaded again after the failure, now without the booked one.
    const loaded = page.waitForResponse(
      async (response) =>
        response.url().includes('/v1/account/slots?') && !/"startTime":"[^"]*T11:00/.test(await response.text()),
    );
    await form.getByRole('button', { name: 'Book', exact: true }).click();
    await form.getByText('connection_failed').waitFor();
    await page.unroute('**/v1/account/bookings');
    await loaded;
    expect(await start.inputValue()).toBe('11:00');
    await form.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByText(/ is booked for .+, 11:00, /).waitFor();
    expect((await owner.call<{ data: object[] }>('GET', '/bookings')).data.length).toBe(1);
  });

  test('The booking form preselects a service when services have loaded, and finds services beyond the first page', async () => {
    const { owner, page } = await openAsOwner('/calendar');
    const [service] = owner.tenant.services;
    const last = { ...(await owner.call<object>('GET', `/services/${service?.id}`)), id: 1, name: 'Manicure' };
    const loading = Promise.withResolvers<void>();
    await page.route(/account\/services\?/, async (route) => {
      const response = await route.fetch({ maxRetries: 1 });
      const { data, ...list } = (await response.json()) as { data: object[] };
      await loading.promise;
      await route.fulfill({ response, json: { ...list, total: 101, data: data.length > 0 ? data : [last] } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    loading.resolve();
    const field = page.getByRole('dialog', { name: 'New booking' }).getByRole('combobox', { name: 'Service' });
    await expect.poll(() => field.inputValue()).toBe(service?.name);
    await field.fill('Mani');
    await page.getByRole('option', { name: 'Manicure' }).waitFor();
  });

  test('If saving a new client fails while offline and the owner closes the form, the client is not created later', async () => {
    const owner = await system().owner();
    const { page } = await openBySigningIn(owner, '/clients?add=true');
    const form = page.getByRole('dialog', { name: 'Add a client' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Jane Doe');
    await form.getByRole('textbox', { name: 'Email' }).fill('jane@example.com');
    await page.context().setOffline(true);
    await form.getByRole('button', { name: 'Add client' }).click();
    await form.getByRole('alert').getByText('connection_failed').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'hidden' });
    // Pending requests would be sent before the response to this.
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
    const { data } = await owner.call<{ data: readonly Client[] }>('GET', '/clients?limit=100');
    expect(data.filter(({ name }) => name === 'Jane Doe')).toEqual([]);
  });

  test('An open form about one client closes when the owner finds and opens another client by search', async () => {
    const owner = await system().owner();
    const [jane, max] = await Promise.all(
      ['Jane Doe', 'Max Power'].map((name) => owner.call<Client>('POST', '/clients', clientNamed(name))),
    );
    const { page } = await openAs(owner, `/clients/${max?.id}`);
    await page.getByRole('heading', { level: 1, name: 'Max Power' }).waitFor();
    const find = async ({ name = '' }: Partial<Client> = {}) => {
      await search(page, name);
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };
    await find(jane);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Jane Doe');
    await find(max);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});
