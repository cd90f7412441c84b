/** The example booking site and the example receiver, used in a real browser. */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type Scope, scopeSets } from '../../contract/scopes.ts';
import { inChromium, violations } from '../support/chromium.ts';
import { command, type RunningCommand } from '../support/command.ts';
import { newTenant, type TestTenant, withLocal } from '../support/local.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const local = withLocal();
const desk = {};
const phoneInTheDark: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };

function example(file: string, key: string, env: Readonly<Record<string, string>> = {}): RunningCommand {
  const API = `${local().run.baseUrl}/v1/integration`;
  const started = command(file, [], { env: { KEY: key, API, PORT: '0', ...env } });
  onTestFinished(async () => {
    started.process.kill('SIGTERM');
    await started.ended;
  });
  return started;
}

/** With the scopes of a booking widget and no others, as its owner would create the key. */
async function bookingSite({ scopes = [...scopeSets.booking_widget] as readonly Scope[] } = {}) {
  const tenant = await newTenant(local());
  const { value } = await tenant.newKey({ scopes });
  const server = example('examples/booking-site/server.ts', value, { NAME: 'Salon Daugava' });
  const [, origin = ''] = await server.said('stdout', /Open (.*)\/\n/);
  return { tenant, origin, key: value };
}

const bookingsOf = async ({ call }: TestTenant) => {
  const { body } = await call<{ data: { id: number; startTime: string; staffId: number }[] }>('GET', '/bookings');
  return body.data;
};

/** To the free times of the first service with Anna. */
async function chooseAnna(page: Page): Promise<void> {
  await page.getByLabel('Haircut').check();
  await page.getByLabel('Anna').check();
  await page.locator('.times button').first().waitFor();
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Jane Doe');
  await page.getByLabel('Email').fill('jane@example.com');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
}

/** Submits the form. The booking is made, but the response is lost. */
async function loseTheAnswer(page: Page): Promise<void> {
  await page.route('**/api/book', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await fillIn(page);
  await page.locator('#problem').getByText('We could not connect.').waitFor();
  await page.unroute('**/api/book');
}

inChromium('the booking site', (open) => {
  test('A visitor of the booking site books a time, the webhook receives it, and the key stays on the server', {
    timeout: 90_000,
  }, async () => {
    const { tenant, origin, key } = await bookingSite();
    const INBOX = join(temporaryFolder('inbox'), 'inbox.ndjson');
    const receiver = example('examples/receiver/receiver.ts', tenant.key.value, { INBOX });
    await receiver.said('stdout', /Receiving at/);
    const { page, foreign, errors } = await open(origin, '/', phoneInTheDark);
    const seen: Promise<string>[] = [];
    page.on('response', (response) => seen.push(response.text()));
    const expectNothing = async () => expect(await violations(page)).toEqual([]);

    await page.getByText('Haircut').waitFor();
    expect(await page.title()).toBe('Book at Salon Daugava');
    await expectNothing();
    await chooseAnna(page);
    await expectNothing();
    await page.locator('.times button').first().click();
    await page.getByText(/^Kept for you for the next \d+ minutes\.$/).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Your details');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByText('Please give your name').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('name');
    await expectNothing();
    await fillIn(page);
    await page.getByRole('heading', { name: 'You are booked' }).waitFor();
    await expectNothing();
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);

    const [booking, ...others] = await bookingsOf(tenant);
    expect(others).toEqual([]);
    await receiver.said('stdout', new RegExp(`booking\\.created: booking ${booking?.id}, `));
    expect((await Promise.all(seen)).join('')).not.toContain(key);
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
  });

  test('The booking site offers the next free times when the chosen one has just been taken', async () => {
    const { tenant, origin } = await bookingSite();
    const { page } = await open(origin, '/', desk);
    await chooseAnna(page);
    const { serviceId, client } = tenant.booking();
    const anna = tenant.staff.find(({ name }) => name === 'Anna')?.id;
    const slots = await page.evaluate<{ slots: { startTime: string }[] }>(
      `fetch(performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/api/slots')).name).then((answer) => answer.json())`,
    );
    const { startTime } = slots.slots[0] ?? {};
    const taken = await tenant.call('POST', '/bookings', { serviceId, staffId: anna, startTime, client });
    expect(taken.status).toBe(201);

    await page.locator('.times button').first().click();
    await page.getByText('This time has just been taken.').waitFor();
    await expect.poll(() => page.locator('#taken button').count()).toBe(3);
    await page.locator('#days .times button').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('#taken button').first().click();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    await fillIn(page);
    await page.getByRole('heading', { name: 'You are booked' }).waitFor();
    expect(await bookingsOf(tenant)).toHaveLength(2);
  });

  test('The booking site says that a week has no free times, and leads to the next week', async () => {
    const { origin } = await bookingSite();
    const { page } = await open(origin, '/', desk);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/slots*', async (route) => {
      await promise;
      await route.fulfill({ json: { slots: [] } });
    });
    await page.getByLabel('Haircut').check();
    await page.locator('#days[aria-busy=true]').waitFor();
    expect(await violations(page)).toEqual([]);
    resolve();
    await page.getByText('No free times this week.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute('**/api/slots*');
    await page.getByRole('button', { name: 'Show next week' }).click();
    await page.locator('.times button').first().waitFor();
  });

  test('A visitor of the booking site who tries again after a lost response does not book twice', async () => {
    const { tenant, origin } = await bookingSite();
    const { page } = await open(origin, '/', desk);
    await chooseAnna(page);
    await page.context().setOffline(true);
    await page.locator('.times button').first().click();
    await page.locator('#taken').getByText('We could not connect.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.locator('#taken').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();

    await loseTheAnswer(page);
    await page.locator('#problem').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'You are booked' }).waitFor();
    expect(await bookingsOf(tenant)).toHaveLength(1);
  });

  test('Negative control: a page with a new id for each try does not find its own booking', async () => {
    const { origin } = await bookingSite();
    const { page } = await open(origin, '/', desk);
    await chooseAnna(page);
    await page.locator('.times button').first().click();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    await loseTheAnswer(page);
    await page.route('**/api/book', (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), attempt: crypto.randomUUID() } }),
    );
    await page.locator('#problem').getByRole('button', { name: 'Try again' }).click();
    await page.locator('.notice:not([hidden])').first().waitFor();
    expect(await page.getByRole('heading', { name: 'You are booked' }).isVisible()).toBe(false);
  });

  test.each(scopeSets.booking_widget)('The booking site shows an error when its API key lacks %s', async (missing) => {
    const { origin } = await bookingSite({ scopes: scopeSets.booking_widget.filter((scope) => scope !== missing) });
    const { page } = await open(origin, '/', desk);
    const refusal = page.getByText('Something went wrong on our side. Try again.').filter({ visible: true });
    const times = page.locator('.times button');
    await page.getByText('Haircut').or(refusal).first().waitFor();
    if ((await refusal.count()) === 0) {
      await page.getByLabel('Haircut').check();
      await times.first().or(refusal).first().waitFor();
      await times.first().click();
    }
    await refusal.first().waitFor();
  });
});
