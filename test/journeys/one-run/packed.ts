/** The packed client in an empty project, with the whole system behind a proxy that cuts and refuses. */
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import { commandDuringTest } from '../../support/during-test.ts';
import { faultyProxy } from '../../support/faulty-proxy.ts';
import { inDays, type Journeys, newTenant, startReceiver } from '../../support/local.ts';
import { withPackedClient } from '../../support/packed-client.ts';
import { flagsOf, sandboxOf } from './feed.ts';

export const packed: Journeys = (local) =>
  describe('the published client package', () => {
    const project = withPackedClient();

    test('A JavaScript program with the published client package lists slots, books once, and verifies a webhook message', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver();
      const { id, secret } = await tenant.subscribe(receiver.url, ['booking.created']);
      await tenant.call('POST', `/webhooks/${id}/ping`);
      const [ping] = await receiver.waitFor(({ length }) => length === 1);

      const met: string[] = [];
      const origin = await faultyProxy(local().run.baseUrl, ({ method, url }) => {
        const call = `${method} ${url?.replace(integrationPrefix, '')}`;
        met.push(call);
        if (met.filter((other) => other === call).length > 1) return undefined;
        return call === 'GET /business' ? 'limit' : call === 'POST /bookings' ? 'cut' : undefined;
      });
      const input = {
        baseUrl: `${origin}${integrationPrefix}`,
        apiKey: tenant.key.value,
        from: inDays(1),
        to: inDays(7),
        message: { secret, headers: ping?.headers, body: ping?.rawBody.toString() },
      };
      await copyFile(fileURLToPath(new URL('integrator.mjs', import.meta.url)), join(project(), 'integrator.mjs'));
      const program = `import { integrate } from './integrator.mjs';
    console.log(JSON.stringify(await integrate(${JSON.stringify(input)})));`;
      const command = ['--input-type=module', '--eval', program];
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: project() });

      const seen = JSON.parse(stdout) as { services: string[]; waitedMs: number };
      expect(seen).toMatchObject({
        status: 'confirmed',
        bookings: 1,
        conflict: { code: 'slot_unavailable', next: expect.arrayContaining([expect.any(String)]) },
        event: 'ping',
        forged: 'signature_mismatch',
      });
      expect(seen.services.toSorted()).toEqual(tenant.services.map(({ name }) => name).toSorted());
      expect(seen.waitedMs).toBeGreaterThanOrEqual(1_000);
      // These are the attempt that was cut, the one that finds its booking, and the one that is refused.
      expect(met.filter((call) => call === 'POST /bookings')).toHaveLength(3);
    });

    test('The command `booking listen` of the published client package runs with npx, and forwards events with valid signatures', async () => {
      const npx = promisify(execFile)('npx', ['--offline', 'booking', '--help'], {
        cwd: project(),
        shell: process.platform === 'win32',
      });
      expect((await npx).stdout).toContain('booking listen --to');

      const { baseUrl, newValue, raise } = await sandboxOf(local());
      const receiver = await startReceiver();
      const installed = join(project(), 'node_modules/booking-integration-client/dist/command/booking.js');
      const options = { to: receiver.url, url: baseUrl, key: await newValue(), state: join(project(), 'state') };
      const listener = commandDuringTest(installed, ['listen', ...flagsOf(options)], { folder: project() });
      const [, secret = ''] = await listener.waitForOutput('stdout', /Signing secret: (\S+)/);
      receiver.trust(secret);
      await raise();
      expect(await receiver.waitFor(({ length }) => length === 1)).toMatchObject([{ signature: 'valid' }]);
    });
  });
