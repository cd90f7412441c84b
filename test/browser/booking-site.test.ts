/** The example booking site and the example receiver in a real browser. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { elementScript } from '../../site/customer-pages.ts';
import { inChromium, type Open, violations } from '../support/chromium.ts';
import { command, type RunningCommand } from '../support/command.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { newTenant, type TestTenant, withLocal } from '../support/local.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const local = withLocal();
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

/** Copies the site to its own folder with the element, as its reader does. */
async function bookingSite(change: (server: string) => string = (server) => server) {
  const folder = temporaryFolder('booking-site');
  for (const name of ['server.ts', 'index.html'])
    copyFileSync(fileURLToPath(new URL(`../../examples/booking-site/${name}`, import.meta.url)), join(folder, name));
  writeFileSync(join(folder, 'booking-slots.js'), await elementScript());
  const server = join(folder, 'server.ts');
  writeFileSync(server, change(readFileSync(server, 'utf8')));
  const tenant = await newTenant(local());
  const { value } = await tenant.newKey({ scopes: ['bookings:write'] });
  const [, origin = ''] = await example(server, value).waitForOutput('stdout', /Open (.*)\/\n/);
  return { tenant, origin, key: value };
}

const bookingsOf = async ({ call }: TestTenant) => {
  const { body } = await call<{ data: { id: number; source: string }[] }>('GET', '/bookings');
  return body.data;
};

/** Goes from the services to the form, and fills in a contact. */
async function fillIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Haircut/ }).click();
  await page.locator('.days button:enabled').nth(1).click();
  await page.locator('.times button').first().click();
  await page.getByLabel('Name').fill('Jane Doe');
  await page.getByLabel('Email').fill('jane@example.com');
}

/** The text of the booking site in a frame on another site. */
async function textInFrame(open: Open, origin: string): Promise<string> {
  const other = await serveDuringTest((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(`<iframe src="${origin}/"></iframe>`),
  );
  const { page } = await open(other.replace('127.0.0.1', 'localhost'), '/');
  return page.frameLocator('iframe').locator('body').innerText();
}

const book = (page: Page) => page.getByRole('button', { name: 'Book', exact: true }).click();
const booked = (page: Page) => page.getByRole('heading', { name: 'Your appointment is booked' });

/** Submits the form. The booking is made, but neither its response nor that of the element's second try arrives. */
async function loseTheAnswer(page: Page): Promise<void> {
  await page.route('**/bookings', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await book(page);
  await page.getByText('There is no connection.').waitFor();
  await page.unroute('**/bookings');
}

inChromium('the booking site', (open) => {
  test('A visitor of the booking site books a time, the webhook receives the booking, and the API key never reaches the browser', async () => {
    const { tenant, origin, key } = await bookingSite();
    const INBOX = join(temporaryFolder('inbox'), 'inbox.ndjson');
    const receiver = example('examples/receiver/receiver.ts', tenant.key.value, { INBOX });
    await receiver.waitForOutput('stdout', /Receiving at/);
    const { page, errors } = await open(origin, '/?utm_source=mail', phoneInTheDark);
    const seen: Promise<string>[] = [];
    page.on('response', (response) => seen.push(response.text()));
    await page.getByText('Haircut').waitFor();
    expect(await violations(page)).toEqual([]);
    await fillIn(page);
    await book(page);
    await booked(page).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);

    const [booking, ...others] = await bookingsOf(tenant);
    expect(others).toEqual([]);
    await receiver.waitForOutput('stdout', new RegExp(`booking\\.created: booking ${booking?.id}, `));
    expect((await Promise.all(seen)).join('') + (await page.content())).not.toContain(key);
    expect(errors).toEqual([]);
  });

  test('Two visitors of the booking site get separate sessions, and each visitor can book', async () => {
    const { tenant, origin } = await bookingSite();
    const visitors = await Promise.all([open(origin, '/'), open(origin, '/')]);
    const tokens = visitors.map(({ page }) => page.locator('booking-slots').getAttribute('token'));
    expect(new Set(await Promise.all(tokens)).size).toBe(2);
    for (const { page } of visitors) {
      await fillIn(page);
      if (page === visitors[1]?.page) await page.getByLabel('Email').fill('john@example.com');
      await book(page);
      await booked(page).waitFor();
    }
    expect(await bookingsOf(tenant)).toHaveLength(2);
  });

  test('A visitor of the booking site who tries again after a lost response does not book twice', async () => {
    const { tenant, origin } = await bookingSite();
    const { page } = await open(origin, '/');
    await fillIn(page);
    await loseTheAnswer(page);
    await book(page);
    await booked(page).waitFor();
    expect(await bookingsOf(tenant)).toHaveLength(1);
  });

  test('Negative control: if the page sends a new idempotency key for each try, a visitor whose booking succeeded sees an error', async () => {
    const { origin } = await bookingSite();
    const { page } = await open(origin, '/');
    await fillIn(page);
    await loseTheAnswer(page);
    await page.route('**/bookings', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'idempotency-key': crypto.randomUUID() } }),
    );
    await book(page);
    await page.getByRole('alert').waitFor();
    expect(await booked(page).count()).toBe(0);
  });

  test('A page of another site that frames the booking site shows none of its content', async () => {
    const { origin } = await bookingSite();
    expect(await textInFrame(open, origin)).not.toContain('Salon');
  });

  test('Negative control: without `frame-ancestors`, a page of another site can show the booking site in a frame', async () => {
    const { origin } = await bookingSite((server) => server.replace("frame-ancestors 'none'; ", ''));
    expect(await textInFrame(open, origin)).toContain('Salon');
  });
});
