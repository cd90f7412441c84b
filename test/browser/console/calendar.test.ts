/** The calendar: what is seen of a day and a week, and every way in which a booking changes. */
import { expect, test } from 'vitest';
import { isoOf, zoneOf } from '../../../core/availability/zone.ts';
import { inChromium } from '../../support/chromium.ts';
import { expectGoodLooks, looks, type Owner, openAs, withConsole } from '../../support/console.ts';

const system = withConsole();
const timeout = 90_000;

/** The next Tuesday at least two days ahead: everybody works. */
const day = (() => {
  const at = new Date(Date.now() + 2 * 86_400_000);
  while (at.getUTCDay() !== 2) at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
})();

interface Made {
  readonly id: number;
  readonly startTime: string;
}

/** Books the haircut with a staff member, who is free then. */
async function booked(owner: Owner, time: string, name: string, staff = 0): Promise<Made> {
  const { business, services, staff: members } = owner.tenant;
  const local = Date.parse(`${day}T${time}:00Z`) / 60_000;
  const startTime = [-180, -120]
    .map((ahead) => isoOf(zoneOf(business.timeZone), local + ahead))
    .find((text) => text.includes(`T${time}`));
  return system().call<Made>(owner, 'POST', '/bookings', {
    serviceId: services[0]?.id,
    staffId: members[staff]?.id,
    startTime,
    client: { name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` },
  });
}

const timeOf = async (owner: Owner, id: number) =>
  (await system().call<Made>(owner, 'GET', `/bookings/${id}`)).startTime;

inChromium('the calendar', (open) => {
  test.each(Object.entries(looks))('shows a day of everybody (%s)', { timeout }, async (look, options) => {
    const owner = await system().owner();
    await booked(owner, '10:00', 'Jane Doe');
    await booked(owner, '13:00', 'Max Power', 1);
    const { page, errors } = await openAs(open, system().origin, owner, `/calendar?day=${day}`, options);
    await page.getByRole('button', { name: /Jane Doe.*Haircut.*Confirmed/ }).waitFor();
    await expectGoodLooks(page, `calendar-day-${look}`);
    await page.getByText('Week', { exact: true }).click();
    await page
      .getByRole('button', { name: /Jane Doe.*Haircut/ })
      .first()
      .waitFor();
    await expectGoodLooks(page, `calendar-week-${look}`);
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });

  test('books by keyboard, for a new client; a time that is taken offers what is free next', { timeout }, async () => {
    const owner = await system().owner();
    await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(open, system().origin, owner, `/calendar?day=${day}`);
    await page.getByRole('button', { name: /Jane Doe/ }).waitFor();
    await page.getByRole('button', { name: 'New booking' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    await dialog.getByLabel('Staff').first().click();
    await page.getByRole('option', { name: 'Anna' }).click();
    await dialog.getByLabel('Start').fill(`${day}T10:00`);
    await dialog.getByText('New', { exact: true }).click();
    await dialog.getByLabel('Name').fill('Kim Ray');
    await dialog.getByLabel('Phone').fill('+37120000001');
    await dialog.getByRole('button', { name: 'Book', exact: true }).press('Enter');
    await dialog.getByText('This time is taken').waitFor();
    await expectGoodLooks(page, 'calendar-taken');
    await dialog.getByRole('button', { name: /10:45/ }).click();
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('button', { name: /Kim Ray.*Haircut.*Confirmed/ }).waitFor();
  });

  test('moves by a form and by dragging, and cancels', { timeout }, async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(open, system().origin, owner, `/calendar?day=${day}&booking=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Jane Doe' });
    await drawer.getByRole('button', { name: 'Move' }).click();
    const form = page.getByRole('dialog', { name: 'Move the booking' });
    await form.getByLabel('Start').fill(`${day}T14:00`);
    await form.getByRole('button', { name: 'Move' }).click();
    await drawer.getByText(/14:00–14:45/).waitFor();
    await expectGoodLooks(page, 'calendar-booking');
    await page.keyboard.press('Escape');

    const drawn = page.getByRole('button', { name: /Jane Doe.*Haircut/ });
    await drawn.dragTo(page.getByRole('button', { name: /Anna .*16:00:00 - / }), { targetPosition: { x: 4, y: 30 } });
    await expect.poll(() => timeOf(owner, id)).toContain('T16:00');
    await page.getByRole('button', { name: /Jane Doe.*Haircut/ }).click();
    await drawer.getByRole('button', { name: 'Cancel booking' }).click();
    await drawer.getByLabel('Reason').fill('Ill');
    await drawer.getByRole('button', { name: 'Cancel booking' }).click();
    await drawer.getByText('Cancelled').waitFor();
  });
});
