/** Services, staff, hours and settings. */
import { expect, test } from 'vitest';
import { breakCall, expectAccessible, expectAccessibleInAllThemes, screens } from '../../support/console.ts';

interface ServiceList {
  readonly data: readonly { readonly name: string; readonly price: object; readonly active: boolean }[];
}

interface Schedule {
  readonly weekly: Readonly<Record<string, readonly { readonly from: string; readonly to: string }[]>>;
  readonly exceptions: Readonly<Record<string, readonly { readonly from: string; readonly to: string }[]>>;
}

export const setUp = screens('the set-up of a business', ({ openAs, system }) => {
  test('A new owner sets up the business and adds a service', { timeout: 90_000 }, async () => {
    const email = 'new-owner@salon.example';
    system().run.owners?.invite({ tenantId: 987_654_321, email, name: 'New owner' });
    const { page, errors } = await openAs({ email }, '/services');
    await page.getByText('Enter its name, time zone and currency.', { exact: false }).waitFor();
    await expectAccessible(page, 'no-business');
    await page.getByRole('link', { name: 'Set up your business' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Nordlys');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Oslo');
    await page.getByRole('option', { name: 'Europe/Oslo' }).click();
    await page.getByRole('combobox', { name: 'Currency' }).fill('NOK');
    await page.getByRole('option', { name: /^NOK/ }).click();
    await expectAccessible(page, 'settings-first');
    await page.getByRole('button', { name: 'Set up your business' }).click();

    const hours = page.getByRole('region', { name: 'Opening hours' });
    await hours.getByRole('switch', { name: 'Monday' }).check();
    await hours.getByRole('button', { name: 'Copy Monday' }).click();
    await page.getByRole('menuitem', { name: 'To Monday–Friday' }).click();
    await hours.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Opening hours saved').waitFor();
    await hours.getByLabel('Friday, to').waitFor();

    await page.getByRole('link', { name: 'Services' }).click();
    await page.getByText('No services yet').waitFor();
    await page.getByRole('button', { name: 'Add service' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add a service' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Klipp');
    await form.getByRole('textbox', { name: 'Price' }).fill('650');
    await form.getByRole('button', { name: 'Add service' }).click();
    await page.getByRole('row', { name: /Klipp.*1 hr.*NOK.650\.00/ }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Cannot be changed: 1 service has a price.').waitFor();
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });

  test('An owner changes booking rules, but not the time zone while there are upcoming bookings', {
    timeout: 90_000,
  }, async () => {
    const owner = await system().owner();
    await owner.call('POST', '/bookings', owner.tenant.booking());
    const { page } = await openAs(owner, '/settings');
    const rules = page.getByRole('region', { name: 'Booking rules' });
    await rules.getByRole('textbox', { name: 'Minimum notice' }).fill('');
    await rules.getByRole('textbox', { name: 'Book ahead up to' }).fill('9999');
    await rules.getByRole('button', { name: 'Save' }).click();
    await rules.getByText('Must be an integer from 0 to 525600.').waitFor();
    await rules.getByText('Must be an integer from 1 to 730.').waitFor();
    await rules.getByRole('textbox', { name: 'Minimum notice' }).fill('1500');
    await rules.getByText('1 day 1 hr.').waitFor();
    await rules.getByRole('textbox', { name: 'Book ahead up to' }).fill('60');
    await rules.getByRole('radio', { name: 'Confirm manually' }).click();
    await rules.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Booking rules saved').waitFor();
    const { bookingRules } = await owner.call<{ bookingRules: object }>('GET', '/business');
    expect(bookingRules).toMatchObject({ minNoticeMinutes: 1_500, maxAdvanceDays: 60, confirmation: 'manual' });

    const place = page.getByRole('region', { name: 'Time zone and currency' });
    await place.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await place.getByRole('button', { name: 'Save' }).click();
    await place.getByText('There are upcoming bookings').waitFor();
    await place.getByText('future_bookings').waitFor();
    await place.getByRole('button', { name: 'Discard changes' }).click();
    await place.getByText('There are upcoming bookings').waitFor({ state: 'detached' });
  });

  test('An owner adds a service, corrects its fields, pauses and deletes it', { timeout: 90_000 }, async () => {
    const owner = await system().owner();
    const { page, errors } = await openAs(owner, '/services');
    const offered = async () => (await owner.call<ServiceList>('GET', '/services')).data;

    await page.getByRole('button', { name: 'Add service' }).click();
    const form = page.getByRole('dialog', { name: 'Add a service' });
    await form.getByRole('button', { name: 'Add service' }).click();
    await form.getByText('Must not be empty.').waitFor();
    expect(await form.getByRole('textbox', { name: 'Name' }).evaluate((field) => field.matches(':focus'))).toBe(true);
    await expectAccessible(page, 'service-refused');
    await form.getByRole('textbox', { name: 'Name' }).fill('Hair wash');
    await form.getByRole('textbox', { name: 'Duration' }).fill('20');
    await form.getByRole('textbox', { name: 'Price' }).fill('12,50');
    await form.getByRole('button', { name: 'Add service' }).click();
    await page.getByRole('row', { name: /Hair wash.*20 min.*€12.50.*Active/ }).waitFor();
    expect(await offered()).toContainEqual(
      expect.objectContaining({ name: 'Hair wash', price: { amount: 1_250, currency: 'EUR' } }),
    );

    await page.getByRole('link', { name: 'Hair wash' }).click();
    const change = page.getByRole('dialog', { name: 'Hair wash' });
    await page.reload();
    await change.getByRole('switch', { name: 'Can be booked' }).uncheck();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Hair wash.*Paused/ }).waitFor();
    await change.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Hair wash' }).click();
    await change.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete service' }).click();
    await page.getByRole('row', { name: /Hair wash/ }).waitFor({ state: 'detached' });
    expect((await offered()).map(({ name }) => name)).not.toContain('Hair wash');
    expect(errors.filter((error) => !/40[04]/.test(error))).toEqual([]);
  });

  test('An owner adds a staff member with two shifts on Monday and a week off', { timeout: 90_000 }, async () => {
    const owner = await system().owner();
    const { page, errors } = await openAs(owner, '/staff');

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
    await days.getByRole('button', { name: 'Save' }).click();
    await days.getByText('The last day must not be before the first day').waitFor();
    await days.getByLabel('Last day').fill('2031-07-09');
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
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('A list of services that fails to load shows code and request id, and loads on retry', async () => {
    const owner = await system().owner();
    const { page } = await openAs(owner, '/clients');
    const broken = { statusCode: 429, code: 'rate_limit_exceeded', message: 'Too many.', requestId: 'req-7' };
    const restore = await breakCall(page, '**/v1/account/services?*', 429, broken);
    await page.getByRole('link', { name: 'Services' }).click();
    await page.getByRole('alert').getByText('req-7').waitFor();
    await restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table').waitFor();
  });

  test('Services, staff and settings are accessible in light, dark and on a phone', { timeout: 90_000 }, async () => {
    const owner = await system().owner();
    const { page } = await openAs(owner, '/services');
    const [service = { name: '' }] = owner.tenant.services;
    const [member = { name: '' }] = owner.tenant.staff;
    await page.getByRole('table').waitFor();
    await expectAccessibleInAllThemes(page, 'services');
    await page.getByRole('link', { name: service.name }).click();
    await page.getByRole('textbox', { name: 'Price' }).waitFor();
    await expectAccessibleInAllThemes(page, 'service');
    await page.goto(`${system().origin}/staff`);
    await page.getByRole('table').waitFor();
    await expectAccessibleInAllThemes(page, 'staff');
    await page.getByRole('link', { name: member.name }).click();
    await page.getByRole('region', { name: 'Weekly hours' }).waitFor();
    await expectAccessibleInAllThemes(page, 'staff-member');
    await page.goto(`${system().origin}/settings`);
    await page.getByRole('region', { name: 'Opening hours' }).waitFor();
    await expectAccessibleInAllThemes(page, 'settings');
  });
});
