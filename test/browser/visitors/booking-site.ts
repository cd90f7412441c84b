/** The example booking site and the example receiver in a real browser. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '../../../lib/project-folder.ts';
import { violations } from '../../support/chromium.ts';
import { command, type RunningCommand } from '../../support/command.ts';
import { newTenant } from '../../support/local.ts';
import { temporaryFolder } from '../../support/synthesised.ts';
import { bookingsOf, chooseTime, elementFile, fillInAndBook, visitors } from '../../support/visitor.ts';

const phoneInTheDark: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };

export const bookingSite = visitors('the booking site', ({ local, open, origin }) => {
  function example(file: string, key: string, env: Readonly<Record<string, string>> = {}): RunningCommand {
    const API = `${origin()}/v1/integration`;
    const started = command(file, [], { env: { KEY: key, API, PORT: '0', ...env } });
    onTestFinished(async () => {
      started.process.kill('SIGTERM');
      await started.ended;
    });
    return started;
  }

  /** Copies the site to its own folder with the element, as its reader does. */
  async function openSite() {
    const folder = temporaryFolder('booking-site');
    for (const name of ['server.ts', 'index.html'])
      copyFileSync(join(projectFolder, 'examples/booking-site', name), join(folder, name));
    writeFileSync(join(folder, 'booking-slots.js'), elementFile);
    const tenant = await newTenant(local());
    const { value } = await tenant.newKey({ scopes: ['bookings:write'] });
    const [, origin = ''] = await example(join(folder, 'server.ts'), value).waitForOutput('stdout', /Open (.*)\/\n/);
    return { tenant, origin, key: value };
  }

  test('If a visitor books on the example booking site, a webhook receiver gets the event, and the browser never gets the API key', async () => {
    const { tenant, origin, key } = await openSite();
    const INBOX = join(temporaryFolder('inbox'), 'inbox.ndjson');
    const receiver = example('examples/receiver/receiver.ts', tenant.key.value, { INBOX });
    await receiver.waitForOutput('stdout', /Receiving at/);
    const { page, errors } = await open(origin, '/?utm_source=mail', phoneInTheDark);
    const seen: Promise<string>[] = [];
    page.on('response', (response) => seen.push(response.text()));
    await page.getByText('Haircut').waitFor();
    expect(await violations(page)).toEqual([]);
    await chooseTime(page);
    await fillInAndBook(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);

    const [booking, ...others] = await bookingsOf(tenant);
    expect(others).toEqual([]);
    await receiver.waitForOutput('stdout', new RegExp(`booking\\.created: booking ${booking?.id}, `));
    expect((await Promise.all(seen)).join('') + (await page.content())).not.toContain(key);
    expect(errors).toEqual([]);
  });
});
