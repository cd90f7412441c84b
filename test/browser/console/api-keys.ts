/** The screen of API keys. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hashOfAddress } from '../../../core/mail/address.ts';
import { records } from '../../../core/table-keys.ts';
import {
  changeAnswer,
  expectAccessible,
  expectAccessibleInAllThemes,
  loseAnswer,
  screens,
  visit,
} from '../../support/console.ts';

/** The characters of a key that the console shows. */
const prefixLength = 12;

export const apiKeys = screens('the screen of API keys', ({ openAs, openAsOwner, system }) => {
  const services = (key: string) =>
    fetch(`${system().origin}/v1/integration/services`, { headers: { 'X-API-Key': key } }).then(({ status }) => status);

  /** Blocks an address as a bounce or a complaint does. */
  const putOff = (address: string, reason: string) => {
    const { db, table } = system().admin;
    const Item = { ...records.addressOff(hashOfAddress(address)), reason, at: Date.now() };
    return db.send(new PutCommand({ TableName: table('records'), Item }));
  };

  test('An owner creates an API key whose value is shown once, then renames, regenerates and revokes the key', async () => {
    const { page, errors } = await openAsOwner('/api-keys');
    const row = (name: string) => page.getByRole('row', { name });

    const create = page.getByRole('button', { name: 'Create key' }).first();
    await create.click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Enter a name').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('Website');
    await form.getByRole('radio', { name: 'Display only' }).click();
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Save your API key' });
    const first = (await shown.getByLabel('API key', { exact: true }).textContent()) ?? '';
    expect(first).toMatch(/^bk_live_\w{36}$/);
    const config = (await (await fetch(`${system().origin}/config.json`)).json()) as { integrationUrl: string };
    const api = new URL(config.integrationUrl, system().origin).href;
    const curl = shown.getByRole('region', { name: 'First request' });
    expect(await curl.textContent()).toBe(`curl '${api}/business' -H 'X-API-Key: ${first}'`);
    await shown.getByText('.env file').click();
    const env = shown.getByRole('region', { name: '.env file' });
    expect(await env.textContent()).toBe(`BOOKING_API_URL=${api}\nBOOKING_API_KEY=${first}`);
    await expectAccessible(page, 'api-key-shown');
    await shown.getByRole('checkbox', { name: 'I have saved it' }).check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await row('Website').getByText('Display only').waitFor();
    await shown.waitFor({ state: 'detached' });
    await expect.poll(() => create.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await page.content()).not.toContain(first);
    expect(await services(first)).toBe(200);

    await page.getByRole('link', { name: 'Website' }).click();
    const drawer = page.getByRole('dialog', { name: 'Website' });
    await drawer.getByText('1 request, at most 1 on one day.').waitFor();
    await page.reload();
    await drawer.getByRole('button', { name: 'Edit' }).click();
    const change = page.getByRole('dialog', { name: 'Edit API key' });
    await change.getByRole('textbox', { name: 'Name' }).fill('Old website');
    await change.getByRole('button', { name: 'Save' }).click();
    const renamed = page.getByRole('dialog', { name: 'Old website' });

    await renamed.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByText('If the key has leaked, revoke it instead').waitFor();
    await page.getByRole('button', { name: 'Regenerate key' }).click();
    await shown.waitFor();
    // Back would close the drawer, and with it the only copy of the new value.
    const stays = page.waitForEvent('dialog').then((question) => question.dismiss());
    await Promise.all([stays, page.goBack()]);
    const second = (await shown.getByLabel('API key', { exact: true }).textContent()) ?? '';
    expect([await services(first), await services(second)]).toEqual([401, 200]);
    await shown.getByRole('checkbox').check();
    await shown.getByRole('button', { name: 'Done' }).click();

    await renamed.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('combobox', { name: 'The old value' }).click();
    await page.getByRole('option', { name: 'works for 24 more hours' }).click();
    await page.getByRole('button', { name: 'Regenerate key' }).click();
    const third = (await shown.getByLabel('API key', { exact: true }).textContent()) ?? '';
    expect([await services(second), await services(third)]).toEqual([200, 200]);
    await shown.getByRole('checkbox').check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await renamed.getByText('1 request since then.').waitFor();

    // Another regeneration would end the value that programs use.
    await renamed.getByText(`${third.slice(0, prefixLength)}…`).waitFor();
    await loseAnswer(page, 'POST', '**/v1/account/api-keys/*/regenerate');
    await renamed.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Regenerate key' }).click();
    await page.getByText('The key may have a new value already').waitFor();
    await renamed.getByText(`${third.slice(0, prefixLength)}…`).waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Regenerate this key?' }).getByRole('button', { name: 'Cancel' }).click();

    await renamed.getByRole('button', { name: 'Revoke' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke this key?' });
    await revoke.getByText('No webhook uses it.').waitFor();
    await revoke.getByRole('button', { name: 'Revoke key' }).click();
    await renamed.getByText('Revoked', { exact: true }).waitFor();
    await expect.poll(() => renamed.evaluate((open) => open.contains(document.activeElement))).toBe(true);
    expect(await services(second)).toBe(401);
    expect(errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
  });

  test('While an API key or webhook is created, or its secret replaced, the dialog stays open until it can show the new secret', async () => {
    const owner = await system().owner();
    const { id } = await owner.tenant.subscribe('http://127.0.0.1:1025/hooks', ['booking.created']);
    const keyId = owner.tenant.key.id;
    const { page } = await openAs(owner, '/clients');
    const [key, secret] = ['Save your API key', 'Save your signing secret'];
    for (const [path, opener, title, verb, request, next] of [
      ['/api-keys', 'Create key', 'Create an API key', 'Create key', 'api-keys', key],
      [`/api-keys?key=${keyId}`, 'Regenerate', 'Regenerate this key?', 'Regenerate key', 'regenerate', key],
      [`/webhooks/${id}`, 'Rotate secret', 'Rotate the signing secret?', 'Rotate secret', 'rotate-secret', secret],
      ['/webhooks', 'Create webhook', 'Create a webhook', 'Create webhook', 'webhooks', secret],
    ] as const) {
      // In a new page, no message of the dialog before is about to disappear.
      await page.goto(`${system().origin}${path}`);
      await page.getByRole('button', { name: opener, exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: title });
      if (request === 'api-keys') await dialog.getByRole('textbox', { name: 'Name' }).fill('Website');
      if (request === 'webhooks') {
        await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1025/hooks');
        await dialog.getByRole('checkbox', { name: 'Booking created' }).check();
      }
      const answered = Promise.withResolvers<void>();
      await page.route(`**/v1/account/**/${request}`, async (route) => {
        await answered.promise;
        await route.continue();
      });
      const address = page.url();
      await dialog.getByRole('button', { name: verb }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText('This is still being sent').waitFor();
      for (const leave of [
        () => dialog.getByRole('button', { name: 'Close' }).click(),
        () => dialog.getByRole('button', { name: 'Cancel' }).click(),
        () => page.getByRole('link', { name: 'Clients', exact: true }).dispatchEvent('click'),
      ]) {
        await leave();
        expect(page.url()).toBe(address);
        expect(await dialog.isVisible()).toBe(true);
      }
      answered.resolve();
      const shown = page.getByRole('dialog', { name: next });
      await shown.getByRole('checkbox', { name: 'I have saved it' }).check();
      await shown.getByRole('button', { name: 'Done' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('The console tests a new API key with one click, or shows a curl command instead if only certain websites may use the key', async () => {
    const { page, errors } = await openAsOwner('/api-keys');
    const shown = page.getByRole('dialog', { name: 'Save your API key' });
    const test = shown.getByRole('button', { name: 'Send a test request' });
    const create = async (name: string, website?: string) => {
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const form = page.getByRole('dialog', { name: 'Create an API key' });
      await form.getByRole('textbox', { name: 'Name' }).fill(name);
      if (website) await form.getByLabel('Allowed websites').fill(website);
      await form.getByRole('button', { name: 'Create key' }).click();
      await shown.waitFor();
    };
    // The API has another address, as when it is deployed.
    await create('Server');
    await test.click();
    const outcome = shown.getByRole('status').getByText(/^The key works: the API answered 200 in .+s\. Request \S+$/);
    await outcome.waitFor();
    await expectAccessibleInAllThemes(page, 'api-key-tested', outcome);
    await shown.getByRole('checkbox').check();
    await shown.getByRole('button', { name: 'Done' }).click();

    await create('Website', '*.example.com');
    await shown.getByText('This key works only on *.example.com').waitFor();
    expect(await test.count()).toBe(0);
    const command = (await shown.getByRole('region', { name: 'First request' }).textContent()) ?? '';
    const [, address = '', key = '', Origin = ''] =
      /^curl '(.+)' -H 'X-API-Key: (.+)' -H 'Origin: (.+)'$/.exec(command) ?? [];
    const { origin, pathname } = new URL(address);
    expect(origin).not.toBe(system().origin);
    const url = `${system().origin}${pathname}`;
    expect((await fetch(url, { headers: { 'X-API-Key': key } })).status).toBe(403);
    expect((await fetch(url, { headers: { 'X-API-Key': key, Origin } })).status).toBe(200);
    expect(errors).toEqual([]);
  });

  test("If emails about problems bounce or are reported as spam, an owner sees the recipient's address and can resume the emails", async () => {
    const owner = await system().owner();
    const [ofBusiness, ofKey] = [
      `office-${owner.tenant.business.id}@salon.example`,
      `dev-${owner.tenant.key.id}@agency.example`,
    ];
    const { page } = await openAs(owner, '/settings');
    const settings = page.getByRole('region', { name: 'Emails about problems' });
    await settings.getByRole('textbox', { name: 'Send emails to' }).fill(ofBusiness);
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Address saved').waitFor();
    await visit(page, `/api-keys?key=${owner.tenant.key.id}`);
    const key = page.getByRole('dialog', { name: 'Seeded key' });
    await key.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit API key' });
    await form.getByRole('textbox', { name: 'Send emails about problems to' }).fill(ofKey);
    await form.getByRole('button', { name: 'Save' }).click();
    await key.getByText(ofKey).waitFor();

    await putOff(ofBusiness, 'bounced');
    await putOff(ofKey, 'complained');
    await page.goto(`${system().origin}/`);
    const due = page.getByRole('region', { name: 'To do' });
    await due.getByText(`Emails about problems no longer reach ${ofKey}.`).waitFor();
    await due.getByText(`Emails about problems no longer reach ${ofBusiness}.`).waitFor();
    await due.getByRole('link', { name: 'Check address' }).last().click();
    await settings.getByText(`Emails to ${ofBusiness} came back, so we stopped sending them`).waitFor();
    await expectAccessibleInAllThemes(page, 'settings-address-off');
    await settings.getByRole('button', { name: 'Start sending again' }).click();
    await settings.getByText('came back').waitFor({ state: 'detached' });
    expect(await owner.call('GET', '/business')).toMatchObject({ noticeEmail: ofBusiness, noticeEmailOff: null });

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await due.getByRole('link', { name: 'Check address' }).click();
    await key.getByText('was reported as spam').waitFor();
    await expectAccessible(page, 'api-key-address-off');
    await key.getByRole('button', { name: 'Start sending again' }).click();
    await key.getByText('was reported as spam').waitFor({ state: 'detached' });
    const shown = await owner.call('GET', `/api-keys/${owner.tenant.key.id}`);
    expect(shown).toMatchObject({ contactEmail: ofKey, contactEmailOff: null });
  });

  test('If a stage sends no emails about problems, the console asks for no address for them', async () => {
    const owner = await system().owner();
    const { page } = await openAs(owner, '/clients');
    await changeAnswer<object>(page, '**/config.json', (config) => ({ ...config, sendsMail: false }));
    const noticeEmailOff = { reason: 'bounced', at: new Date().toISOString() };
    await changeAnswer<object>(page, '**/v1/account/business', (business) => ({
      ...business,
      noticeEmail: 'owner@example.com',
      noticeEmailOff,
    }));
    await page.goto(system().origin);
    await page.getByText('Get notified of bookings: add a webhook.').waitFor();
    expect(await page.getByRole('link', { name: 'Check address' }).count()).toBe(0);
    await visit(page, '/settings');
    await page.getByRole('region', { name: 'Technical details' }).waitFor();
    expect(await page.getByText('Emails about problems').count()).toBe(0);
    await visit(page, `/api-keys?key=${owner.tenant.key.id}`);
    const key = page.getByRole('dialog', { name: 'Seeded key' });
    await key.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit API key' });
    await form.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await page.getByText('emails about problems').count()).toBe(0);
  });

  test('The console warns of an API key that expires soon, even if the business has more than a hundred keys', async () => {
    const owner = await system().owner();
    const key = await owner.call<object>('GET', `/api-keys/${owner.tenant.key.id}`);
    const { page } = await openAs(owner, '/clients');
    await page.route('**/v1/account/api-keys?*', async (route) => {
      const response = await route.fetch({ maxRetries: 1 });
      const isFirst = new URL(route.request().url()).searchParams.get('page') !== '2';
      const soon = new Date(Date.now() + 86_400_000).toISOString();
      const entry = { ...key, ...(isFirst ? { status: 'revoked' } : { name: 'Website', expiresAt: soon }) };
      await route.fulfill({ response, json: { total: 101, data: [entry] } });
    });
    // The console may have loaded the keys already.
    await page.reload();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText(/^The API key “Website” expires/).waitFor();
    expect(await page.getByText('Take online bookings: create an API key.').count()).toBe(0);
  });

  test('The pages of API keys are accessible in light mode, in dark mode and on a phone', async () => {
    const owner = await system().owner();
    await services(owner.tenant.key.value);
    const { page } = await openAs(owner, '/api-keys');
    await page.getByRole('table').waitFor();
    await expectAccessibleInAllThemes(page, 'api-keys');
    await page.getByRole('link', { name: 'Seeded key' }).click();
    await page.getByText('on one day').waitFor();
    await page.locator('.recharts-bar').first().waitFor();
    await expectAccessibleInAllThemes(page, 'api-key');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog', { name: 'Edit API key' }).waitFor();
    await expectAccessibleInAllThemes(page, 'api-key-change');
  });
});
