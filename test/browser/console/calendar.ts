/** The calendar: day and week, and every change of a booking. */
import type { Locator, Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { isoOf, localToEpoch, zoneOf } from '../../../core/availability/zone.ts';
import { everyDay, hoursOf } from '../../support/always-open.ts';
import {
  changeAnswer,
  nextTuesday as day,
  expectAccessible,
  expectAccessibleInAllThemes,
  loseAnswer,
  nextClockChange,
  type Owner,
  screens,
  visit,
} from '../../support/console.ts';
import { booked, bookedAt, type Made } from './booked.ts';

async function choose(page: Page, form: Locator, time: string) {
  await form.getByRole('combobox', { name: 'Start' }).click();
  await page.getByRole('option', { name: time, exact: true }).click();
}

const timeOf = async (owner: Owner, id: number) => (await owner.call<Made>('GET', `/bookings/${id}`)).startTime;

export const calendar = screens('the calendar', ({ open, openAs, openBySigningIn, system }) => {
  test('The calendar shows client, service, time, staff and status of each booking, and is accessible in every view', async () => {
    const owner = await system().owner();
    await booked(owner, '10:00', 'Jane Doe');
    await booked(owner, '13:00', 'Max Power', 1);
    const { page, errors } = await openAs(owner, `/calendar?day=${day}`);
    const inDay = page.getByRole('button', { name: /^Jane Doe.*Haircut.*10:00–10:45, Anna, Confirmed$/ });
    await expectAccessibleInAllThemes(page, 'calendar-day', inDay);
    await page.getByText('Week', { exact: true }).click();
    const inWeek = page.getByRole('button', { name: /Jane Doe.*Haircut.*10:00–10:45, Anna, Confirmed/ }).first();
    await expectAccessibleInAllThemes(page, 'calendar-week', inWeek);
    await visit(page, `/calendar?view=week&staff="all"&day=${day}`);
    await page.getByRole('link', { name: 'Show the week of Anna' }).waitFor();
    await expectAccessibleInAllThemes(page, 'calendar-week-team', page.getByRole('button', { name: /Max Power/ }));
    // Each staff member has a row: this is the cell of Anna and the day.
    const cell = page.getByRole('row', { name: /Anna/ }).getByRole('cell').nth(1);
    await cell.getByRole('button', { name: /Jane Doe/ }).waitFor();
    await cell.getByRole('button', { name: /^Add booking, Anna, Tue/ }).click();
    await page.getByRole('dialog', { name: 'New booking' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Show the week of Anna' }).click();
    await page.getByRole('button', { name: /Max Power/ }).waitFor({ state: 'detached' });
    // Windows high contrast removes most backgrounds.
    await page.emulateMedia({ forcedColors: 'active' });
    const color = (name: string) =>
      page.getByRole('link', { name, exact: true }).evaluate((link) => getComputedStyle(link).backgroundColor);
    expect(await color('Calendar')).not.toBe(await color('Bookings'));
    await page.getByText('Day', { exact: true }).click();
    await page.getByRole('button', { name: 'Add booking, Anna, 09:00–09:30', exact: true }).waitFor();
    expect(await inDay.evaluate((card) => getComputedStyle(card).borderStyle), 'shows the extent').toBe('solid');
    // On a phone, both weeks scroll sideways to the chosen day.
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByRole('button', { name: 'Open menu' }).waitFor();
    const sunday = new Date(Date.parse(day) + 5 * 86_400_000).toISOString().slice(0, 10);
    for (const staff of ['all', owner.tenant.staff[0]?.id]) {
      await visit(page, `/calendar?view=week&staff=${JSON.stringify(staff)}&day=${sunday}`);
      const label = page.locator('main').getByText(/^Sun/).last();
      await expect.poll(async () => (await label.boundingBox())?.x).toBeLessThan(320);
    }
    // The hours stay in view.
    expect((await page.getByText('11:00', { exact: true }).boundingBox())?.x).toBeGreaterThan(0);
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });

  test("The calendar shows early, late and former staff's bookings and blocked time, and truncates no long name or start time", async () => {
    const owner = await system().owner();
    const [anna, other] = owner.tenant.staff;
    const longName = 'Christopher-Alexander Bartholomew Featherstonehaugh';
    const exceptions = { [day]: hoursOf('05:30-10:00 12:00-23:00') };
    await owner.call('PATCH', `/staff/${anna?.id}/schedule`, { weekly: everyDay('05:30-23:00'), exceptions });
    await owner.call('PATCH', `/staff/${anna?.id}`, { name: longName });
    await owner.call('PATCH', `/services/${owner.tenant.services[0]?.id}`, { durationMinutes: 30 });
    await booked(owner, '06:00', 'Early Bird');
    await booked(owner, '22:00', 'Night Owl');
    await booked(owner, '13:00', 'Max Power', 1);
    await owner.call('PATCH', `/staff/${other?.id}`, { active: false });
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    for (const view of ['day', 'week']) {
      if (view === 'week') {
        await visit(page, `/calendar?day=${day}&view=week&staff=all`);
        await page.getByRole('link', { name: `Show the week of ${longName}` }).waitFor();
      }
      for (const name of ['Early Bird', 'Night Owl', 'Max Power']) {
        const block = page.getByRole('button', { name: new RegExp(name) }).first();
        await block.waitFor();
        expect((await block.boundingBox())?.width).toBeGreaterThan(0);
      }
      if (view === 'week') continue;
      const label = page.getByTitle(longName, { exact: true });
      expect(await label.evaluate((name) => name.scrollWidth <= (name.parentElement?.clientWidth ?? 0))).toBe(true);
      const start = page.getByRole('button', { name: /Early Bird/ }).locator('p', { hasText: '06:00' });
      const isWhole = await start.evaluate((line) => {
        const range = document.createRange();
        range.selectNodeContents([...line.childNodes].find(({ textContent }) => textContent === '06:00') ?? line);
        // Of a text that does not fit, the last line is cut.
        const end = line.getBoundingClientRect().bottom - (line.scrollHeight > line.clientHeight ? 12 : 0);
        return range.getBoundingClientRect().bottom <= end;
      });
      expect(isWhole).toBe(true);
      await page.getByText('Blocked', { exact: true }).first().waitFor();
      await expectAccessible(page, 'calendar-edges');
      const viewport = page.viewportSize();
      await page.setViewportSize({ width: 1_700, height: 860 });
      const gap = await page.evaluate(`(() => {
        const slots = [...document.querySelectorAll('.calendar-slot')].map((slot) => slot.getBoundingClientRect().right);
        const frame = document.querySelector('.calendar-all').parentElement.getBoundingClientRect();
        return Math.round(frame.right - Math.max(...slots));
      })()`);
      expect(gap, 'empty pixels at the right of a wide screen').toBeLessThan(4);
      if (viewport) await page.setViewportSize(viewport);
    }
  });

  test('A new booking appears in an open calendar within five seconds', async () => {
    const owner = await system().owner();
    const { page } = await openBySigningIn(owner, `/calendar?day=${day}`, open);
    await page.clock.install();
    await page.reload();
    await page.getByText('Anna', { exact: true }).first().waitFor();
    const isList = (request: Request) => request.url().includes('/account/bookings?');
    const unanswered = new Set<Request>();
    page.on('request', (request) => isList(request) && unanswered.add(request));
    page.on('requestfinished', (request) => unanswered.delete(request));
    page.on('requestfailed', (request) => unanswered.delete(request));
    const answered = () => expect.poll(() => unanswered.size).toBe(0);
    // The clock of the page stops, and waits for the answers, however slow they are.
    await page.clock.pauseAt(Date.now() + 60_000);
    await answered();
    await booked(owner, '10:00', 'Jane Doe');
    const listed = page.waitForResponse(
      async (response) => isList(response.request()) && (await response.text()).includes('Jane Doe'),
    );
    for (let ms = 0; ms < 4_900; ms += 700) {
      await page.clock.runFor(700);
      await answered();
    }
    await listed;
    await expect
      .poll(async () => {
        await page.clock.runFor(10);
        return page.getByRole('button', { name: /Jane Doe/ }).count();
      })
      .toBe(1);
  });

  test('The calendar loads all working hours in one request, and reloads a long list of bookings at most every 12 seconds', async () => {
    const owner = await system().owner();
    // A screen without requests of the calendar, which a slow page would still send after the reload.
    const { page } = await openBySigningIn(owner, '/webhooks', open);
    await page.clock.install();
    const ofStaff: string[] = [];
    // The menu asks with `limit=1` whether the business has staff at all.
    page.on('request', (request) => /\/account\/staff\?.*page=/.test(request.url()) && ofStaff.push(request.url()));
    // The time in the page before each response.
    const times: number[] = [];
    await page.route(/account\/bookings\?.*to=/, async (route) => {
      times.push(await page.evaluate('Date.now()'));
      const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      return route.fulfill({ json: { data: [], nextCursor: cursor < 2 ? String(cursor + 1) : null } });
    });
    await page.goto(`${system().origin}/calendar?day=${day}`);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    await expect.poll(() => times.length).toBe(3);
    expect(ofStaff.map((url) => url.replace(/.*staff/, '')).sort()).toEqual([
      '?page=1&limit=100',
      expect.stringMatching(/^\?weekFrom=[-\d]+&page=1&limit=100$/),
    ]);
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return times.length;
      })
      .toBeGreaterThan(3);
    const [, , third = 0, fourth = 0] = times;
    expect(fourth - third).toBeGreaterThanOrEqual(12_000);
    await expect.poll(() => times.length).toBe(6);
  });

  test('An owner can move a booking outside working hours, but not to a staff member who is busy or does not offer the service', async () => {
    const owner = await system().owner();
    const { id, startTime } = await booked(owner, '10:00', 'Jane Doe');
    await owner.call('POST', '/staff', { name: 'Zane', serviceIds: [] });
    const other = await booked(owner, '13:00', 'Max Power');
    const [anna] = owner.tenant.staff;
    const hours = [{ from: '09:00', to: '16:00' }];
    await owner.call('PATCH', `/staff/${anna?.id}/schedule`, { exceptions: { [day]: hours } });
    // A booking late in the evening makes the calendar show the evening.
    await bookedAt(owner, `${day}T17:00:00Z`, 'Night Owl', 1, { outsideRules: true });
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    const block = page.getByRole('button', { name: /Jane Doe.*Haircut/ });
    const dragTo = (slot: RegExp, card = block) =>
      card.dragTo(page.getByRole('button', { name: slot }), { targetPosition: { x: 4, y: 60 }, force: true });
    const form = page.getByRole('dialog', { name: 'Move booking' });
    await dragTo(/Zane, .*, 12:00–/);
    await page.getByText('Zane does not offer Haircut.').waitFor();
    await dragTo(/Anna, .*, 13:00–/);
    await form.getByText('Anna has another booking at this time.').waitFor();
    expect(await form.getByRole('button', { name: 'Move anyway' }).count()).toBe(0);
    await form.getByRole('combobox', { name: 'Staff' }).click();
    await page.getByRole('option', { name: 'Anna' }).click();
    expect(await page.getByRole('option', { name: 'Zane' }).count()).toBe(0);
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(await timeOf(owner, id)).toBe(startTime);
    // Another card is moved before the response.
    const answered = Promise.withResolvers<void>();
    await page.route(`**/v1/account/bookings/${id}/reschedule`, async (route) => {
      const response = await route.fetch({ maxRetries: 1 });
      await answered.promise;
      await route.fulfill({ response });
    });
    await dragTo(/Anna, .*, 16:00–/);
    await dragTo(/Anna, .*, 14:00–/, page.getByRole('button', { name: /Max Power.*Haircut/ }));
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    answered.resolve();
    await form.getByText('Anna does not work at this time.').waitFor();
    await expectAccessible(page, 'calendar-refused');
    await form.getByRole('button', { name: 'Move anyway' }).click();
    await expect.poll(() => timeOf(owner, id)).toContain('T16:00');
    expect(await timeOf(owner, other.id)).toContain('T14:00');
  });

  test('An owner can block time by dragging in the calendar, even if the response of the API is lost, and can undo the block', async () => {
    const owner = await system().owner();
    const [anna] = owner.tenant.staff;
    await booked(owner, '14:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    const slot = (hour: number) => page.getByRole('button', { name: new RegExp(`Add booking, Anna, .*, ${hour}:00–`) });
    await page.getByRole('button', { name: /Jane Doe/ }).waitFor();
    const [from, to] = [await slot(13).boundingBox(), await slot(15).boundingBox()];
    if (!from || !to) throw new Error('The hours are shown');
    await page.mouse.move(from.x + 10, from.y + 60);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + 60, { steps: 8 });
    await page.mouse.up();
    const form = page.getByRole('dialog', { name: 'Block time' });
    await form.getByRole('link', { name: /Jane Doe/ }).waitFor();
    expect(await form.getByLabel('Blocked from').inputValue()).toBe('13:00');
    expect(await form.getByLabel('Blocked until').inputValue()).toBe('16:00');
    await expectAccessible(page, 'calendar-block');
    await form.getByLabel('Blocked until').fill('14:00');
    await form.getByRole('link', { name: /Jane Doe/ }).waitFor({ state: 'detached' });
    await form.getByLabel('Blocked until').fill('16:00');
    // The schedule is loaded again with the block.
    const reloaded = page.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url().includes('/schedule'),
    );
    await loseAnswer(page, 'PATCH', '**/schedule');
    await form.getByRole('button', { name: 'Block time' }).click();
    await form.getByRole('alert').getByText('No connection to the server').waitFor();
    await (await reloaded).finished();
    const edited = Promise.withResolvers<void>();
    await page.route('**/schedule', async (route) => {
      await edited.promise;
      await route.continue();
    });
    await form.getByRole('button', { name: 'Block time' }).click();
    // The undo is of what was sent, whatever the form contains when the response comes.
    await form.getByRole('textbox', { name: 'Day' }).fill('2031-07-07');
    await page.keyboard.press('Tab');
    edited.resolve();
    const undo = page.getByRole('button', { name: 'Undo' });
    // The message stays while the pointer is on it, instead of ten seconds.
    await undo.hover();
    const free = async () => {
      const query = `serviceId=${owner.tenant.services[0]?.id}&staffId=${anna?.id}&from=${day}&to=${day}`;
      const { data } = await owner.call<{ data: Made[] }>('GET', `/slots?${query}`);
      return data.filter(({ startTime }) => /T(13|15):/.test(startTime)).length;
    };
    await expect.poll(free).toBe(0);
    // The message beside it does not truncate it.
    const label = undo.locator('.mantine-Button-label');
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await undo.click();
    await expect.poll(free).toBeGreaterThan(0);
  });

  test('A form that blocks time waits for the schedule, marks an invalid time, and reads the input 15 as 15:00', async () => {
    const owner = await system().owner();
    const [anna, marta] = owner.tenant.staff;
    const { page } = await openAs(owner, `/calendar?day=${day}&staff=${anna?.id}`);
    const expectRefused = async (form: Locator, verb: string) => {
      for (const [from, to] of [
        ['12:00', '1pm'],
        ['12:00', '25:00'],
        ['13:60', '15:00'],
      ] as const) {
        await form.getByLabel('Blocked from').fill(from);
        await form.getByLabel('Blocked until').fill(to);
        await form.getByRole('button', { name: verb }).click();
        await form.getByText('Enter a time, such as 14:30').waitFor();
        const invalid = from === '12:00' ? 'Blocked until' : 'Blocked from';
        expect(await form.getByLabel(invalid).getAttribute('aria-invalid')).toBe('true');
      }
    };
    const exceptions = async (staff = anna) => {
      const path = `/staff/${staff?.id}/schedule`;
      return (await owner.call<{ exceptions: Record<string, object[]> }>('GET', path)).exceptions;
    };
    const loaded = Promise.withResolvers<void>();
    await page.route(`**/v1/account/staff/${marta?.id}/schedule`, async (route) => {
      if (route.request().method() === 'GET') await loaded.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Block time' }).click();
    const block = page.getByRole('dialog', { name: 'Block time' });
    const save = block.getByRole('button', { name: 'Block time' });
    await block.getByRole('combobox', { name: 'Staff' }).click();
    await page.getByRole('option', { name: marta?.name ?? '' }).click();
    // This would overwrite the working hours.
    expect(await save.isDisabled()).toBe(true);
    loaded.resolve();
    await save.click();
    await block.waitFor({ state: 'detached' });
    expect((await exceptions(marta))[day]?.length).toBeGreaterThan(1);

    await page.getByRole('button', { name: 'Block time' }).click();
    await expectRefused(block, 'Block time');
    expect(await exceptions()).toEqual({});
    await block.getByLabel('Blocked from').fill('9');
    await block.getByLabel('Blocked until').fill('15');
    await page.keyboard.press('Enter');
    await page.getByText(/09:00–15:00 blocked for Anna/).waitFor();
    const blocked = await exceptions();
    await visit(page, `/staff/${anna?.id}`);
    // A new screen scrolls to its top when it focuses its heading. A button that moves during a click is not pressed.
    await page.locator('h1:focus').waitFor();
    await page.getByRole('button', { name: 'Add days' }).click();
    const form = page.getByRole('dialog', { name: 'Time off and special hours' });
    await form.getByLabel('First day').fill(day);
    await page.keyboard.press('Tab');
    await form.getByText('Block a time').click();
    await expectRefused(form, 'Save');
    expect(await exceptions()).toEqual(blocked);
    // The end of the day is a time, too.
    await form.getByLabel('Blocked from').fill('16:00');
    await form.getByLabel('Blocked until').fill('24:00');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Time off and special hours saved').waitFor();
  });

  test('A calendar that is left open switches to the next day at midnight in the time zone of the business', async () => {
    const owner = await system().owner();
    const { timeZone } = owner.tenant.business;
    const zone = zoneOf(timeZone);
    const today = isoOf(zone, Math.floor(Date.now() / 60_000)).slice(0, 10);
    const midnight = localToEpoch(zone, today, 0) * 60_000;
    const date = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    const hourMs = 3_600_000;
    const { page } = await openBySigningIn(owner, '/calendar', open);
    await page.clock.install({ time: midnight - hourMs });
    await page.reload();
    const yesterday = page.getByText(date.format(midnight - hourMs), { exact: true });
    await yesterday.waitFor();
    await page.clock.fastForward(hourMs);
    await page.getByText(date.format(midnight), { exact: true }).waitFor();
    await expect.poll(() => yesterday.count()).toBe(0);
    // The clock of the device, which is that of UTC, still shows the day before.
    await page.getByRole('textbox', { name: 'Date' }).click();
    const marked = await page.locator('button[data-highlight-today]').getAttribute('aria-label');
    expect(new Date(`${marked} UTC`).toISOString().slice(0, 10)).toBe(today);
  });

  test('If a time is taken while the booking form is open, the form offers the next free times, which can be booked', async () => {
    const owner = await system().owner();
    await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    await page.getByRole('button', { name: /Jane Doe/ }).waitFor();
    await page.getByRole('button', { name: 'New booking' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    await dialog.getByLabel('Staff').first().click();
    await page.getByRole('option', { name: 'Anna' }).click();
    await dialog.getByRole('combobox', { name: 'Start' }).click();
    await page.getByRole('option', { name: '10:45', exact: true }).waitFor();
    expect(await page.getByRole('option', { name: '10:00', exact: true }).count()).toBe(0);
    await page.getByRole('option', { name: '11:00', exact: true }).click();
    await booked(owner, '11:00', 'Max Power');
    await dialog.getByText('New', { exact: true }).click();
    await dialog.getByLabel('Name').fill('Kim Ray');
    await dialog.getByLabel('Phone').fill('+37120000001');
    await dialog.getByRole('button', { name: 'Book', exact: true }).press('Enter');
    await dialog.getByText('This time is not available').waitFor();
    await dialog.getByText('Anna has another booking at this time.').waitFor();
    await expectAccessible(page, 'calendar-taken');
    await dialog.getByRole('button', { name: /12:30/ }).click();
    await dialog.getByText('This time is not available').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('button', { name: /Kim Ray.*Haircut.*Confirmed/ }).waitFor();
    // On a closed day the form proposes the next start, even if the API refuses to list the slots of two weeks.
    await page.route(/account\/slots\?/, (route) => {
      const { from = '', to = '' } = Object.fromEntries(new URL(route.request().url()).searchParams);
      const isLarge = Date.parse(to) - Date.parse(from) > 7 * 86_400_000;
      return isLarge ? route.fulfill({ status: 400, json: { code: 'range_too_large' } }) : route.continue();
    });
    const sunday = new Date(Date.parse(day) + 5 * 86_400_000).toISOString().slice(0, 10);
    await visit(page, `/calendar?day=${sunday}&add=true`);
    await dialog.getByRole('button', { name: /^Mon.*09:00/ }).waitFor();
  });

  test('Each booking in the calendar shows its status, and a booking that has not started cannot be marked as completed', async () => {
    const owner = await system().owner();
    const states = [
      ['09:00', 'Una Zara', undefined, /Una Zara.*Confirmed/],
      ['10:00', 'Jane Doe', 'complete', /Jane Doe.*Completed/],
      ['11:00', 'Max Power', 'no-show', /Max Power.*No-show/],
      ['13:00', 'Kim Ray', 'cancel', /Kim Ray.*Cancelled/],
    ] as const;
    for (const [time, name, change] of states) {
      const { id } = await booked(owner, time, name);
      if (change) await owner.call('POST', `/bookings/${id}/${change}`, {});
    }
    await owner.call('PATCH', '/business', { bookingRules: { confirmation: 'manual' } });
    await booked(owner, '14:00', 'Ann Lee');
    const { page } = await openAs(owner, `/calendar?day=${day}`);
    // A screen reader reads the details once.
    const card = 'Ann Lee, Haircut, 14:00–14:45, Anna, Pending';
    await page.getByRole('button', { name: card, exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Kim Ray/ }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Show cancelled' }).check();
    for (const [, , , label] of states) await page.getByRole('button', { name: label }).waitFor();
    await expectAccessible(page, 'calendar-states');
    const complete = page.getByRole('button', { name: 'Mark as completed' });
    await page.getByRole('button', { name: /Una Zara/ }).click();
    await page.getByRole('button', { name: 'Cancel booking' }).waitFor();
    expect(await complete.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const startTime = '2026-01-01T10:00:00Z';
    await changeAnswer<object>(page, /account\/bookings\/\d+$/, (booking) => ({ ...booking, startTime }));
    await page.getByRole('button', { name: /Ann Lee/ }).click();
    await page.getByRole('button', { name: 'Confirm', exact: true }).press('Enter');
    await complete.waitFor();
    // The button that had the focus is gone.
    await expect.poll(() => page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
  });

  test('In the calendar, an owner can move a booking by form or by dragging, copy a link for its client, and cancel it', async () => {
    const owner = await system().owner();
    const { id } = await booked(owner, '10:00', 'Jane Doe');
    const { page } = await openAs(owner, `/calendar?day=${day}&booking=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Jane Doe' });
    await drawer.getByRole('button', { name: 'Move' }).click();
    const form = page.getByRole('dialog', { name: 'Move booking' });
    // The booking moves by less than its duration: its own time is no obstacle.
    await choose(page, form, '10:15');
    await form.getByRole('button', { name: 'Move' }).click();
    await drawer.getByText(/10:15–11:00/).waitFor();
    await drawer.getByRole('button', { name: 'Move' }).click();
    await choose(page, form, '14:00');
    await form.getByRole('button', { name: 'Move' }).click();
    await drawer.getByText(/14:00–14:45/).waitFor();
    await expectAccessible(page, 'calendar-booking');
    await page.keyboard.press('Escape');

    const drawn = page.getByRole('button', { name: /Jane Doe.*Haircut/ });
    await page.clock.install();
    await drawn.dragTo(page.getByRole('button', { name: /Anna, .*, 16:00–/ }), { targetPosition: { x: 4, y: 30 } });
    const undo = page.getByRole('alert').filter({ hasText: '16:00' }).getByRole('button', { name: 'Undo' });
    // The message stays while its button has the focus, instead of ten seconds.
    await undo.focus();
    await expect.poll(() => timeOf(owner, id)).toContain('T16:00');
    await page.clock.fastForward(30_000);
    await undo.press('Enter');
    await expect.poll(() => timeOf(owner, id)).toContain('T14:00');
    await page.getByRole('button', { name: /Jane Doe.*Haircut/ }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const created = page.waitForResponse('**/manage-link');
    await drawer.getByRole('button', { name: 'Copy manage link' }).click();
    await page.getByText('Link copied').waitFor();
    // The link still works if the booking is moved to a later day.
    const { expiresAt } = await (await created).json();
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.parse(await timeOf(owner, id)) + 30 * 86_400_000);
    await drawer.locator(':focus', { hasText: '/manage/#' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(new RegExp(`/manage/#bs_live_\\w{36}&booking=${id}&may=read\\.move\\.cancel$`));
    expect(await drawer.getByRole('region', { name: 'Manage link' }).textContent()).toBe(copied);
    // The status lasts two seconds.
    await Promise.all([
      drawer.getByRole('status').getByText('Copied').waitFor(),
      drawer.getByRole('button', { name: 'Copy: Manage link' }).click(),
    ]);
    await expectAccessible(page, 'calendar-manage-link');
    await drawer.getByRole('button', { name: 'End all links' }).click();
    await page.getByText('No link to this booking works any more').waitFor();
    await drawer.getByRole('button', { name: 'Copy manage link' }).waitFor();
    const manage = { headers: { authorization: `Bearer ${/bs_live_\w{36}/.exec(copied)?.[0]}` } };
    const refused = await page.request.get(new URL(`/v1/integration/bookings/${id}`, page.url()).href, manage);
    expect(refused.status()).toBe(401);
    await drawer.getByRole('button', { name: 'Cancel booking' }).click();
    await drawer.getByLabel('Reason').fill('Ill');
    await drawer.getByRole('button', { name: 'Cancel booking' }).click();
    await drawer.getByRole('status').getByText('Cancelled').waitFor();
  });

  test('The calendar refuses a time that the clocks skip in spring, and shows UTC offsets when the clocks go back in autumn', async () => {
    const owner = await system().owner();
    const rules = { outsideRules: true };
    const night = nextClockChange('March');
    await bookedAt(owner, `${night}T01:00:00+02:00`, 'Kim Ray', 0, rules);
    const { id, startTime } = await bookedAt(owner, `${night}T05:00:00+03:00`, 'Jane Doe', 0, rules);
    const { page } = await openAs(owner, `/calendar?day=${night}`);
    const skipped = page.getByRole('button', { name: /Anna, .*, 03:00–/ });
    await page.getByRole('button', { name: /Jane Doe/ }).dragTo(skipped, { targetPosition: { x: 4, y: 30 } });
    await page.getByText('The clocks change on this day, and skip this time').waitFor();
    expect(await timeOf(owner, id)).toBe(startTime);
    await page.getByRole('button', { name: 'New booking', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'New booking' });
    await form.getByRole('switch', { name: 'Any time' }).click();
    await form.getByRole('textbox', { name: 'Start' }).fill('03:30');
    await form.getByRole('button', { name: 'Book' }).click();
    await form.getByText('The clocks change on this day, and skip this time').waitFor();
    page.once('dialog', (question) => question.accept());
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Block time' }).click();
    const block = page.getByRole('dialog', { name: 'Block time' });
    await block.getByLabel('Blocked from').fill('03:00');
    await block.getByLabel('Blocked until').fill('04:00');
    await block.getByRole('button', { name: 'Block time' }).click();
    await block.getByText('The clocks change on this day, and skip this time').waitFor();

    const longNight = nextClockChange('October');
    const twice = await bookedAt(owner, `${longNight}T03:45:00+03:00`, 'Jane Doe', 0, rules);
    await page.goto(`${system().origin}/calendar?day=${longNight}&booking=${twice.id}`);
    const drawer = page.getByRole('dialog', { name: 'Jane Doe' });
    const date = `Sun, ${longNight.slice(8)} Oct ${longNight.slice(0, 4)}`;
    await drawer.getByText(`${date}, 03:45 (UTC+03:00)–03:30 (UTC+02:00)`).waitFor();
  });
});
