/** Webhooks, deliveries, events and the overview. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  breakCall,
  changeAnswer,
  expectAccessible,
  expectAccessibleInAllThemes,
  expectFits,
  loseAnswer,
  screens,
  visit,
} from '../../support/console.ts';
import { startReceiver } from '../../support/local.ts';

const storeSecret = async (page: Page) => {
  const shown = page.getByRole('dialog', { name: 'Save your signing secret' });
  const secret = (await shown.getByLabel('Signing secret', { exact: true }).textContent()) ?? '';
  await shown.getByRole('checkbox').check();
  await shown.getByRole('button', { name: 'Done' }).click();
  return secret;
};

/** Whether the middle of the element is visible and not covered. */
const isInView = (element: Element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && (element.contains(hit) || hit.contains(element));
};

export const webhooks = screens('the screens of webhooks', ({ open, openAs, openAsOwner, openBySigningIn, system }) => {
  test('An owner creates a webhook, sees why deliveries fail, corrects the URL, and gets the missed messages sent again', async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    // In its own context, because all tabs of a context have the same clock.
    const { page, errors } = await openBySigningIn(owner, '/webhooks', open);
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create a webhook' });
    await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hooks');
    const [all, created] = ['All events', 'Booking created'].map((name) => form.getByRole('checkbox', { name }));
    await all?.check();
    expect(await created?.isChecked()).toBe(true);
    await all?.uncheck();
    expect(await created?.isChecked()).toBe(false);
    await created?.check();
    await form.getByRole('button', { name: 'Create webhook' }).click();
    await form.getByText(/^Must name its host|^Must be an https URL/).waitFor();
    // No server listens there.
    await form.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1025/hooks');
    await form.getByRole('button', { name: 'Create webhook' }).click();
    receiver.trust(await storeSecret(page));
    await page.getByRole('heading', { level: 1, name: 'http://127.0.0.1:1025/hooks' }).waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog', { name: 'Send a test message' }).getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The test failed').waitFor();
    await page.getByRole('dialog', { name: 'Send a test message' }).getByRole('button', { name: 'Close' }).click();

    const { status } = await owner.tenant.call('POST', '/bookings', owner.tenant.booking());
    expect(status).toBe(201);
    await page.getByRole('link', { name: 'See all deliveries' }).click();
    const failed = () =>
      owner.call<{ data: unknown[] }>('GET', '/deliveries?deliveryStatus=failed&event=booking.created');
    await expect.poll(async () => (await failed()).data.length).toBe(1);
    await page.reload();
    const latest = page.getByRole('row', { name: /Attempt 6/ });
    await latest.waitFor();
    expect(await page.getByRole('row', { name: /booking\.created/ }).count()).toBe(1);
    await latest.getByRole('link').first().click();
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await delivery.getByText('Attempt 6, automatic: The connection failed').waitFor();
    await delivery.getByLabel('Body').getByText('"bookingId"').waitFor();
    expect(await delivery.getByRole('button', { name: 'Newer' }).isDisabled()).toBe(true);
    await delivery.getByRole('button', { name: 'Older' }).click();
    await delivery.getByText('ping', { exact: true }).waitFor();
    expect(await delivery.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await delivery.getByRole('button', { name: 'Newer' }).click();
    await delivery.getByText('Attempt 6, automatic: The connection failed').waitFor();
    // The result is next to the button.
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await delivery.getByRole('status').getByText('The connection failed').waitFor();
    await delivery.getByRole('button', { name: 'Close' }).click();
    // The row names the booking, which is found by its number.
    const [about] = (await owner.call<{ data: { id: number }[] }>('GET', '/bookings')).data;
    const field = page.getByRole('textbox', { name: 'Booking number' });
    await field.fill('1');
    await field.press('Enter');
    await page.getByText('No matching deliveries').waitFor();
    await field.fill(`#${about?.id}`);
    await field.press('Enter');
    await page
      .getByRole('row', { name: /Attempt 7.*Failed/ })
      .getByRole('link', { name: /Haircut/ })
      .click();
    await page.getByRole('dialog').getByRole('link', { name: 'Messages about this booking' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('0% of 7 attempts succeeded in the last 24 hours.').waitFor();
    await page.getByText('Messages to http://127.0.0.1:1025/hooks started failing').waitFor();
    await page.getByRole('link', { name: 'See why' }).click();
    await page.getByText(/^Every attempt since .* has failed/).waitFor();
    await page.getByText('Last response: The connection failed').waitFor();
    await expectAccessible(page, 'webhook-failing');

    await page.getByRole('button', { name: 'Edit' }).click();
    const change = page.getByRole('dialog', { name: 'Edit webhook' });
    await change.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    await page.clock.install({ time: Date.now() + 10 * 60_000 });
    await page.getByRole('button', { name: 'Recover' }).click();
    await page
      .getByRole('dialog', { name: 'Recover failed messages' })
      .getByRole('button', { name: 'Recover' })
      .click();
    await page.getByText('1 delivered, 0 failed again.').waitFor();
    expect(receiver.deliveries.map(({ event }) => event)).toEqual(['booking.created']);
    await page.getByRole('dialog', { name: 'Recover failed messages' }).getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await storeSecret(page)).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await loseAnswer(page, 'DELETE', '**/v1/account/webhooks/*');
    const remove = page.getByRole('dialog', { name: 'Delete this webhook?' });
    await remove.getByRole('button', { name: 'Delete webhook' }).click();
    await remove.getByText('No connection to the server').waitFor();
    await remove.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(errors.filter((error) => !/status of 40[04]|ERR_FAILED/.test(error))).toEqual([]);
  });

  test('While a delivery waits for its retry, or its webhook is disabled, the console explains why “Send again” is disabled', async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const { id } = await owner.tenant.subscribe(receiver.url, ['booking.created', 'client.created']);
    await owner.tenant.call('POST', '/bookings', owner.tenant.booking());
    await receiver.waitFor(({ length }) => length > 1);
    const { page } = await openAs(owner, '/payments');
    const showDelivery = () => visit(page, `/deliveries?delivery="${receiver.deliveries[0]?.deliveryId}"`);
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    const restore = await changeAnswer<{ attempts: object[] }>(page, '**/v1/account/deliveries/dlv_*', (found) => {
      const nextAttemptAt = new Date(Date.now() + 12.5 * 60_000).toISOString();
      const retrying = { deliveryStatus: 'retrying', responseStatusCode: 500, errorCode: 'http_status', nextAttemptAt };
      return { ...found, deliveryStatus: 'retrying', attempts: found.attempts.map((one) => ({ ...one, ...retrying })) };
    });
    await showDelivery();
    await delivery.getByRole('note').getByText('Next attempt in 12 minutes').waitFor();
    expect(await delivery.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await expectAccessible(page, 'delivery-retrying');
    await restore();
    await page.reload();
    await delivery.getByRole('button', { name: 'Send again' }).waitFor();
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await delivery.getByRole('button', { name: 'Copy as curl' }).click();
    await delivery.getByRole('status').getByText('The browser does not allow copying').waitFor();
    await visit(page, '/payments');
    const since = new Date(Date.now() - 5 * 86_400_000).toISOString();
    const off = { status: 'failed', consecutiveFailures: 5, failingSince: since };
    await changeAnswer<object>(page, `**/v1/account/webhooks/${id}`, (found) => ({ ...found, ...off }));
    await changeAnswer<{ data: object[] }>(page, '**/v1/account/webhooks?*', ({ data, ...rest }) => ({
      ...rest,
      data: data.map((one) => ({ ...one, ...off })),
    }));
    const unsent = { deliveryStatus: 'failed', responseStatusCode: 0, errorCode: 'webhook_disabled' };
    const refused = { deliveryStatus: 'failed', responseStatusCode: 503, errorCode: 'http_status' };
    const { data: attempts } = await owner.call<{ data: object[] }>('GET', `/deliveries?webhookId=${id}`);
    // The attempt whose response is shown is on the second page.
    await changeAnswer<{ data: object[] }>(page, '**/v1/account/deliveries?*', ({ data }) => ({
      data: data.map((one) => ({ ...one, ...unsent })),
      nextCursor: 'older',
    }));
    const older = { data: [{ ...attempts[0], ...refused }], nextCursor: null };
    await breakCall(page, '**/v1/account/deliveries?*cursor=older*', 200, older);
    await visit(page, `/webhooks/${id}`);
    await page.getByText('Disabled after 5 failed messages').waitFor();
    await page.getByText(/^Last response: 503/).waitFor();
    expect(await page.getByRole('alert').getByText('was not active').count()).toBe(0);
    await expectAccessible(page, 'webhook-disabled');
    // The API refuses to send anything until the webhook is active.
    expect(await page.getByRole('button', { name: 'Recover' }).count()).toBe(0);
    await showDelivery();
    await page.reload();
    await page.getByText('The webhook is disabled. Reactivate it').waitFor();
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  });

  test('The button “Recover” of a failing webhook offers to send again all messages since its first failure', async () => {
    const owner = await system().owner();
    const { id } = await owner.tenant.subscribe('http://127.0.0.1:1025/hooks', ['booking.created']);
    const { page } = await openAs(owner, '/webhooks');
    const failingSince = new Date(Date.now() - 5 * 86_400_000).toISOString();
    const reactivated = { consecutiveFailures: 0, failingSince };
    await changeAnswer<object>(page, `**/v1/account/webhooks/${id}`, (found) => ({ ...found, ...reactivated }));
    await changeAnswer<{ data: object[] }>(page, '**/v1/account/webhooks?*', ({ data, ...rest }) => ({
      ...rest,
      data: data.map((one) => ({ ...one, ...reactivated })),
    }));
    await visit(page, '/');
    await page.getByText(/^No message to .* has been delivered since it started failing 5 days ago/).waitFor();
    await visit(page, `/webhooks/${id}`);
    await page.getByRole('button', { name: 'Recover' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recover failed messages' });
    const period = dialog.getByRole('combobox', { name: 'Period' });
    await expect.poll(() => period.inputValue()).toBe('Since the first failure');
    await dialog.getByText(/^Messages since .* Older ones are not sent\.$/).waitFor();
    await expectAccessible(page, 'recover');
    const requested = page.waitForRequest((request) => request.url().endsWith('/recover'));
    const many = { matched: 300, stillRetrying: 0, leftOut: 0 };
    await breakCall(page, '**/v1/account/webhooks/*/recover', 200, many);
    await dialog.getByRole('button', { name: 'Recover' }).click();
    const { since } = (await requested).postDataJSON();
    expect(Date.parse(failingSince) - Date.parse(since)).toBe(3_600_000);
    // The dialog reports what it watches, not more.
    await dialog.getByText('300 messages are being sent again.').waitFor();
    await dialog.getByText('The progress of the newest 100:').waitFor();
    await dialog.getByText('0 of 100 sent').waitFor();
  });

  test('The list of webhook deliveries keeps showing the bookings of earlier messages while it loads the booking of a new message', async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const { id } = await owner.tenant.subscribe(receiver.url, ['booking.created']);
    const book = async (nth: number) => {
      await owner.tenant.call('POST', '/bookings', owner.tenant.booking());
      await receiver.waitFor(({ length }) => length === nth);
    };
    await book(1);
    const { page } = await openAs(owner, `/webhooks/${id}`);
    const booking = page.getByRole('link', { name: /Haircut/ });
    await booking.waitFor();
    await page.route('**/v1/account/bookings?ids=*', () => undefined);
    await book(2);
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test message' });
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText(/200/).first().waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByRole('row', { name: /booking\.created/ }).count()).toBe(2);
    expect(await booking.count()).toBe(1);
  });

  test('An owner can create a webhook with a feed, limit it to one service and staff member, and rotate its secret', async () => {
    const { owner, page, errors } = await openAsOwner('/webhooks?create=true');
    const form = page.getByRole('dialog', { name: 'Create a webhook' });
    await form.getByText('My program reads them').click();
    expect(await form.getByRole('textbox', { name: 'Address' }).count()).toBe(0);
    await form.getByRole('checkbox', { name: 'Booking created' }).check();
    await form.getByRole('combobox', { name: 'Only these services' }).click();
    await page.getByRole('option', { name: 'Haircut' }).click();
    await form.getByRole('combobox', { name: 'Only these staff members' }).click();
    await page.getByRole('option', { name: `${owner.tenant.staff[0]?.name}` }).click();
    await form.getByRole('textbox', { name: 'Description' }).fill('Till');
    await expectAccessible(page, 'webhook-form-read');
    await page.setViewportSize({ width: 320, height: 700 });
    await expectFits(page, 'webhook-form-read-phone');
    await page.setViewportSize({ width: 1_280, height: 860 });
    await loseAnswer(page, 'POST', '**/v1/account/webhooks');
    await form.getByRole('button', { name: 'Create webhook' }).click();
    await form.getByText('The webhook may exist already').waitFor();
    page.once('dialog', (question) => question.accept());
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Read from its feed' }).click();
    const { data } = await owner.call<{ data: object[] }>('GET', '/webhooks');
    const [haircut] = owner.tenant.services;
    const filter = { serviceIds: [haircut?.id], staffIds: [owner.tenant.staff[0]?.id] };
    expect(data).toMatchObject([{ delivery: 'poll', targetUrl: '', filter }]);

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const rotate = page.getByRole('dialog', { name: 'Rotate the signing secret?' });
    await rotate.getByRole('combobox', { name: 'The old secret' }).click();
    await page.getByRole('option', { name: 'Works for 1 more day' }).click();
    await rotate.getByText('Until then messages carry a signature of each secret').waitFor();
    await rotate.getByRole('button', { name: 'Rotate secret' }).click();
    await storeSecret(page);

    // Nothing was sent, so nothing can be sent again.
    await owner.tenant.call('POST', '/bookings', { ...owner.tenant.booking(), staffId: owner.tenant.staff[0]?.id });
    await page.getByRole('button', { name: 'Send test' }).waitFor();
    expect(await page.getByRole('button', { name: 'Recover' }).count()).toBe(0);
    const readable = async () => (await owner.call<{ data: object[] }>('GET', '/deliveries')).data.length;
    await expect.poll(readable).toBe(1);
    await page.getByRole('link', { name: 'See all deliveries' }).click();
    await page
      .getByRole('row', { name: /booking\.created.*Read from its feed.*In the feed/ })
      .getByRole('link')
      .first()
      .click();
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await delivery.getByText('Attempt 1, automatic: In the feed').waitFor();
    for (const name of ['Send again', 'Copy as curl'])
      expect(await delivery.getByRole('button', { name }).count(), name).toBe(0);
    await page.goBack();
    await page.goBack();

    await page.getByRole('button', { name: 'Edit' }).click();
    const change = page.getByRole('dialog', { name: 'Edit webhook' });
    for (const name of ['Only these services', 'Only these staff members'])
      await change.getByRole('combobox', { name }).press('Backspace');
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'hidden' });
    const after = await owner.call<{ data: { filter: unknown }[] }>('GET', '/webhooks');
    expect(after.data).toMatchObject([{ filter: null }]);

    await page.getByRole('button', { name: 'Send test' }).click();
    const ping = page.getByRole('dialog', { name: 'Send a test message' });
    const sent = Promise.withResolvers<void>();
    await page.route('**/ping', async (route) => {
      await sent.promise;
      await route.continue();
    });
    await ping.getByRole('button', { name: 'Send test' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('This is still being sent').waitFor();
    sent.resolve();
    await ping.getByRole('status').getByText('In the feed').waitFor();
    await ping.getByRole('link', { name: 'View the message' }).waitFor();
    expect(errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
  });

  test('A form with an error scrolls to its first invalid field and focuses that field', async () => {
    const { page } = await openAsOwner('/webhooks?create=true');
    const form = page.getByRole('dialog', { name: 'Create a webhook' });
    const button = form.getByRole('button', { name: 'Create webhook' });
    const address = form.getByRole('textbox', { name: 'Address' });
    const event = form.getByRole('checkbox').first();
    const expectFocus = (field: Locator) =>
      expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
    await button.click();
    await expectFocus(address);
    await address.fill('http://127.0.0.1:1025/hooks');
    await button.click();
    await expectFocus(event);
    await form.getByText('Select at least one event').waitFor();
    await expect.poll(() => event.evaluate(isInView)).toBe(true);
    const broken = { statusCode: 503, code: 'temporarily_unavailable', message: 'Busy.', requestId: 'req-9' };
    await breakCall(page, '**/v1/account/webhooks', 503, broken);
    await form.getByRole('checkbox', { name: 'Booking created' }).check();
    await button.click();
    await form.getByText('req-9').waitFor();
    await expect.poll(() => form.getByRole('alert').evaluate(isInView)).toBe(true);
  });

  test('The form for a new webhook proposes an API key that may receive the chosen events, and refuses a key that may not', async () => {
    const owner = await system().owner();
    for (const [name, scope] of [
      ['Sender', 'webhooks:manage'],
      ['Reader', 'bookings:read'],
    ])
      await owner.call('POST', '/api-keys', { name, scopes: [scope] });
    const { page } = await openAs(owner, '/webhooks?create=true');
    const form = page.getByRole('dialog', { name: 'Create a webhook' });
    const button = form.getByRole('button', { name: 'Create webhook' });
    const key = form.getByRole('combobox', { name: 'API key' });
    await form.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1025/hooks');
    await form.getByRole('checkbox', { name: 'All events' }).check();
    await expect.poll(() => key.inputValue()).toBe('Seeded key');
    for (const [name, refusal] of [
      ['Sender', '“Sender” needs the permission “View bookings and clients” to receive client.created.'],
      ['Reader', '“Reader” needs the permission “Manage its own webhooks” to receive booking.created.'],
    ] as const) {
      await key.click();
      await page.getByRole('option', { name }).click();
      await button.click();
      await form.getByText(refusal).waitFor();
    }
    await key.click();
    await page.getByRole('option', { name: 'Seeded key' }).click();
    await button.click();
    await page.getByRole('dialog', { name: 'Save your signing secret' }).waitFor();
  });

  test('The list of webhook deliveries keeps its filters after a reload, and shows the code and request id of an error', async () => {
    const { page } = await openAsOwner('/deliveries?utm_source=mail');
    await page.getByText('No deliveries yet').waitFor();
    await expect.poll(() => page.title()).toBe('Deliveries · Booking console');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No matching deliveries').waitFor();
    expect(page.url()).toContain('deliveryStatus=failed');
    const broken = { statusCode: 503, code: 'temporarily_unavailable', message: 'Busy.', requestId: 'req-8' };
    const restore = await breakCall(page, '**/v1/account/deliveries?*', 503, broken);
    await page.reload();
    await page.getByText('req-8').waitFor();
    await page.getByText('temporarily_unavailable').waitFor();
    await expectAccessible(page, 'list-error');
    await restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No matching deliveries').waitFor();
    await page.goto(`${system().origin}/test/webhooks`);
    await expect.poll(() => page.title()).toBe('Test mode · Webhooks · Booking console');
  });

  test('An event that an owner triggers in test mode reaches webhooks of the sandbox, and does not appear in live mode', async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const { page } = await openAs(owner, '/test/api-keys');
    await page.getByText('No API keys yet').waitFor();
    await page.getByText('nothing here reaches a real client').waitFor();
    const resetButton = page.getByRole('button', { name: 'Reset', exact: true });
    expect(await resetButton.count(), 'before there is a sandbox').toBe(0);
    await expectAccessible(page, 'api-keys-empty');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const key = page.getByRole('dialog', { name: 'Create an API key' });
    await key.getByRole('textbox', { name: 'Name' }).fill('Trial');
    await key.getByRole('radio', { name: 'Full CRM' }).click();
    await key.getByRole('button', { name: 'Create key' }).click();
    await page.getByText(/^bk_test_\w{36}$/).waitFor();
    const { data } = await owner.call<{ data: { id: number }[] }>('GET', '/api-keys', undefined, 'test');
    const webhook = { apiKeyId: data[0]?.id, targetUrl: receiver.url, events: ['client.created'] };
    receiver.trust((await owner.call<{ secret: string }>('POST', '/webhooks', webhook, 'test')).secret);

    await visit(page, '/test/events');
    const words = page.getByRole('searchbox', { name: 'Search events' });
    await words.fill('cnt');
    await words.evaluate((field: HTMLInputElement) => field.setSelectionRange(1, 1));
    await page.keyboard.type('lie', { delay: 20 });
    expect(await words.inputValue()).toBe('client');
    await page.getByRole('button', { name: 'Client created' }).click();
    await page.getByText('"client.created"').waitFor();
    await page.getByRole('button', { name: 'Trigger in the sandbox' }).click();
    await page.getByText('client.created was triggered.').waitFor();
    const [sent] = await receiver.waitFor(({ length }) => length > 0);
    expect(sent).toMatchObject({ signature: 'valid', headers: { 'x-webhook-mode': 'test' } });

    const attempt = page.getByRole('row', { name: /Attempt 1/ }).getByRole('link');
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await visit(page, '/test/deliveries');
    await attempt.click();
    await delivery.getByLabel('Body').getByText('"client.created"').waitFor();
    await delivery.getByRole('button', { name: 'Close' }).click();

    await visit(page, '/test/clients');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('test-clients.csv');
    await visit(page, '/test/deliveries');
    await resetButton.click();
    const reset = page.getByRole('dialog', { name: 'Reset the sandbox?' });
    await reset.getByText('Your live data stays as it is.').waitFor();
    await expectAccessible(page, 'sandbox-reset');
    const restore = await breakCall(page, '**/v1/account/sandbox/reset', 409, {
      code: 'invalid_state',
      message: 'Not now.',
    });
    await reset.getByRole('button', { name: 'Reset sandbox' }).click();
    await reset.getByRole('alert').waitFor();
    await restore();
    await reset.getByRole('button', { name: 'Cancel' }).click();
    await resetButton.click();
    await reset.waitFor();
    expect(await reset.getByRole('alert').count()).toBe(0);
    const clients = async () =>
      (await owner.call<{ data: object[] }>('GET', '/clients', undefined, 'test')).data.length;
    expect(await clients()).toBe(1);
    await reset.getByRole('button', { name: 'Reset sandbox' }).click();
    await page.getByText('Sandbox reset').waitFor();
    await reset.waitFor({ state: 'detached' });
    expect(await clients()).toBe(0);

    await page.getByRole('switch', { name: 'Test mode' }).click();
    await page.waitForURL(`${system().origin}/deliveries`);
    await page.getByText('No deliveries yet').waitFor();
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('link', { name: 'Seeded key' }).waitFor();
    expect(await page.getByText('Trial').count()).toBe(0);
  });

  test('The overview, webhooks, deliveries and events are accessible in light mode, in dark mode and on a phone', async () => {
    const owner = await system().owner();
    const receiver = await startReceiver();
    const webhook = await owner.tenant.subscribe(receiver.url, ['booking.created']);
    await owner.tenant.call('POST', '/bookings', owner.tenant.booking());
    await receiver.waitFor(({ length }) => length > 0);
    const { page } = await openAs(owner, '/');
    const screens = [
      ['overview', '/', 'Bookings per day'],
      ['webhooks', '/webhooks', receiver.url],
      ['webhook', `/webhooks/${webhook.id}`, 'Recent deliveries'],
      ['webhook-new', '/webhooks?create=true', 'Service deleted'],
      ['deliveries', '/deliveries', 'Attempt 1'],
      ['delivery', `/deliveries?delivery="${receiver.deliveries[0]?.deliveryId}"`, '"bookingId"'],
      ['events', '/events?event=booking.created', '"apiVersion"'],
    ] as const;
    for (const [name, path, drawn] of screens) {
      await visit(page, path);
      await page.getByText(drawn).last().waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      await expectAccessibleInAllThemes(page, name);
    }
  });
});
