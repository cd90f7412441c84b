/** The site as the local run serves it, in a real browser. */
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { seedDemo } from '../../local/seed-demo.ts';
import { siteConfig } from '../../local/welcome.ts';
import { elementPath } from '../../site/addresses.ts';
import { configPath, type SiteConfig } from '../../site/config.ts';
import { clientPackage, guides, startPath } from '../../site/pages.ts';
import { inChromium, violations } from '../support/chromium.ts';
import { withLocal } from '../support/local.ts';

const local = withLocal({ withSite: true, workersPerFunction: 1 });
const origin = () => local().run.baseUrl;

beforeAll(async () => {
  const { run, admin } = local();
  const demo = await seedDemo(admin, undefined, Date.now());
  tenantId = demo.tenant.business.id;
  run.site?.configure(siteConfig({ run, demo, ownerToken: await ownerToken() }));
});

/** The demo business, whose owner has the token that the console would get by a sign-in. */
let tenantId = 0;
const ownerToken = async () => (await local().run.owners?.token(tenantId)) ?? '';

const desk = { viewport: { width: 1_280, height: 860 }, colorScheme: 'light' } as const;
const deskInTheDark = { ...desk, colorScheme: 'dark' } as const;
const phoneInTheDark = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
type Look = typeof desk | typeof deskInTheDark | typeof phoneInTheDark;

/** Shows the page on a screen of this size and with these colours. */
async function show(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** Waits for the start page, which first fetches the state of the local run. */
const drawn = (page: Page) => page.getByText('Salon Daugava, Europe/Riga').waitFor();

const deployedUrl = 'https://api.salon.example/v1/integration';

/**
 * Opens a page with the configuration of a deployment: the API has another host, and there is no demo unless
 * `keepsDemo`. Returns the demo.
 */
async function openDeployed(page: Page, path: string, keepsDemo = false): Promise<SiteConfig['demo']> {
  const { demo, ...config } = (await (await page.request.get(`${origin()}${configPath}`)).json()) as SiteConfig;
  const json = { ...config, integrationUrl: deployedUrl, ...(keepsDemo && { demo }) };
  await page.route('**/config.json', (route) => route.fulfill({ json }));
  await page.goto(`${origin()}${path}`);
  return demo;
}

/** A button of Scalar with the text "Show More", whose name says of what. It exists once its section is drawn. */
const namedByScalar = /^label-content-name-mismatch: button\[aria-label="Show all .* endpoints"\]$/;

inChromium('the site in a browser', (open, openTab) => {
  test('Every published guide shows the API address of its own deployment instead of an example address', async () => {
    const { page } = await open(origin(), startPath);
    for (const { path } of guides) {
      await page.goto(`${origin()}${path}`);
      await expect
        .poll(() => page.locator('main').innerText())
        .not.toMatch(/https:\/\/(?:api|console)\.booking\.example|api\.example\.com/);
      expect(await page.locator('main').innerText(), path).not.toContain('127.0.0.1:8787');
    }
    await page.goto(`${origin()}/docs/client/`);
    await page.getByText(`npm install ${origin()}${clientPackage}`).waitFor();
    expect((await page.request.get(`${origin()}${clientPackage}`)).status()).toBe(200);
  });

  test('A reader can send an API call from the start page with a pasted API key, and the browser stores no live key', async () => {
    const { page, errors } = await open(origin(), '/config.json');
    const demo = await openDeployed(page, startPath);
    await page.getByText(`curl '${deployedUrl}/services'`).waitFor();
    expect(await page.locator('#demo').isHidden()).toBe(true);
    for (const key of [demo?.testKey, demo?.apiKey]) {
      await page.getByLabel('Test key').fill(key ?? '');
      await page.getByRole('button', { name: 'Send it from here' }).click();
      await page.getByText(/^200 in \d+ ms/).waitFor();
    }
    expect(await page.evaluate('JSON.stringify([sessionStorage, localStorage])')).not.toContain('bk_live_');
    expect(errors).toEqual([]);
  });

  test("The API reference of a deployment sends requests only to its own origin, with the reader's test key", async () => {
    const { page, foreign, errors } = await open(origin(), configPath);
    await openDeployed(page, '/docs/#tag/services/GET/services', true);
    await page.locator('button.show-api-client-button').first().click();
    const sent = page.waitForRequest('**/v1/integration/services*');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await sent).headers()['x-api-key']).toMatch(/^bk_test_/);
    await page.getByText('200 OK').first().waitFor();
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('The API reference has samples in four languages, and sends each request to book or move with a new Idempotency-Key', async () => {
    const { page } = await open(origin(), configPath);
    await openDeployed(page, '/docs/#tag/bookings/POST/bookings', true);
    const operation = page.locator('[id$="tag/bookings/POST/bookings"]').first();
    await operation.getByText(`curl -X POST '${deployedUrl}/bookings'`).first().waitFor();
    await operation.getByRole('button', { name: /curl/i }).first().click();
    for (const label of ['TypeScript client', 'Python', 'PHP'])
      await page.getByText(label, { exact: true }).first().waitFor();
    await page.getByText('TypeScript client', { exact: true }).first().click();
    await operation.getByText("from 'booking-integration-client'").first().waitFor();

    for (const path of ['/bookings', '/bookings/{id}/reschedule']) {
      const place = `tag/bookings/POST${path}`;
      await page.evaluate(`location.hash = '${place}'`);
      await page.locator(`[id$="${place}"] button.show-api-client-button`).first().click();
      const keys: (string | undefined)[] = [];
      for (const _ of [1, 2]) {
        const sent = page.waitForRequest(
          (request) => request.method() === 'POST' && request.url().endsWith(path.replace(/.*\//, '/')),
        );
        await page.getByRole('button', { name: /^Send/ }).first().click();
        const answer = await (await sent).response();
        await answer?.finished();
        keys.push((await sent).headers()['idempotency-key']);
      }
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(keys[0]).not.toBe(keys[1]);
      await page.keyboard.press('Escape');
    }
  });

  test('The API reference loads less than 400 KB before a reader opens an operation', async () => {
    const { page } = await open(origin(), '/config.json');
    const sizes = new Map<string, Promise<number>>();
    page.on('response', (response) => {
      const size = response.request().sizes();
      sizes.set(
        new URL(response.url()).pathname,
        size.then(({ responseBodySize }) => responseBodySize),
      );
    });
    await page.goto(`${origin()}/docs/`);
    await page.getByRole('link', { name: 'booking.no_show' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(sizes.size).toBeGreaterThan(2);
    const loaded = await Promise.all(sizes.values());
    expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
    await page.getByRole('link', { name: 'booking.no_show' }).click();
    await page.getByRole('heading', { name: 'booking.no_show' }).first().waitFor();
  });

  test('The search of the documentation finds guides and operations, by keyboard alone, and opens from the 404 page', async () => {
    const { page, errors } = await open(origin(), '/docs/quickstart/');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('verify signature');
    await page
      .getByRole('status')
      .getByText(/^\d+ results$/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/receiving-webhooks/#verify-a-message-before-you-use-it');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cancel a booking');
    await page
      .getByRole('link', { name: /^Cancel a booking/ })
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cancel a booking' }).first().waitFor();
    expect(errors).toEqual([]);
    await page.goto(`${origin()}/docs/wehbook/`);
    await page.getByRole('link', { name: 'Search the documentation' }).click();
    await page.getByRole('searchbox').fill('webhooks on localhost');
    await page
      .locator('dialog')
      .getByRole('link', { name: /^Webhooks on localhost/ })
      .first()
      .waitFor();
  });

  test('A screen reader reads that the code of a guide was copied, or that the browser refused to copy it', async () => {
    const { page } = await open(origin(), '/docs/quickstart/');
    const copy = (block: number) => page.locator('.code').nth(block).getByRole('button');
    await copy(1).waitFor();
    // Both texts last one and a half seconds.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await copy(0).click();
    await page.getByRole('status').getByText('Press Ctrl-C').waitFor();
    await page.clock.runFor(1_000);
    await page.evaluate('delete navigator.clipboard.writeText');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await copy(1).click();
    const copied = page.getByRole('status').getByText('Copied');
    await copied.waitFor();
    // The end of the first text does not end the second one.
    await page.clock.runFor(1_000);
    expect([await copy(0).textContent(), await copied.count()]).toEqual(['Copy', 1]);
    await page.clock.runFor(1_000);
    expect(await copied.count()).toBe(0);
  });

  test("After an owner creates a test key on the documentation's start page, the guides show this key and ids of the owner's sandbox", async () => {
    const { page, errors } = await open(origin(), '/config.json');
    const token = await ownerToken();
    const user = JSON.stringify({ id_token: token, expires_at: Math.floor(Date.now() / 1_000) + 3_600 });
    await page.evaluate(`sessionStorage.setItem('oidc.user:issuer:client', ${JSON.stringify(user)})`);
    const demo = await openDeployed(page, startPath);
    await page.route('**/api-keys', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByText('The service answered 502.').waitFor();
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByText('These pages now show your key').waitFor();
    const key = await page.getByLabel('Test key').inputValue();
    expect(key).toMatch(/^bk_test_\w{36}$/);
    expect(key).not.toBe(demo?.testKey);
    await page.goto(`${origin()}/docs/quickstart/`);
    await page.getByText(`export KEY=${key}`).waitFor();
    const headers = { 'X-API-Key': key };
    const answer = await page.request.get(`${origin()}/v1/integration/services`, { headers });
    const { data } = (await answer.json()) as { data: { id: number; active: boolean }[] };
    await page.goto(`${origin()}/docs/languages/`);
    await page
      .getByText(`{"serviceId": ${data.find(({ active }) => active)?.id}`)
      .first()
      .waitFor();
    // The browser reports the response of the proxy.
    expect(errors.filter((error) => !error.includes('502'))).toEqual([]);
  });

  test("The guide to the <booking-slots> element shows the element with data of the reader's sandbox, even on a phone in dark mode", async () => {
    const { page, foreign, errors } = await open(origin(), configPath, desk);
    await openDeployed(page, '/docs/booking-on-your-site/', true);
    await page.getByRole('button', { name: 'Run the element here' }).click();
    await page.locator('booking-slots:focus').waitFor();
    await page.getByRole('button', { name: /^Haircut/ }).click();
    await page.locator('booking-slots .days button:enabled').first().waitFor();
    for (const look of [desk, phoneInTheDark]) {
      await show(page, look);
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    expect([foreign, errors]).toEqual([[], []]);
  });

  test.each([
    ['request for a session is not answered', '**/sessions', undefined],
    ['request for a session is answered with a page of a proxy', '**/sessions', '<!doctype html>'],
    ['script of the element is not answered', `**${elementPath}`, undefined],
  ])('The guide to the <booking-slots> element asks the reader to reload the page if the %s', async (_, path, body) => {
    const { page } = await open(origin(), '/docs/booking-on-your-site/');
    await page.route(path, (route) => (body === undefined ? route.abort() : route.fulfill({ body })));
    await page.getByRole('button', { name: 'Run the element here' }).click();
    await page.getByRole('alert').getByText('No answer. Reload the page and try again.').waitFor();
    await page.getByRole('button', { name: 'Run the element here' }).and(page.locator(':focus')).waitFor();
  });

  test('If a file of the API reference could not be loaded, the reader can try again', async () => {
    const { page } = await open(origin(), configPath);
    const refuse = (route: Route) => route.abort();
    await page.route('**/assets/scalar-*', refuse, { times: 1 });
    await page.route('**/assets/integration-*', refuse, { times: 2 });
    await page.goto(`${origin()}/docs/#tag/services/GET/services`);
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[id$="tag/services/GET/services"]').first().waitFor();
  });

  test("A reader whose browser blocks all storage can send an API call with the demo's test key, and read all pages", async () => {
    const { page, errors } = await open(origin(), configPath);
    await page.addInitScript(
      `for (const name of ['sessionStorage', 'localStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('No', 'SecurityError') } })`,
    );
    await page.goto(`${origin()}${startPath}`);
    await page.getByRole('button', { name: 'Send it from here' }).click();
    await page.getByText(/^200 in \d+ ms, \d+ calls left this minute$/).waitFor();
    expect(await page.locator('#answer').textContent()).toContain('"name": "Haircut"');
    await page.goto(`${origin()}/docs/quickstart/`);
    await page.getByText(`export API=${origin()}/v1/integration`).first().waitFor();
    await page.getByRole('tab').last().click();
    await page.goto(`${origin()}/docs/#tag/services/GET/services`);
    await page.locator('[id$="tag/services/GET/services"]').first().waitFor();
    expect(errors).toEqual([]);
  });

  test('A request that an owner sends from the reference of the account API uses the sandbox and no live data', async () => {
    const { page } = await open(origin(), '/docs/account/#tag/services/GET/services');
    await page.locator('button.show-api-client-button').first().click();
    const sent = page.waitForRequest('**/v1/account/services*');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await sent).headers()['booking-mode']).toBe('test');
  });

  test('Negative control: an inline script and a call to another host, injected into the console, are blocked and reported', async () => {
    const { page, foreign, errors } = await open(origin(), startPath);
    await page.route(`${origin()}/`, async (route) => {
      const answer = await route.fetch({ maxRetries: 1 });
      const body = (await answer.text()).replace('</head>', '<script>document.title = "injected"</script></head>');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${origin()}/`);
    await page.evaluate("fetch('https://attacker.example/').catch(() => undefined)");
    await expect
      .poll(() => errors.filter((error) => error.includes('directive')))
      .toEqual([
        expect.stringContaining('inline script violates'),
        expect.stringContaining("'https://attacker.example/' violates"),
      ]);
    expect(await page.title()).not.toBe('injected');
    expect(foreign).toEqual([]);
  });

  test('Negative control: a page of the API reference that loads fonts from another host is detected', async () => {
    const { page, foreign } = await open(origin(), startPath);
    await page.route('**/docs/', async (route) => {
      const answer = await route.fetch({ maxRetries: 1 });
      const { 'content-security-policy': _, ...headers } = answer.headers();
      await route.fulfill({ response: answer, headers });
    });
    // The style sheet names other fonts, which would hide requests for its own.
    await page.route('**/assets/site-*.css', (route) => route.fulfill({ body: '' }));
    await page.route('**/assets/reference-*.js', async (route) => {
      const answer = await route.fetch({ maxRetries: 1 });
      const body = (await answer.text()).replace('withDefaultFonts:!1', 'withDefaultFonts:!0');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${origin()}/docs/#description/introduction`);
    await expect.poll(() => foreign.length).toBeGreaterThan(0);
    expect(new URL(foreign[0] ?? '').host).toBe('fonts.scalar.com');
  });

  test.each([
    ['the start page', startPath, [phoneInTheDark, desk], 'text=Salon Daugava'],
    ['the list of API operations', '/docs/', [phoneInTheDark, desk], 'text=Open the full reference'],
    ['the API reference', '/docs/#description/introduction', [desk], 'text=Powered by Scalar'],
    ['a guide with tables', '/docs/receiving-webhooks/', [phoneInTheDark, desk], 'text=On this page'],
    ['a guide with code in tabs', '/docs/quickstart/', [phoneInTheDark, desk], 'text=On this page'],
    ['the page of error codes', '/docs/errors/', [phoneInTheDark, desk], 'text=On this page'],
    [
      'the page of an API operation',
      '/docs/#tag/bookings/POST/bookings',
      [phoneInTheDark],
      'text=Needs the scope bookings:write',
    ],
    [
      'the reference of the account API',
      '/docs/account/#description/introduction',
      [deskInTheDark],
      'text=Powered by Scalar',
    ],
  ])('In the documentation, %s is accessible, and nothing is wider than the screen', async (_, path, looks, words) => {
    const { page } = await openTab(origin(), configPath);
    await show(page, looks[0] ?? desk);
    await page.goto(`${origin()}${path}`);
    await page.locator(words).first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    for (const look of looks) {
      await show(page, look);
      expect((await violations(page)).filter((one) => !namedByScalar.test(one))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
        0,
      );
    }
  });

  test('On a phone 320 px wide, the search button of a guide is visible without scrolling', async () => {
    const { page } = await openTab(origin(), '/docs/quickstart/');
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByRole('button', { name: 'Search' }).waitFor();
    const box = await page.getByRole('button', { name: 'Search' }).boundingBox();
    expect(await page.locator('.bar').evaluate((bar) => bar.scrollLeft)).toBe(0);
    expect((box?.x ?? 320) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  });

  test('A printed guide shows each line of code in full, and no menus', async () => {
    const { page } = await openTab(origin(), '/docs/quickstart/');
    await page.emulateMedia({ media: 'print' });
    // The width of paper.
    await page.setViewportSize({ width: 700, height: 1_000 });
    const excess = (all: HTMLElement[]) => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth));
    expect(await page.locator('pre:visible').evaluateAll(excess)).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('Negative control: the accessibility check reports an image without a text alternative', async () => {
    const { page } = await open(origin(), startPath);
    await drawn(page);
    await page.evaluate('document.querySelector("main").append(new Image())');
    expect(await violations(page)).toEqual([expect.stringMatching(/^image-alt: /)]);
  });
});
