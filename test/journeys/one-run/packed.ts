/** The packed client in an empty project, against the whole system, over a line that cuts and refuses. */
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import { isSigned } from '../../../docs/examples/verify-webhook.ts';
import { command, type RunningCommand } from '../../support/command.ts';
import { type Journeys, newTenant, startReceiver } from '../../support/local.ts';
import { onTheWay } from '../../support/on-the-way.ts';
import { withPackedClient } from '../../support/packed-client.ts';
import { sandboxOf } from './feed.ts';

/** A date that many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const packed: Journeys = (local) =>
  describe('the published client package', () => {
    const project = withPackedClient();

    test('The published client package works in plain JavaScript: it lists slots, waits, books once and verifies a message', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver();
      const { id, secret } = await tenant.subscribe(receiver.url, ['booking.created']);
      await tenant.call('POST', `/webhooks/${id}/ping`);
      const [ping] = await receiver.waitFor(({ length }) => length === 1);

      const met: string[] = [];
      const origin = await onTheWay(local().run.baseUrl, ({ method, url }) => {
        const call = `${method} ${url?.replace(integrationPrefix, '')}`;
        met.push(call);
        if (met.filter((other) => other === call).length > 1) return undefined;
        return call === 'GET /business' ? 'limit' : call === 'POST /bookings' ? 'cut' : undefined;
      });
      const input = {
        baseUrl: `${origin}${integrationPrefix}`,
        apiKey: tenant.key.value,
        from: inDays(0),
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
      // The attempt that was cut, the one that finds its booking, and the one that is refused.
      expect(met.filter((call) => call === 'POST /bookings')).toHaveLength(3);
    });

    test('The `listen` command of the published client forwards events, and continues where it stopped after being killed', async () => {
      // As its guide has it: the command is on the path of npx, and can be executed.
      const npx = promisify(execFile)('npx', ['--offline', 'booking', '--help'], {
        cwd: project(),
        shell: process.platform === 'win32',
      });
      expect((await npx).stdout).toContain('booking listen --to');

      const { baseUrl, newValue, raise } = await sandboxOf(local());
      const handled = new Map<string, boolean>();
      let secret = '';
      let listener: RunningCommand | undefined;
      let kills = 1;
      let arrived = 0;
      const server = createServer(async (request, response) => {
        const body = await buffer(request);
        arrived += 1;
        if (handled.size === 2 && kills > 0) {
          kills -= 1;
          listener?.process.kill('SIGKILL');
          return request.destroy();
        }
        handled.set(JSON.parse(body.toString()).eventId, isSigned(secret, request.headers, body));
        response.end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
      const start = async () => {
        const args = [
          'listen',
          '--to',
          to,
          '--url',
          baseUrl,
          '--key',
          await newValue(),
          '--state',
          join(project(), 'state'),
        ];
        listener = command(join(project(), 'node_modules/booking-integration-client/dist/command/booking.js'), args, {
          folder: project(),
        });
        const [, shown = ''] = await listener.said('stdout', /Signing secret: (\S+)/);
        return { shown, ...listener };
      };
      const first = await start();
      secret = first.shown;
      for (let i = 0; i < 4; i++) await raise();
      await first.ended;
      expect(handled.size).toBe(2);
      await raise();
      const second = await start();
      onTestFinished(() => void second.process.kill('SIGKILL'));
      expect(second.shown).toBe(secret);
      await expect.poll(() => handled.size, { timeout: 20_000 }).toBe(5);
      expect([...handled.values()]).toEqual(Array(5).fill(true));
      // Only what the kill interrupted was forwarded twice.
      expect(arrived).toBe(6);
    }, 60_000);
  });
