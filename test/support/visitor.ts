/** A visitor of a page with the booking element, and foreign sites that embed it. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Booking } from '../../contract/integration/resources.ts';
import { records } from '../../core/table-keys.ts';
import type { Admin } from '../../local/admin.ts';
import { elementScript } from '../../site/customer-pages.ts';
import type { Open } from './chromium.ts';
import { serveDuringTest } from './faulty-proxy.ts';
import type { LocalSystem, TestTenant } from './local.ts';

export interface Session {
  readonly id: number;
  readonly token: string;
  readonly url: string;
}

export const elementFile = Buffer.from(await elementScript()).toString();

/** The fixture for tests of pages for visitors. */
export interface VisitorFixture {
  readonly local: () => LocalSystem;
  readonly origin: () => string;
  readonly open: Open;
}

/** A block of tests of pages for visitors, for `visitors.test.ts`. */
export function visitors(name: string, tests: (fixture: VisitorFixture) => void) {
  return (fixture: VisitorFixture) => describe(name, () => tests(fixture));
}

export async function sessionOf({ call }: TestTenant, body: object): Promise<Session> {
  const opened = await call<Session>('POST', '/sessions', body);
  expect(opened.status).toBe(201);
  return opened.body;
}

export const bookingsOf = async ({ call }: TestTenant) =>
  (await call<{ data: Booking[] }>('GET', '/bookings')).body.data;

/** Lets several visitors book the same start of the Haircut. */
export async function makeClass({ db, table }: Admin, { business, services }: TestTenant, capacity: number) {
  const lesson = services.find(({ name }) => name === 'Haircut');
  await db.send(
    new UpdateCommand({
      TableName: table('records'),
      Key: records.service(business.id, lesson?.id ?? 0),
      ...{ UpdateExpression: 'SET #c = :c', ExpressionAttributeNames: { '#c': 'capacity' } },
      ExpressionAttributeValues: { ':c': capacity },
    }),
  );
}

/** Goes from the services to the form, with the first free time of the second open day. */
export async function chooseTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Haircut/ }).click();
  await chooseFirstTime(page);
}

/** Chooses a colour and then a beard trim; no staff member performs both. */
export async function chooseVisit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Book several services' }).click();
  await page.getByRole('button', { name: /Colour/ }).click();
  await page.getByRole('button', { name: /Beard trim/ }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await chooseFirstTime(page);
}

export async function chooseFirstTime(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Which day?' }).waitFor();
  await page.locator('.days button:enabled').nth(1).click();
  await page.getByRole('heading', { name: /Which time\?/ }).waitFor();
  await page.locator('.times button').first().click();
}

export async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Jane Doe');
  await page.getByLabel('Email').fill('jane@example.com');
}

export async function fillInAndBook(page: Page): Promise<void> {
  await fillIn(page);
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor();
}

/** Serves these files as a foreign site, and returns its origin. A function draws its page at each load. */
export function servedPages(files: Readonly<Record<string, string | (() => Promise<string>)>>, headers = {}) {
  return serveDuringTest(async ({ url = '' }, answer) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    const file = files[url];
    const content = typeof file === 'function' ? await file() : file;
    answer.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, ...headers }).end(content);
  });
}
