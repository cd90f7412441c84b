/** Services, staff, hours and settings. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  changeAnswer,
  expectAccessible,
  expectAccessibleInAllThemes,
  expectFits,
  screens,
  visit,
} from '../../support/console.ts';

interface ServiceList {
  readonly data: readonly {
    readonly id: number;
    readonly name: string;
    readonly price: object;
    readonly active: boolean;
  }[];
}

interface Schedule {
  readonly weekly: Readonly<Record<string, readonly { readonly from: string; readonly to: string }[]>>;
  readonly exceptions: Readonly<Record<string, readonly { readonly from: string; readonly to: string }[]>>;
}

const inDays = (days: number, from = Date.now()) => new Date(from + days * 86_400_000).toISOString().slice(0, 10);

export const setUp = screens('the set-up of a business', ({ openAs, openAsOwner, system }) => {
  test('A new owner sets up a business with a staff member and a service, and makes the first booking', async () => {
    const email = 'new-owner@salon.example';
    system().run.owners?.invite({ tenantId: 987_654_321, email, name: 'New owner' });
    const { page, errors } = await openAs({ email }, '/');
    await page.getByText('Enter its name, time zone and currency.').waitFor();
    // This works on every screen, also before there is a business.
    for (const name of ['Webhooks', 'Calendar', 'Deliveries']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count(), name).toBe(0);
    }
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await page.getByText('Enter its name, time zone and currency.').waitFor();
    expect(await page.getByRole('button', { name: 'New booking' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Get started' }).click();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectAccessible(page, 'no-business');
    await page.getByRole('link', { name: 'Set up your business' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.and(page.locator(':focus')).waitFor();
    await name.fill('Nordlys');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Oslo');
    await page.getByRole('option', { name: 'Europe/Oslo' }).click();
    await page.getByRole('combobox', { name: 'Currency' }).fill('NOK');
    await page.getByRole('option', { name: /^NOK/ }).click();
    await expectAccessible(page, 'settings-first');
    await page.getByRole('button', { name: 'Set up your business' }).click();
    const steps = page.getByRole('region', { name: 'Get started' });
    await steps.getByText('1 of 5 done').waitFor();

    // A new business has hours that the owner has never seen.
    await steps.getByRole('link', { name: 'Set your opening hours (done)' }).click();
    const hours = page.getByRole('region', { name: 'Opening hours' });
    await hours.getByLabel('Friday, to').waitFor();
    expect(await hours.getByRole('switch', { checked: true }).count()).toBe(5);
    await hours.getByRole('button', { name: 'Copy Monday' }).click();
    await page.getByRole('menuitem', { name: 'To every day' }).click();
    await hours.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Opening hours saved').waitFor();

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await steps.getByText('1 of 5 done').waitFor();
    await expectAccessible(page, 'overview-first');
    // Windows high contrast marks only the current screen.
    await page.emulateMedia({ forcedColors: 'active' });
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    const [begin, current] = await Promise.all(
      [/^Get started/, 'Overview'].map((name) =>
        menu.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).backgroundColor),
      ),
    );
    expect(begin).not.toBe(current);
    await page.emulateMedia({ forcedColors: 'none' });
    expect(await page.getByRole('link', { name: 'Create webhook' }).count(), 'before there is a key').toBe(0);
    await steps.getByRole('link', { name: 'Add a staff member' }).click();
    const member = page.getByRole('dialog', { name: 'Add a staff member' });
    await member.getByRole('textbox', { name: 'Name' }).fill('Kari');
    await member.getByRole('button', { name: 'Add staff member' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kari' }).waitFor();

    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Add a service and choose who offers it' }).click();
    await page.getByText('No services yet').waitFor();
    await page.getByRole('button', { name: 'Add service' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add a service' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Klipp');
    await form.getByRole('textbox', { name: 'Price' }).fill('650');
    await form.getByText('Kari').waitFor();
    await form.getByRole('button', { name: 'Add service' }).click();
    await page.getByRole('row', { name: /Klipp.*1 hr.*NOK.650\.00/ }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('Cannot be changed: 1 service has a price.').waitFor();

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    // The form would add another one.
    const added = steps.getByRole('link', { name: 'Add a staff member (done)' });
    expect(await added.getAttribute('href')).toBe('/staff');
    await steps.getByRole('link', { name: 'Make a first booking yourself' }).click();
    const booking = page.getByRole('dialog', { name: 'New booking' });
    await booking.getByRole('combobox', { name: 'Start' }).waitFor();
    const service = booking.getByRole('combobox', { name: 'Service' });
    expect(await service.getAttribute('aria-expanded')).toBe('false');
    await booking.getByRole('button', { name: 'Close' }).click();
    await booking.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    // Its list would cover the fields below.
    await service.waitFor();
    await expect.poll(() => service.getAttribute('aria-expanded')).toBe('false');
    await booking.getByRole('combobox', { name: 'Start' }).click();
    await page.getByRole('option').first().click();
    // Without clients there is none to choose.
    await booking.getByRole('button', { name: 'Book', exact: true }).click();
    await booking.getByText('Enter a name').waitFor();
    await booking.getByRole('textbox', { name: 'Name' }).fill('Jane Doe');
    await booking.getByText('A phone number or an email address is required.').waitFor();
    await expectAccessible(page, 'first-booking');
    await booking.getByRole('textbox', { name: 'Email' }).fill('jane@example.com');
    await booking.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByText(/^Jane Doe is booked for .+, \d\d:\d\d, Kari$/).waitFor();
    await page.getByRole('link', { name: 'Bookings', exact: true }).click();
    await page.getByRole('link', { name: 'New booking' }).click();
    await booking.getByRole('combobox', { name: 'Client' }).click();
    // Another client may have the same name.
    await page.getByRole('option', { name: 'Jane Doe jane@example.com' }).waitFor();
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });

  test('An owner changes the booking rules, and must confirm a new time zone after seeing how the change moves upcoming bookings', async () => {
    const owner = await system().owner();
    const booked = await owner.call<{ id: number; startTime: string }>('POST', '/bookings', owner.tenant.booking());
    const { page } = await openAs(owner, '/settings');
    const rules = page.getByRole('region', { name: 'Booking rules' });
    await rules.getByRole('textbox', { name: 'Minimum notice' }).fill('');
    await rules.getByRole('textbox', { name: 'Book ahead up to' }).fill('9999');
    await rules.getByRole('button', { name: 'Save' }).click();
    await rules.getByText('Must be an integer from 0 to 525600.').waitFor();
    await rules.getByText('Must be an integer from 1 to 730.').waitFor();
    await rules.getByRole('textbox', { name: 'Minimum notice' }).fill('1500');
    await rules.getByText('1 day 1 hr.').waitFor();
    const ahead = rules.getByRole('textbox', { name: 'Book ahead up to' });
    await ahead.fill('1');
    await expect.poll(() => ahead.inputValue()).toBe('1 day');
    await ahead.press('ControlOrMeta+a');
    await ahead.pressSequentially('60');
    await expect.poll(() => ahead.inputValue()).toBe('60 days');
    await rules.getByRole('radio', { name: 'Confirm manually' }).click();
    await rules.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Booking rules saved').waitFor();
    const { bookingRules } = await owner.call<{ bookingRules: object }>('GET', '/business');
    expect(bookingRules).toMatchObject({ minNoticeMinutes: 1_500, maxAdvanceDays: 60, confirmation: 'manual' });

    const place = page.getByRole('region', { name: 'Time zone and currency' });
    const choose = async (typed: string, name: string) => {
      await place.getByRole('combobox', { name: 'Time zone' }).fill(typed);
      await page.getByRole('option', { name }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await place.getByRole('button', { name: 'Save' }).click();
    };
    const ask = page.getByRole('dialog', { name: 'Change the time zone to Asia/Tokyo?' });
    await choose('Tokyo', 'Asia/Tokyo');
    await ask.getByText('1 booking is not over yet.').waitFor();
    await ask.getByText(/Haircut: .* becomes /).waitFor();
    await expectAccessible(page, 'settings-zone');
    await ask.getByRole('button', { name: 'Cancel' }).click();
    expect(await owner.call('GET', '/business')).not.toMatchObject({ timeZone: 'Asia/Tokyo' });
    await choose('Tokyo', 'Asia/Tokyo');
    await ask.getByRole('button', { name: 'Change time zone' }).click();
    await page.getByText('Time zone and currency saved').waitFor();
    expect(await owner.call('GET', '/business')).toMatchObject({ timeZone: 'Asia/Tokyo' });
    const { startTime } = await owner.call<{ startTime: string }>('GET', `/bookings/${booked.id}`);
    expect(startTime).toBe(booked.startTime);
  });

  test('In a select field with search, typing replaces the selected option, and Enter does not submit the form', async () => {
    const { owner, page } = await openAsOwner('/settings');
    const place = page.getByRole('region', { name: 'Time zone and currency' });
    const zone = place.getByRole('combobox', { name: 'Time zone' });
    const before = await zone.inputValue();
    await zone.click();
    await page.keyboard.type('Auckland');
    await page.getByRole('option', { name: 'Pacific/Auckland' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => zone.inputValue()).toBe('Pacific/Auckland');
    await place.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => zone.inputValue()).toBe(before);

    await page.getByRole('link', { name: 'Services', exact: true }).click();
    await page.getByRole('button', { name: 'Add service' }).click();
    const form = page.getByRole('dialog', { name: 'Add a service' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Manicure');
    await form.getByRole('textbox', { name: 'Price' }).fill('20');
    await form.getByRole('combobox', { name: 'Staff' }).click();
    await page.getByRole('option').first().waitFor();
    await page.keyboard.type('Marta');
    await page.keyboard.press('Enter');
    await form.getByText('Marta').first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    // Windows high contrast removes most backgrounds.
    await page.emulateMedia({ forcedColors: 'active' });
    const backgrounds = await page
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => getComputedStyle(option).backgroundColor));
    expect(new Set(backgrounds).size).toBe(2);
    await page.keyboard.press('Enter');
    await form.getByText('Jānis').first().waitFor();
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Add service' }).click();
    await form.waitFor({ state: 'hidden' });
    const { data } = await owner.call<{ data: { name: string; staffIds: number[] }[] }>('GET', '/services?limit=100');
    const [, marta, janis] = owner.tenant.staff;
    expect(data.find(({ name }) => name === 'Manicure')?.staffIds.toSorted()).toEqual([marta?.id, janis?.id]);
  });

  test('Saving or discarding one setting of a business keeps and shows other settings that were changed in another tab', async () => {
    const { owner, page } = await openAsOwner('/settings');
    const profile = page.getByRole('region', { name: 'Profile' });
    const rules = page.getByRole('region', { name: 'Booking rules' });
    await profile.getByRole('textbox', { name: 'Description' }).fill('Next to the station.');
    await rules.getByRole('textbox', { name: 'Book ahead up to' }).fill('60');
    const hours = page.getByRole('region', { name: 'Opening hours' });
    await hours.getByLabel('Monday, to').fill('18:30');
    const { workingHours } = await owner.call<{ workingHours: object }>('GET', '/business');
    const saturday = [{ from: '10:00', to: '20:00' }];
    await owner.call('PATCH', '/business', {
      phone: '+37120000001',
      bookingRules: { minNoticeMinutes: 90 },
      workingHours: { ...workingHours, saturday },
    });
    await profile.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved').waitFor();
    await expect.poll(() => profile.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('+37120000001');
    await rules.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Booking rules saved').waitFor();
    await hours.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Opening hours saved').waitFor();
    await expect.poll(() => hours.getByLabel('Saturday, to').inputValue()).toBe('20:00');
    expect(await owner.call<object>('GET', '/business')).toMatchObject({
      description: 'Next to the station.',
      phone: '+37120000001',
      bookingRules: { minNoticeMinutes: 90, maxAdvanceDays: 60 },
      workingHours: { monday: [{ to: '18:30' }], saturday },
    });

    await rules.getByRole('textbox', { name: 'Book ahead up to' }).fill('61');
    await owner.call('PATCH', '/business', { phone: '+37120000002', bookingRules: { minNoticeMinutes: 120 } });
    await hours.getByLabel('Monday, to').fill('18:00');
    await hours.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => profile.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('+37120000002');
    await rules.getByRole('button', { name: 'Discard changes' }).click();
    expect(await rules.getByRole('textbox', { name: 'Minimum notice' }).inputValue()).toContain('120');

    const answered = Promise.withResolvers<void>();
    await page.route('**/v1/account/business', async (route) => {
      // The settings are not loaded again after the save.
      if (route.request().method() !== 'PATCH') return;
      await answered.promise;
      await route.continue();
    });
    const ahead = rules.getByRole('textbox', { name: 'Book ahead up to' });
    const discard = rules.getByRole('button', { name: 'Discard changes' });
    await ahead.fill('62');
    await rules.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => discard.isDisabled()).toBe(true);
    answered.resolve();
    await discard.waitFor({ state: 'detached' });
    await ahead.fill('63');
    await discard.click();
    expect(await ahead.inputValue()).toContain('62');
  });

  test('An owner finds one of 120 services by a part of its name, typed without accents', async () => {
    const owner = await system().owner();
    const service = await owner.call<object>('GET', `/services/${owner.tenant.services[0]?.id}`);
    const { page } = await openAs(owner, '/staff');
    const all = Array.from({ length: 120 }, (_, at) => ({ ...service, id: at + 1, name: `Krāsošana ${at + 1}` }));
    await page.route(/\/account\/services\?/, (route) => {
      const from = (Number(new URL(route.request().url()).searchParams.get('page')) - 1) * 100;
      return route.fulfill({ json: { data: all.slice(from, from + 100), total: all.length } });
    });
    // The menu may have loaded the services before.
    await page.goto(`${system().origin}/services`);
    await page.getByRole('row').nth(120).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search' });
    const price = page.getByRole('columnheader', { name: 'Price' });
    await search.fill('krasosana 119');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.waitForURL('**/services?search=krasosana*');
    await page.reload();
    await page.getByRole('row', { name: /Krāsošana 119/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await search.fill('krasosana');
    for (const _ of ['ascending', 'descending']) await price.getByRole('button').click();
    await search.fill('Manicure');
    await page.getByText('Nothing found.').waitFor();
    await expect.poll(() => price.getAttribute('aria-sort')).toBe('descending');
    // A short list has no search, unless one filters it.
    await search.fill('krasosana 1');
    await page.getByRole('row', { name: /Krāsošana 119/ }).waitFor();
    all.length = 12;
    await page.getByRole('button', { name: 'Add service' }).click();
    const form = page.getByRole('dialog', { name: 'Add a service' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Trim');
    await form.getByRole('textbox', { name: 'Price' }).fill('10');
    await form.getByRole('button', { name: 'Add service' }).click();
    await page.getByRole('row', { name: /Krāsošana 119/ }).waitFor({ state: 'detached' });
    await search.fill('');
    await page.getByRole('row', { name: /Krāsošana 9/ }).waitFor();
  });

  test('A service is shown as not bookable until the owner assigns staff, and can be paused, duplicated and deleted', async () => {
    const { owner, page, errors } = await openAsOwner('/services');
    const offered = async () => (await owner.call<ServiceList>('GET', '/services')).data;

    await page.getByRole('button', { name: 'Add service' }).click();
    const form = page.getByRole('dialog', { name: 'Add a service' });
    await form.getByRole('button', { name: 'Add service' }).click();
    await form.getByText('Must not be empty.').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await expectAccessible(page, 'service-refused');
    await form.getByRole('textbox', { name: 'Name' }).fill('Hair wash');
    await form.getByRole('textbox', { name: 'Duration' }).fill('20');
    await form.getByRole('textbox', { name: 'Price' }).fill('12,50');
    await form.getByRole('button', { name: 'Add service' }).click();
    const added = page.getByRole('row', { name: /Hair wash.*20 min.*€12.50.*Not bookable.*Nobody performs it yet/ });
    await added.getByRole('link', { name: 'assign staff' }).click();
    const change = page.getByRole('dialog', { name: 'Hair wash' });
    const hint = change.getByText('Nobody performs this service yet');
    await hint.waitFor();
    await expectAccessibleInAllThemes(page, 'service-without-staff', hint);
    await change.getByRole('combobox', { name: 'Staff' }).click();
    await page.getByRole('option', { name: 'Anna' }).click();
    await hint.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Hair wash.*20 min.*€12.50.*Active/ }).waitFor();
    await change.waitFor({ state: 'detached' });
    expect(await offered()).toContainEqual(
      expect.objectContaining({ name: 'Hair wash', price: { amount: 1_250, currency: 'EUR' } }),
    );

    await page.getByRole('link', { name: 'Hair wash' }).click();
    await page.reload();
    const canBeBooked = change.getByRole('switch', { name: 'Can be booked' });
    await canBeBooked.waitFor();
    const save = change.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled(), 'disabled while nothing is edited').toBe(true);
    const { id } = (await offered()).find(({ name }) => name === 'Hair wash') ?? {};
    const price = { amount: 1_350, currency: 'EUR' };
    const elsewhere = { description: 'With a wash.', price, bufferAfterMinutes: 10 };
    await owner.call('PATCH', `/services/${id}`, elsewhere);
    await canBeBooked.uncheck();
    await save.click();
    await page.getByRole('row', { name: /Hair wash.*Paused/ }).waitFor();
    await change.waitFor({ state: 'detached' });
    const saved = await owner.call('GET', `/services/${id}`);
    expect(saved, 'fields changed elsewhere while the form was open').toMatchObject({ ...elsewhere, active: false });

    await page.getByRole('link', { name: 'Hair wash' }).click();
    await change.getByRole('link', { name: 'Duplicate' }).click();
    await expect.poll(() => form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Hair wash (copy)');
    await form.getByRole('combobox', { name: 'Category' }).fill('Hair');
    await form.getByRole('button', { name: 'Add service' }).click();
    await page.getByRole('row', { name: /Hair wash \(copy\).*20 min.*€13.50.*Paused/ }).waitFor();
    // Services are below the name of their category, and those without one come last.
    const rows = await page.getByRole('row').allInnerTexts();
    const at = (text: string) => rows.findIndex((row) => row.startsWith(text));
    expect([at('Beard'), at('Hair'), at('Hair wash (copy)'), at('Other')]).toEqual(
      [at('Beard'), at('Hair'), at('Hair wash (copy)'), at('Other')].toSorted((a, b) => a - b),
    );
    expect(at('Hair wash\t')).toBeGreaterThan(at('Other'));

    await page.getByRole('link', { name: 'Hair wash', exact: true }).click();
    await change.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete service' }).click();
    await page.getByRole('link', { name: 'Hair wash', exact: true }).waitFor({ state: 'detached' });
    // Until its name is known, a drawer has the name of what it shows.
    for (const [path, name] of [
      ['/services?service=1', 'Service'],
      ['/resources?resource=1', 'Room'],
    ] as const) {
      await visit(page, path);
      await page.getByRole('dialog', { name, exact: true }).getByText('Not found').waitFor();
    }
    expect((await offered()).map(({ name }) => name)).not.toContain('Hair wash');
    expect(errors.filter((error) => !/40[04]/.test(error))).toEqual([]);
  });

  test('A staff member can have two shifts on Monday and days off, and one save can remove at most 45 of their services', async () => {
    const { owner, page, errors } = await openAsOwner('/staff');
    const serviceIds = Array.from({ length: 46 }, (_, at) => at + 1);
    await changeAnswer<object>(page, /account\/staff\/\d+$/, (member) => ({ ...member, serviceIds }));

    await page.getByRole('button', { name: 'Add staff member' }).click();
    const form = page.getByRole('dialog', { name: 'Add a staff member' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Zane Liepa');
    await form.getByRole('button', { name: 'Add staff member' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zane Liepa' }).waitFor();

    const weekly = page.getByRole('region', { name: 'Weekly hours' });
    await weekly.getByRole('switch', { name: 'Monday' }).check();
    await weekly.getByLabel('Monday, from').fill('08:00');
    await weekly.getByLabel('Monday, to').fill('12:00');
    await weekly.getByRole('button', { name: 'Add hours on Monday' }).click();
    await weekly.getByLabel('Monday, from (part 2)').fill('11:00');
    await weekly.getByLabel('Monday, to (part 2)').fill('00:00');
    await weekly.getByRole('button', { name: 'Save' }).click();
    await weekly.getByText('ascending order that do not overlap').waitFor();
    await weekly.getByLabel('Monday, from (part 2)').fill('13:00');
    await weekly.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Weekly hours saved').waitFor();

    await page.getByRole('button', { name: 'Add days' }).click();
    const days = page.getByRole('dialog', { name: 'Time off and special hours' });
    await days.getByLabel('First day').fill('2031-07-07');
    await days.getByLabel('Last day').fill('2031-07-06');
    await page.keyboard.press('Tab');
    await days.getByRole('button', { name: 'Save' }).click();
    await days.getByText('The last day must not be before the first day').waitFor();
    await days.getByLabel('Last day').fill('9 Jul 2031');
    await page.keyboard.press('Tab');
    await days.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Mon, 7 Jul 2031 – Wed, 9 Jul 2031').waitFor();

    const { data } = await owner.call<{ data: { id: number; name: string }[] }>('GET', '/staff');
    const id = data.find(({ name }) => name === 'Zane Liepa')?.id;
    const { weekly: saved, exceptions } = await owner.call<Schedule>('GET', `/staff/${id}/schedule`);
    expect(saved.monday).toEqual([
      { from: '08:00', to: '12:00' },
      { from: '13:00', to: '24:00' },
    ]);
    expect(exceptions).toEqual({ '2031-07-07': [], '2031-07-08': [], '2031-07-09': [] });
    await page.getByRole('button', { name: 'Restore the weekly hours: Mon, 7 Jul 2031 – Wed, 9 Jul 2031' }).click();
    await page.getByText('No time off or special hours planned.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const services = page.getByRole('combobox', { name: 'Services' });
    for (const _ of serviceIds) await services.press('Backspace');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Add and remove at most 45 services at once.').waitFor();
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('Unsaved input of a page or a dialog is discarded only if the owner presses “Cancel”, or leaves it and confirms a warning', async () => {
    const { page } = await openAsOwner('/settings');
    const answer = (method: 'accept' | 'dismiss') => page.waitForEvent('dialog').then((question) => question[method]());
    const isAsked = async (field: Locator, leave: () => Promise<unknown>) => {
      await field.fill('Another name');
      const address = page.url();
      await Promise.all([answer('dismiss'), leave()]);
      // The router undoes a step back after the answer.
      await page.waitForURL(address);
      expect(await field.inputValue()).toBe('Another name');
      await Promise.all([answer('accept'), leave()]);
      await field.waitFor({ state: 'detached' });
    };
    const profile = page.getByRole('region', { name: 'Business profile' });
    const staff = page.getByRole('link', { name: 'Staff', exact: true });
    await isAsked(profile.getByRole('textbox', { name: 'Name' }), () => staff.click());

    const form = page.getByRole('dialog', { name: 'Add a staff member' });
    const name = form.getByRole('textbox', { name: 'Name' });
    for (const leave of [
      () => page.goBack(),
      () => form.getByRole('button', { name: 'Close' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await page.getByRole('button', { name: 'Add staff member' }).click();
      await isAsked(name, leave);
    }
    await page.getByRole('heading', { level: 1, name: 'Staff' }).waitFor();
    // The address does not change with this dialog.
    await visit(page, '/calendar');
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    const booking = page.getByRole('dialog', { name: 'New booking' });
    const comment = booking.getByRole('textbox', { name: 'Comment' });
    await isAsked(comment, () => booking.getByRole('button', { name: 'Close' }).click());
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    await comment.fill('The button "Cancel" says what it does, and does not ask.');
    await booking.getByRole('button', { name: 'Cancel' }).click();
    await booking.waitFor({ state: 'hidden' });
  });

  test("Blocking part of a staff member's day keeps the rest of the day bookable, and lists the bookings in the blocked time", async () => {
    const owner = await system().owner();
    const [member] = owner.tenant.staff;
    const slots = await owner.tenant.call<{ data: { startTime: string; staffId: number }[] }>(
      'GET',
      `/slots?serviceId=${owner.tenant.services[0]?.id}&staffId=${member?.id}&from=${inDays(7)}&to=${inDays(13)}`,
    );
    const startTime = slots.body.data.find((slot) => slot.startTime.includes('T13:'))?.startTime ?? '';
    const date = startTime.slice(0, 10);
    await owner.call('POST', '/bookings', {
      serviceId: owner.tenant.services[0]?.id,
      staffId: member?.id,
      startTime,
      client: { name: `Jane Doe ${'Long'.repeat(20)}`, email: 'jane@example.com' },
    });
    const { page } = await openAs(owner, `/staff/${member?.id}`);
    await page.getByRole('button', { name: 'Add days' }).click();
    const form = page.getByRole('dialog', { name: 'Time off and special hours' });
    // Only a click opens the calendar.
    await form.getByLabel('First day').click();
    await form.getByLabel('First day').fill(date);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await page
        .getByRole('button', { name: date.slice(0, 4) })
        .first()
        .waitFor();
      await form.getByRole('link', { name: /Jane Doe/ }).waitFor();
      await expectAccessible(page, `days-${colorScheme}`, ['button-name', 'color-contrast']);
    }
    await page.keyboard.press('Tab');
    // The other days of the week include days off, which need no exception.
    await form.getByLabel('Last day').fill(inDays(6, Date.parse(date)));
    await page.keyboard.press('Tab');
    await form.getByText('Block a time').click();
    await form.getByLabel('Blocked from').fill('03:00');
    await form.getByLabel('Blocked until').fill('04:00');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('This time is not in the working hours').waitFor();
    await form.getByLabel('Blocked from').fill('10');
    await form.getByLabel('Blocked until').fill('11:00');
    expect(await form.getByText('1 booking is in this time').count()).toBe(0);
    await form.getByLabel('Blocked until').fill('15:00');
    await form.getByText('1 booking is in this time').waitFor();
    await form.getByRole('link', { name: /Jane Doe/ }).waitFor();
    await expectAccessible(page, 'staff-block');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Time off and special hours saved').waitFor();
    const { exceptions } = await owner.call<Schedule>('GET', `/staff/${member?.id}/schedule`);
    expect(exceptions[date]?.map(({ from, to }) => `${from}-${to}`)).not.toContain('10:00-15:00');
    expect(exceptions[date]?.some(({ from, to }) => from < '15:00' && to > '10:00')).toBe(false);
    for (const day of Object.keys(exceptions)) expect(exceptions[day]?.length, day).toBeGreaterThan(0);
    expect(Object.keys(exceptions).length).toBeLessThan(7);
  });

  test('An owner can remove all past days off and special hours of a staff member at once, and future ones stay', async () => {
    const owner = await system().owner();
    const [member] = owner.tenant.staff;
    const exceptions = Object.fromEntries([-400, -2, 30].map((days) => [inDays(days), []]));
    await owner.call('PATCH', `/staff/${member?.id}/schedule`, { exceptions });
    const { page } = await openAs(owner, `/staff/${member?.id}`);
    const days = page.getByRole('region', { name: 'Time off and special hours' });
    await days.getByText('2 past days are not shown.').waitFor();
    await days.getByRole('button', { name: 'Remove past days' }).click();
    const question = page.getByRole('dialog', { name: 'Remove the past days?' });
    const consequence = question.getByText('The occupancy of these days is then calculated from the weekly hours.');
    await expectAccessibleInAllThemes(page, 'staff-past', consequence);
    await question.getByRole('button', { name: 'Remove past days' }).click();
    await days.getByText('not shown').waitFor({ state: 'detached' });
    const saved = await owner.call<Schedule>('GET', `/staff/${member?.id}/schedule`);
    expect(saved.exceptions).toEqual({ [inDays(30)]: [] });
  });

  test('Services, staff and settings are accessible in light mode, in dark mode and on a phone, even with very long names', async () => {
    const owner = await system().owner();
    const [service = { name: '' }, , other] = owner.tenant.services;
    await owner.call('PATCH', `/services/${other?.id}`, { name: 'x'.repeat(200), category: 'x'.repeat(200) });
    const [member = { name: '' }, , colleague] = owner.tenant.staff;
    await owner.call('PATCH', `/staff/${colleague?.id}`, { name: '👩🏽‍🦰 🇱🇻' });
    const { page } = await openAs(owner, '/services');
    await page.getByRole('table').waitFor();
    await expectFits(page, 'services in groups');
    const names = async () =>
      (await page.getByRole('row').allTextContents()).slice(1).map((row) => /^\p{L}+/u.exec(row)?.[0] ?? '');
    await page.getByRole('button', { name: 'Service', exact: true }).click();
    expect(await names()).toEqual((await names()).toSorted());
    await page.getByRole('columnheader', { name: 'Service', exact: true }).getByRole('button').click();
    expect(await names()).toEqual((await names()).toSorted().reverse());
    await expectAccessibleInAllThemes(page, 'services');
    await page.getByRole('link', { name: service.name }).click();
    await page.getByRole('textbox', { name: 'Price' }).waitFor();
    await expectAccessibleInAllThemes(page, 'service');
    await visit(page, '/staff');
    await page.getByRole('link', { name: member.name }).waitFor();
    await page.getByText('👩🏽‍🦰🇱🇻', { exact: true }).waitFor();
    await expectAccessibleInAllThemes(page, 'staff');
    await page.getByRole('link', { name: member.name }).click();
    await page.getByRole('region', { name: 'Weekly hours' }).waitFor();
    await expectAccessibleInAllThemes(page, 'staff-member');
    await visit(page, '/settings');
    await page.getByRole('region', { name: 'Opening hours' }).waitFor();
    await expectAccessibleInAllThemes(page, 'settings');
    // A phone whose browser has twice the font size.
    await page.setViewportSize({ width: 195, height: 422 });
    await expectFits(page, 'settings-large-font');
    const rightEdge = async () => {
      const box = await page.getByRole('button', { name: 'Account', exact: true }).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    await expect.poll(rightEdge).toBeLessThan(195);
  });
});
