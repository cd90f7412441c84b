/** Webhooks in the console: made, tried, seen to fail, mended and recovered; deliveries, events and the overview. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { breakCall, expectGoodLooks, expectGoodLooksEverywhere, screens } from '../../support/console.ts';
import { startReceiver } from '../../support/local.ts';

const storeSecret = async (page: Page) => {
  const shown = page.getByRole('dialog', { name: 'Store the signing secret now' });
  const secret = (await shown.getByLabel('Signing secret', { exact: true }).textContent()) ?? '';
  await shown.getByRole('checkbox').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  return secret;
};

export const webhooks = screens('the screens of webhooks', ({ openAs, system }) => {
  test('an owner makes a webhook, tries it, sees why it fails, mends it, and gets what was missed', {
    timeout: 120_000,
  }, async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const { page, errors } = await openAs(owner, '/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create a webhook' });
    await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hooks');
    const [all, made] = ['All of them', 'A booking was made'].map((name) => form.getByRole('checkbox', { name }));
    await all?.check();
    expect(await made?.isChecked()).toBe(true);
    await all?.uncheck();
    expect(await made?.isChecked()).toBe(false);
    await made?.check();
    await form.getByRole('button', { name: 'Create webhook' }).click();
    await form.getByText(/^Must name its host|^Must be an https URL/).waitFor();
    // Nobody listens there.
    await form.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1025/hooks');
    await form.getByRole('button', { name: 'Create webhook' }).click();
    receiver.trust(await storeSecret(page));
    await page.getByRole('heading', { level: 1, name: 'http://127.0.0.1:1025/hooks' }).waitFor();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('The test failed').waitFor();
    await page.getByRole('dialog', { name: 'Send a test message' }).getByRole('button', { name: 'Close' }).click();

    const { status } = await owner.tenant.call('POST', '/bookings', owner.tenant.booking());
    expect(status).toBe(201);
    await page.getByRole('link', { name: 'See all deliveries' }).click();
    const failed = () =>
      owner.call<{ data: unknown[] }>('GET', '/deliveries?deliveryStatus=failed&event=booking.created');
    await expect.poll(async () => (await failed()).data.length, { timeout: 40_000 }).toBe(1);
    await page.reload();
    await page
      .getByRole('row', { name: /Attempt 6/ })
      .getByRole('link')
      .click();
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await delivery.getByText('Attempt 6, by schedule: Nobody accepted the connection').waitFor();
    await delivery.getByLabel('Body').getByText('"bookingId"').waitFor();
    await delivery.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('0% of 6 attempts arrived in 24 hours.').waitFor();
    await page.getByText('Messages to http://127.0.0.1:1025/hooks began to fail').waitFor();
    await page.getByRole('link', { name: 'See why' }).click();
    await page.getByText(/^Nothing has arrived since/).waitFor();
    await expectGoodLooks(page, 'webhook-failing');

    await page.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change the webhook' });
    await change.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Done: 1 arrived, 0 failed again.').waitFor();
    expect(receiver.deliveries.map(({ event }) => event)).toEqual(['booking.created']);
    await page.getByRole('dialog', { name: 'Send again what failed' }).getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    expect(await storeSecret(page)).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(errors.filter((error) => !error.includes('status of 400'))).toEqual([]);
  });

  test('filters of deliveries stay in the address, and a failure is told with its request id', async () => {
    const owner = await system().owner();
    const { page } = await openAs(owner, '/deliveries');
    await page.getByText('Nothing was sent yet').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No delivery matches').waitFor();
    expect(page.url()).toContain('deliveryStatus=failed');
    const broken = { statusCode: 503, code: 'temporarily_unavailable', message: 'Busy.', requestId: 'req-8' };
    const mend = await breakCall(page, '**/v1/account/deliveries?*', 503, broken);
    await page.reload();
    await page.getByText('req-8').waitFor();
    await mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No delivery matches').waitFor();
  });

  test('a test key is made, an event raised in the sandbox and its delivery seen, and nothing of it is there live', {
    timeout: 120_000,
  }, async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const { page } = await openAs(owner, '/test/api-keys');
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const key = page.getByRole('dialog', { name: 'Create an API key' });
    await key.getByRole('textbox', { name: 'Name' }).fill('Trial');
    await key.getByRole('radio', { name: 'Full CRM' }).click();
    await key.getByRole('button', { name: 'Create key' }).click();
    await page.getByText(/^bk_test_\w{36}$/).waitFor();
    const { data } = await owner.call<{ data: { id: number }[] }>('GET', '/api-keys', undefined, 'test');
    const webhook = { apiKeyId: data[0]?.id, targetUrl: receiver.url, events: ['client.created'] };
    await owner.call('POST', '/webhooks', webhook, 'test');

    await page.goto(`${system().origin}/test/events`);
    await page.getByRole('searchbox', { name: 'Search events' }).fill('client');
    await page.getByRole('button', { name: 'A new client' }).click();
    await page.getByText('"client.created"').waitFor();
    await page.getByRole('button', { name: 'Raise it in the sandbox' }).click();
    await page.getByText('client.created was raised.').waitFor();
    await receiver.waitFor(({ length }) => length > 0);

    const attempt = page.getByRole('row', { name: /Attempt 1/ }).getByRole('link');
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await page.goto(`${system().origin}/test/deliveries`);
    await attempt.click();
    await delivery.getByLabel('Body').getByText('"client.created"').waitFor();
    await delivery.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('switch', { name: 'Test mode' }).click();
    await page.getByText('Nothing was sent yet').waitFor();
    expect(page.url()).toBe(`${system().origin}/deliveries`);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: 'Seeded key' }).waitFor();
    expect(await page.getByText('Trial').count()).toBe(0);
  });

  test('are readable by everybody, in light, in the dark and on a phone', { timeout: 120_000 }, async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const webhook = await owner.tenant.subscribe(receiver.url, ['booking.created']);
    await owner.tenant.call('POST', '/bookings', owner.tenant.booking());
    await receiver.waitFor(({ length }) => length > 0);
    const { page } = await openAs(owner, '/');
    const screens = [
      ['overview', '/', 'Bookings by day'],
      ['webhooks', '/webhooks', receiver.url],
      ['webhook', `/webhooks/${webhook.id}`, 'Recent deliveries'],
      ['webhook-new', '/webhooks?create=true', 'A service was deleted'],
      ['deliveries', '/deliveries', 'Attempt 1'],
      ['delivery', `/deliveries?delivery="${receiver.deliveries[0]?.deliveryId}"`, 'The message as sent'],
      ['events', '/events?event=booking.created', '"apiVersion"'],
    ] as const;
    for (const [name, path, drawn] of screens) {
      await page.goto(`${system().origin}${path}`);
      await page.getByText(drawn).last().waitFor();
      await page.waitForLoadState('networkidle');
      await expectGoodLooksEverywhere(page, name);
    }
  });
});
