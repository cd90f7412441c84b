/** Bookings of classes, visits with several staff members, rooms, and times outside the rules. */
import { expect, test } from 'vitest';
import {
  breakCall,
  clientNamed,
  nextTuesday as day,
  expectAccessible,
  expectAccessibleInAllThemes,
  type Owner,
  screens,
  visit,
} from '../../support/console.ts';

/** A class with twelve places by the second staff member, in a room. */
async function withClass(owner: Owner): Promise<number> {
  const staffIds = [owner.tenant.staff[1]?.id];
  await owner.call('POST', '/resources', { name: 'Big room', kind: 'room' });
  const service = { name: 'Yoga', durationMinutes: 60, price: { amount: 1_200, currency: 'EUR' } };
  const body = { ...service, capacity: 12, resourceKind: 'room', staffIds };
  return (await owner.call<{ id: number }>('POST', '/services', body)).id;
}

export const specialBookings = screens('special bookings', ({ openAs, openAsOwner, system }) => {
  test('The calendar shows a class with several participants as one card, from which an owner can book another place', async () => {
    const owner = await system().owner();
    const serviceId = await withClass(owner);
    const book = (name: string, places: number) =>
      owner.call('POST', '/bookings', { serviceId, startTime: `${day}T09:00:00Z`, client: clientNamed(name), places });
    await book('Jane Doe', 1);
    await book('Max Power', 2);
    const { page, errors } = await openAs(owner, `/calendar?day=${day}`);
    await page.getByRole('button', { name: /^Yoga.*3 of 12 places.*Marta, Big room, Jane Doe, Max Power$/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Yoga' });
    const people = drawer.getByRole('list', { name: 'Who takes part' }).getByRole('listitem');
    await expect
      .poll(() => people.allInnerTexts())
      .toEqual([expect.stringContaining('Jane Doe'), expect.stringMatching(/Max Power\s*2 places/)]);
    // A phone shows one staff member, who is that of the open class.
    await expectAccessibleInAllThemes(page, 'calendar-class', people.first());
    await drawer.getByRole('button', { name: 'Book a place' }).click();
    const form = page.getByRole('dialog', { name: 'New booking' });
    await expect.poll(() => form.getByRole('combobox', { name: 'Service' }).inputValue()).toBe('Yoga');
    const places = form.getByRole('textbox', { name: 'Places' });
    await places.fill('10');
    await form.getByText('Not enough places are left.').waitFor();
    await places.fill('4');
    await form.getByText('Not enough places are left.').waitFor({ state: 'detached' });
    await form.getByText('New', { exact: true }).click();
    await form.getByLabel('Name').fill('Kim Ray');
    await form.getByLabel('Email').fill('kim@example.com');
    await form.getByRole('button', { name: 'Book', exact: true }).click();
    await drawer.getByText('7 of 12 places').waitFor();
    // The class keeps its places if the service has fewer or more from now on.
    await owner.call('PATCH', `/services/${serviceId}`, { capacity: 5 });
    await page.reload();
    await drawer.getByText('7 of 12 places').waitFor();
    await drawer.getByRole('button', { name: 'Book a place' }).click({ trial: true });
    await book('Ann Lee', 5);
    await owner.call('PATCH', `/services/${serviceId}`, { capacity: 20 });
    await page.reload();
    await drawer.getByText('12 of 12 places').waitFor();
    expect(await drawer.getByRole('button', { name: 'All places are taken' }).isDisabled()).toBe(true);
    await people.nth(2).getByRole('link', { name: 'Kim Ray' }).click();
    await page.getByRole('dialog', { name: 'Kim Ray' }).getByText('Yoga · 4 places').waitFor();
    expect(errors).toEqual([]);
  });

  test('An owner can book and move a visit of several services outside working hours, and is warned who does not work at that time', async () => {
    const { page, errors } = await openAsOwner(`/calendar?day=${day}`);
    await page.getByRole('button', { name: /^Add booking, Anna, .*, 09:00–10:00$/ }).click();
    const form = page.getByRole('dialog', { name: 'New booking' });
    const choose = async (field: string, option: string) => {
      await form.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Service', 'Haircut');
    await form.getByRole('button', { name: 'Add another service' }).click();
    await choose('2. Service', 'Colour');
    await choose('2. Staff', 'Marta');
    // Marta begins at 11:00, so the first start for both is in her hours.
    await form.getByRole('combobox', { name: 'Start' }).click();
    await expect.poll(() => page.getByRole('option').first().textContent()).toBe('10:15');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Book', exact: true }).click();
    await form.getByText('Choose a free time').waitFor();
    await form.getByRole('switch', { name: /^Any time/ }).check();
    await form.getByText('Choose a free time').waitFor({ state: 'detached' });
    await form.getByRole('textbox', { name: 'Start' }).fill('6:30');
    const warning = form.getByRole('alert').filter({ hasText: 'Against your booking rules' });
    await warning.getByText('Haircut: Anna does not work at this time.').waitFor();
    await warning.getByText('Colour: Marta does not work at this time.').waitFor();
    await expectAccessibleInAllThemes(page, 'calendar-outside-rules', warning);
    await form.getByText('New', { exact: true }).click();
    await form.getByLabel('Name').fill('Jane Doe');
    await form.getByLabel('Phone').fill('+37120000001');
    await form.getByRole('button', { name: 'Book anyway' }).click();
    const card = (member: string) => page.getByRole('row', { name: member }).getByRole('button', { name: /^Jane Doe/ });
    await page
      .getByRole('button', { name: /^Jane Doe.*Haircut · 1 of 2.*06:30–07:15, Anna, Confirmed, Anna, Marta$/ })
      .waitFor();
    await page
      .getByRole('button', { name: /^Jane Doe.*Colour · 2 of 2.*07:15–09:15, Marta, Confirmed, Anna, Marta$/ })
      .click();
    const drawer = page.getByRole('dialog', { name: 'Jane Doe' });
    await drawer.getByText('06:30–07:15 Haircut').waitFor();
    await drawer.getByText('07:15–09:15 Colour').waitFor();
    // The whole visit moves, and each staff member keeps a part.
    await drawer.getByRole('button', { name: 'Move' }).click();
    const move = page.getByRole('dialog', { name: 'Move booking' });
    await move.getByText('Jane Doe · Haircut + Colour').waitFor();
    await expect.poll(() => move.getByRole('combobox', { name: 'Staff' }).inputValue()).toBe('Anna, Marta');
    await move.getByRole('switch', { name: /^Any time/ }).check();
    await move.getByRole('textbox', { name: 'Start' }).fill('7:00');
    await move.getByRole('button', { name: 'Move anyway' }).click();
    await drawer.getByText('07:00–07:45 Haircut').waitFor();
    await drawer.getByText('07:45–09:45 Colour').waitFor();
    expect(await drawer.getByText(/^(Anna|Marta)$/).allTextContents()).toEqual(['Anna', 'Marta']);
    // The week of all staff has a card in the row of each of them.
    await visit(page, `/calendar?view=week&staff=all&day=${day}`);
    await card('Anna').waitFor();
    await card('Marta').waitFor();
    expect(errors.filter((error) => !error.includes('409'))).toEqual([]);
  });

  test('The calendar shows when staff are busy according to their other calendars, and an owner can remove these times', async () => {
    const owner = await system().owner();
    const [anna] = owner.tenant.staff;
    const hours = (from: number, to: number) => ({
      startTime: `${day}T${from}:00:00Z`,
      endTime: `${day}T${to}:00:00Z`,
    });
    await owner.call('PUT', `/staff/${anna?.id}/busy/dentist`, { blocks: [hours(10, 11), hours(13, 14)] });
    const busy = async () => {
      const { data } = await owner.call<{ data: { blocks: object[] }[] }>('GET', `/staff/${anna?.id}/busy`);
      return data.flatMap(({ blocks }) => blocks).length;
    };
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    await page.getByText('Busy (dentist)').nth(1).waitFor();
    await page.getByText('Week', { exact: true }).click();
    await page
      .getByText(/^\d\d:00–\d\d:00 Busy \(dentist\)$/)
      .first()
      .waitFor();
    await visit(page, `/staff/${anna?.id}`);
    const list = page.getByRole('region', { name: 'Busy in other calendars' });
    await list.getByText('2 times').waitFor();
    await expectAccessible(page, 'staff-busy');
    await list
      .getByRole('button', { name: /^Remove: \w+, / })
      .first()
      .click();
    await list.getByText('1 time').waitFor();
    expect(await busy()).toBe(1);
    await list.getByRole('button', { name: 'Remove: dentist' }).click();
    // The message stays while the pointer is on it, instead of ten seconds.
    await page.getByRole('button', { name: 'Undo' }).last().hover();
    await list.getByText('No other calendar is connected.').waitFor();
    expect(await busy()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(busy).toBe(1);
  });

  test('An owner finds a booking by number, reference or client name, and sees an error if the search fails', async () => {
    const owner = await system().owner();
    const stored = { externalId: 'crm-77', metadata: { voucher: 'XMAS' } };
    const { id } = await owner.call<{ id: number }>('POST', '/bookings', { ...owner.tenant.booking(), ...stored });
    await owner.call('POST', '/clients', clientNamed('Kim Ray'));
    const { page, errors } = await openAs(owner, '/bookings');
    const find = page.getByRole('combobox', { name: 'Find' });
    expect(await find.getAttribute('placeholder')).toBe('Client, booking number or reference');
    const drawer = page.getByRole('dialog');
    for (const words of [`#${id}`, 'crm-77']) {
      await find.fill(words);
      await page.getByRole('option', { name: /Haircut/ }).click();
      await drawer.getByText('crm-77').waitFor();
      await drawer.getByText('voucher: XMAS').waitFor();
      expect(new URL(page.url()).searchParams.get('booking')).toBe(String(id));
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
    }
    await find.fill('crm-78');
    await page.getByText('Nothing found.').waitFor();
    await find.fill('kim');
    await page.getByRole('option', { name: 'Kim Ray kim.ray@example.com' }).click();
    await page.getByText('No upcoming bookings').waitFor();
    await expectAccessibleInAllThemes(page, 'bookings-of-client');
    expect(errors).toEqual([]);
    await breakCall(page, '**/v1/account/clients?*', 429, { code: 'rate_limit_exceeded' });
    for (const [path, name] of [
      ['/bookings', 'Find'],
      ['/payments', 'Client'],
    ] as const) {
      await visit(page, path);
      await page.getByRole('combobox', { name }).fill('another client');
      await page.getByText('Too many requests. Wait a moment and try again').waitFor();
    }
  });

  test('An owner adds a room, makes a service require a room, archives the room, and deletes it', async () => {
    const { owner, page, errors } = await openAsOwner('/resources');
    await page.getByText('No rooms yet').waitFor();
    await page.getByRole('button', { name: 'Add room' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add room' });
    await form.getByRole('button', { name: 'Add room' }).click();
    await form.getByText('Must not be empty.').first().waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('Cabin 1');
    await form.getByRole('combobox', { name: 'Kind' }).fill('cabin');
    await form.getByRole('button', { name: 'Add room' }).click();
    await page.getByRole('row', { name: /Cabin 1.*cabin.*No service needs it.*Active/ }).waitFor();
    await expectAccessibleInAllThemes(page, 'resources');

    await visit(page, `/services?service=${owner.tenant.services[0]?.id}`);
    const service = page.getByRole('dialog', { name: 'Haircut' });
    await service.getByRole('combobox', { name: 'Needs a room' }).fill('cab');
    await page.getByRole('option', { name: 'cabin' }).click();
    await service.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Haircut.*cabin/ }).waitFor();

    await page.getByRole('link', { name: 'Rooms', exact: true }).click();
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/Cabin 1.*Haircut.*Active/)
      .getByRole('link')
      .click();
    const room = page.getByRole('dialog', { name: 'Cabin 1' });
    await room.getByRole('switch', { name: 'Can be booked' }).uncheck();
    await room.getByRole('button', { name: 'Save' }).click();
    await row(/Cabin 1.*Paused/)
      .getByRole('link')
      .click();
    await room.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete room' }).click();
    await page.getByText('No rooms yet').waitFor();
    expect(errors.filter((error) => !/40[04]/.test(error))).toEqual([]);
  });
});
