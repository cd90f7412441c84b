/** What a customer opens, `/book/` and `/manage/`, and the element in a foreign page, in a real browser. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Booking } from '../../contract/integration/resources.ts';
import { records } from '../../core/table-keys.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { seedDemo } from '../../local/seed-demo.ts';
import { siteConfig } from '../../local/welcome.ts';
import { elementPath } from '../../site/pages.ts';
import { inChromium, violations } from '../support/chromium.ts';
import { newTenant, type TestTenant, withLocal } from '../support/local.ts';

const local = withLocal({ withSite: true });
const origin = () => local().run.baseUrl;

beforeAll(async () => {
  const { run, admin } = local();
  const demo = await seedDemo(admin, undefined, Date.now());
  run.site?.configure(siteConfig({ run, demo, ownerToken: undefined }));
});

interface Session {
  readonly token: string;
  readonly url: string;
}

async function sessionOf({ call }: TestTenant, body: object): Promise<Session> {
  const opened = await call<Session>('POST', '/sessions', body);
  expect(opened.status).toBe(201);
  return opened.body;
}

const pathOf = ({ url }: Session) => url.slice(origin().length);
const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const;

/** From the services to the form, at the first free time of the second open day. */
async function chooseTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Haircut/ }).click();
  await chooseFirstTime(page);
}

async function chooseFirstTime(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Which day?' }).waitFor();
  await page.locator('.days button:enabled').nth(1).click();
  await page.getByRole('heading', { name: /Which time\?/ }).waitFor();
  await page.locator('.times button').first().click();
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Jane Doe');
  await page.getByLabel('Email').fill('jane@example.com');
}

/** A foreign site of these files, and its origin. */
async function servedPages(files: Readonly<Record<string, string>>, headers = {}): Promise<string> {
  const server = createServer(({ url = '' }, answer) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    answer.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, ...headers }).end(files[url]);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

inChromium('the pages of customers', (open) => {
  test('A visitor books on a phone by keyboard and by touch, moves the appointment and cancels it', {
    timeout: 120_000,
  }, async () => {
    const tenant = await newTenant(local());
    const session = await sessionOf(tenant, { kind: 'booker' });
    const { page, errors, foreign } = await open(origin(), pathOf(session), phone);
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    expect(page.url()).not.toContain(session.token);
    const seen: string[] = [];
    page.on('request', (request) => seen.push(`${request.url()} ${request.headers().referer}`));
    await page.reload();
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await chooseTime(page);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('alert').waitFor();
    const focused = `document.querySelector('booking-slots').shadowRoot.activeElement.name`;
    expect(await page.evaluate(focused)).toBe('name');
    await fillIn(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const file = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
    expect(decodeURIComponent(String(file))).toMatch(/DTSTART:\d{8}T\d{6}Z\r\nDTEND:/);

    await page.getByRole('button', { name: 'Move' }).click();
    await page.locator('.days button:enabled').nth(2).click();
    await page.locator('.times button').first().click();
    await page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor();
    const { body } = await tenant.call<{ data: Booking[] }>('GET', '/bookings');
    expect(body.data).toMatchObject([{ status: 'cancelled', cancelledBy: 'client', client: { name: 'Jane Doe' } }]);
    expect([errors, foreign]).toEqual([[], []]);
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.filter((one) => one.includes(session.token))).toEqual([]);
  });

  test('A visitor books several services as one visit, sees who does each service and when, also by link, and moves the visit', {
    timeout: 120_000,
  }, async () => {
    const tenant = await newTenant(local());
    const { page, errors } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })), phone);
    await page.getByRole('button', { name: 'Book several services' }).click();
    const next = page.getByRole('button', { name: 'Continue' });
    await page.getByRole('button', { name: /Colour/ }).click();
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole('button', { name: /Beard trim/ }).click();
    expect(await page.getByRole('status').textContent()).toBe('1. Colour, 2. Beard trim · 150 min');
    expect(await page.getByRole('button', { name: /Beard trim/ }).getAttribute('aria-pressed')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await next.click();
    await chooseFirstTime(page);
    await fillIn(page);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    const shown = () => page.locator('ol li').allTextContents();
    const parts = await shown();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const bookings = async () => (await tenant.call<{ data: Booking[] }>('GET', '/bookings')).body.data;
    const [booking] = await bookings();
    expect(booking?.segments.map(({ serviceName }) => serviceName)).toEqual(['Colour', 'Beard trim']);
    expect(parts).toEqual(
      booking?.segments.map(({ serviceName, staffName, startTime, endTime }) => {
        const clock = (time: string) =>
          new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: booking.timeZone }).format(new Date(time));
        return `${serviceName} with ${staffName}${clock(startTime)} – ${clock(endTime)}`;
      }),
    );

    const link = await sessionOf(tenant, { kind: 'booking', bookingId: booking?.id });
    await page.goto(link.url);
    await page.getByRole('heading', { name: 'Your appointment', level: 2 }).waitFor();
    expect(await shown()).toEqual(parts);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.locator('.days button:enabled').nth(3).click();
    await page.locator('.times button').first().click();
    await page.getByRole('heading', { name: 'Your appointment was moved' }).waitFor();
    const [moved] = await bookings();
    expect(moved?.startTime).not.toBe(booking?.startTime);
    expect(moved?.segments.map(({ staffId }) => staffId)).toEqual(booking?.segments.map(({ staffId }) => staffId));
    expect(errors).toEqual([]);
  });

  test('A visitor sees how many places of a class are left, and can book several places but never more than are left', {
    timeout: 120_000,
  }, async () => {
    const tenant = await newTenant(local());
    const { admin } = local();
    const lesson = tenant.services.find(({ name }) => name === 'Haircut');
    await admin.db.send(
      new UpdateCommand({
        TableName: admin.table('records'),
        Key: records.service(tenant.business.id, lesson?.id ?? 0),
        ...{ UpdateExpression: 'SET #c = :c', ExpressionAttributeNames: { '#c': 'capacity' } },
        ExpressionAttributeValues: { ':c': 6 },
      }),
    );
    const { page, errors } = await open(
      origin(),
      pathOf(await sessionOf(tenant, { kind: 'booker', bookings: 2 })),
      phone,
    );
    // A service whose starts are shared is not part of a visit.
    await page.getByRole('button', { name: 'Book several services' }).click();
    await page.getByRole('heading', { name: 'Which services' }).waitFor();
    expect(await page.getByRole('button', { name: /Haircut/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back' }).click();
    await chooseTime(page);
    const places = page.getByLabel('Places (6 left)');
    expect(await places.locator('option').allTextContents()).toEqual(['1', '2', '3', '4', '5', '6']);
    await places.selectOption('4');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'Continue' }).click();
    await fillIn(page);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByText('Places: 4').waitFor();
    const { body } = await tenant.call<{ data: Booking[] }>('GET', '/bookings');
    expect(body.data).toMatchObject([{ places: 4, serviceName: 'Haircut' }]);

    await page.reload();
    await chooseTime(page);
    expect(await page.getByLabel('Places (2 left)').locator('option').count()).toBe(2);
    expect(errors).toEqual([]);
  });

  test('An appointment link offers only the actions it allows, also after a reload, and ends with its session', {
    timeout: 60_000,
  }, async () => {
    const tenant = await newTenant(local());
    const { body: booking } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
    const asked = { kind: 'booking', bookingId: booking.id, may: ['read', 'cancel'] };
    const added = '&style=position:fixed&onclick=alert(1)&api=https://evil.example';
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, asked)) + added);
    await page.getByRole('heading', { name: 'Your appointment', level: 2 }).waitFor();
    const attributes = await page.evaluate(`document.querySelector('booking-slots').getAttributeNames()`);
    expect(attributes).toEqual(['token', 'booking', 'may', 'api']);
    await page.reload();
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
    expect(await page.getByRole('button', { name: 'Move' }).count()).toBe(0);
    expect(await page.getByText('Jānis').count()).toBe(0);
    await page.goto(`${origin()}/manage/#bs_live_${'a'.repeat(36)}&booking=1`);
    await page.reload();
    await page.getByText('This page is no longer valid.').waitFor();
    const bare = await open(origin(), '/book/');
    await bare.page.getByText('This page is no longer valid.').waitFor();
  });

  test('Every screen of the booking page fits a phone 320 px wide, with text of twice the size and from right to left', {
    timeout: 60_000,
  }, async () => {
    const tenant = await newTenant(local());
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })), phone);
    await page.evaluate(`{
      const large = new CSSStyleSheet();
      large.replaceSync('html { font-size: 200%; direction: rtl }');
      document.adoptedStyleSheets = [large];
    }`);
    const tooWide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await page.getByRole('button', { name: /Haircut/ }).waitFor();
    expect(await tooWide()).toBe(0);
    await page.getByRole('button', { name: /Haircut/ }).click();
    await page.locator('.days button:enabled').nth(1).click();
    await page.getByRole('heading', { name: /Which time\?/ }).waitFor();
    expect(await tooWide()).toBe(0);
    await page.locator('.times button').first().click();
    await fillIn(page);
    expect(await tooWide()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(await tooWide()).toBe(0);
  });

  test('When the chosen time is taken by another request, the visitor returns to the times; after a lost connection the form is kept', {
    timeout: 60_000,
  }, async () => {
    const tenant = await newTenant(local());
    const { page } = await open(origin(), pathOf(await sessionOf(tenant, { kind: 'booker' })));
    const refuse = { statusCode: 409, error: 'Conflict', message: '', code: 'slot_unavailable', requestId: '1' };
    await page.route('**/slots/holds', (route) => route.fulfill({ status: 409, json: refuse }), { times: 1 });
    await chooseTime(page);
    await page.getByText('This time has just been taken.').waitFor();
    await page.locator('.times button').first().click();
    await fillIn(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByText('There is no connection.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    const { body } = await tenant.call<{ data: Booking[] }>('GET', '/bookings');
    expect(body.data).toHaveLength(1);
  });

  test('No other site can show the customer pages in a frame', { timeout: 60_000 }, async () => {
    const files: Record<string, string> = { '/framed': '<title>Framed</title>' };
    const site = await servedPages(files);
    const shown = async (url: string) => {
      files['/'] = `<!doctype html><html lang="en"><title>Shop</title><iframe src="${url}"></iframe></html>`;
      const { page } = await open(site, '/');
      return page.frames().at(-1)?.url();
    };
    for (const path of ['/book/', '/manage/']) expect(await shown(origin() + path), path).toMatch(/^chrome-error:/);
    // Negative control: a page without such a policy is shown.
    expect(await shown(`${site}/framed`)).toBe(`${site}/framed`);
  });

  test('The booking element works in a React page that gets its token later, and reports to the page what was booked', {
    timeout: 60_000,
  }, async () => {
    const tenant = await newTenant(local());
    const program = `
      import { createElement, useEffect, useState } from 'react';
      import { createRoot } from 'react-dom/client';
      function Page() {
        const [token, setToken] = useState();
        const [said, say] = useState('Nothing yet');
        useEffect(() => void fetch('/session').then((answer) => answer.text()).then(setToken), []);
        const onbooked = ({ detail }) => say('Booked: ' + detail.serviceName);
        const api = '${origin()}/v1/integration';
        return [createElement('booking-slots', { key: 1, api, token, onbooked }), createElement('p', { key: 2 }, said)];
      }
      createRoot(document.querySelector('main')).render(createElement(Page));`;
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: projectFolder },
      ...{ bundle: true, write: false, format: 'esm', define: { 'process.env.NODE_ENV': '"production"' } },
    });
    const { token } = await sessionOf(tenant, { kind: 'booker' });
    const scripts = ['element', 'page'].map((name) => `<script type="module" src="/${name}.js"></script>`).join('');
    const site = await servedPages({
      '/': `<!doctype html><html lang="en"><title>Shop</title><main></main>${scripts}`,
      '/element.js': await (await fetch(origin() + elementPath)).text(),
      '/page.js': outputFiles[0]?.text ?? '',
      '/session': token,
    });
    const opened = await open(site, '/');
    await chooseTime(opened.page);
    await fillIn(opened.page);
    await opened.page.getByRole('button', { name: 'Book' }).click();
    await opened.page.getByText('Booked: Haircut').waitFor();
    expect(opened.errors).toEqual([]);
    // On a server there is no element to define, and the tag is written as it is.
    const rendered = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      await import('./client/src/element/booking-slots.ts');
      console.log(renderToString(createElement('booking-slots', { api: '/v1' })));`,
      ],
      { cwd: projectFolder },
    );
    expect(rendered.toString()).toBe('<booking-slots api="/v1"></booking-slots>\n');
  });

  test("The booking element works in another site's page with a strict policy and hostile styles, and reports what was booked", {
    timeout: 60_000,
  }, async () => {
    const tenant = await newTenant(local());
    const script = await (await fetch(origin() + elementPath)).text();
    expect(gzipSync(script).length).toBeLessThan(15 * 1_024);
    const policy = `default-src 'none'; script-src 'self'; connect-src ${origin()}`;
    const files: Record<string, string> = { '/element.js': script };
    const site = await servedPages(files, { 'Content-Security-Policy': policy });
    const { token } = await sessionOf(tenant, { kind: 'booker', origin: site });
    files['/'] =
      `<!doctype html><html lang="en" dir="rtl"><title>Shop</title><script type="module" src="/element.js"></script>
<booking-slots api="${origin()}/v1/integration" token="${token}"></booking-slots></html>`;
    const { page, errors } = await open(site, '/');
    await page.evaluate(`addEventListener('booked', ({ detail }) => { globalThis.booked = detail.serviceName; })`);
    await page.evaluate(
      `{ const hostile = new CSSStyleSheet(); hostile.replaceSync('* { display: none } :root, body, booking-slots { display: block }'); document.adoptedStyleSheets = [hostile]; }`,
    );
    await chooseTime(page);
    await fillIn(page);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
    expect(await page.evaluate('globalThis.booked')).toBe('Haircut');
    expect(errors).toEqual([]);
  });
});
