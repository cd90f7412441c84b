/** The request log. */
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screens, visit } from '../../support/console.ts';

export const requests = screens('the log of requests', ({ openAsOwner }) => {
  test('An owner finds a failed request by its id, reads about its error, and copies the request without its API key', async () => {
    const { owner, page, errors } = await openAsOwner('/requests');
    // The API has its own host.
    await page.route('**/config.json', async (route) => {
      const config = await (await route.fetch({ maxRetries: 1 })).json();
      await route.fulfill({ json: { ...config, integrationUrl: 'https://api.salon.example/v1/integration' } });
    });
    await page.getByText('No requests yet').waitFor();
    const failed = await owner.tenant.call('GET', '/slots/explain?startTime=tomorrow');
    expect(failed.status).toBe(400);
    await page.reload();
    const row = page.getByRole('row', { name: /GET \/slots\/explain/ });
    await row.getByText('validation_failed').waitFor();
    await expectAccessible(page, 'requests');
    const { data } = await owner.call<{ data: { requestId: string }[] }>('GET', '/requests');
    const requestId = data[0]?.requestId ?? '';

    await page.getByRole('textbox', { name: 'Request ID' }).fill('another');
    await page.keyboard.press('Enter');
    await page.getByText('No matching requests').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('another');
    expect(new URL(page.url()).searchParams.get('requestId')).toBe('another');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await row.waitFor();

    await page.setViewportSize({ width: 320, height: 700 });
    await visit(page, `/requests?requestId=${requestId}`);
    await expectFits(page, 'requests-phone');
    await row.getByRole('link').click();
    const dialog = page.getByRole('dialog', { name: 'Request' });
    await dialog.getByText('The request is not valid. See details.').waitFor();
    await dialog.getByText('Correct all of them.').waitFor();
    const curl = await dialog.getByLabel('As a curl command', { exact: true }).textContent();
    expect(curl).toContain("'https://api.salon.example/v1/integration/slots/explain");
    expect(curl).toContain('YOUR_API_KEY');
    expect(curl).not.toContain('bk_');
    await expectAccessible(page, 'request');
    expect(errors).toEqual([]);
  });
});
