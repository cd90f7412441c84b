import { describe, expect, test } from 'vitest';
import { command } from '../../support/command.ts';
import { serveDuringTest } from '../../support/faulty-proxy.ts';
import { type Journeys, newTenant } from '../../support/local.ts';

const smoke = (...args: readonly string[]) => command('bin/operate/smoke.ts', args).ended;

export const commands: Journeys = (local) =>
  describe('commands against an API', () => {
    test('`npm run trigger` signs in to a local run without a prompt and raises the requested event', async () => {
      const { business } = await newTenant(local());
      const email = `owner.${business.id}@example.com`;
      local().run.owners?.invite({ tenantId: business.id, email, name: 'Owner' });
      const args = ['booking.completed', '--url', local().run.baseUrl];
      const { code, stdout, stderr } = await command('bin/trigger.ts', args).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ event: 'booking.completed', made: { bookingId: expect.any(Number) } });

      const wrong = await command('bin/trigger.ts', ['booking.finished']).ended;
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain("'booking.finished' is not an event");
      const nobody = await command('bin/trigger.ts', ['booking.completed', '--url', 'http://127.0.0.1:9']).ended;
      expect(nobody.code).toBe(1);
      expect(nobody.stderr).toContain('No local run answers at http://127.0.0.1:9');
    });

    test('`npm run operate -- smoke` succeeds if the API is healthy', async () => {
      const tenant = await newTenant(local());
      const { code, stdout } = await smoke('--api', local().run.baseUrl, '--key', tenant.key.value);
      expect(stdout.split('\n').filter((line) => line.startsWith('✓'))).toHaveLength(6);
      expect(code).toBe(0);
    });

    test('`npm run operate -- smoke` reports the reason if the API key is refused, the API is down, or a proxy answers for the API', async () => {
      const refused = await smoke('--api', local().run.baseUrl, '--key', 'bk_live_unknown');
      expect(refused.code).toBe(1);
      expect(refused.stdout).toMatch(/✗ services are listed.*401 api_key_invalid/);
      const away = await smoke('--api', 'http://127.0.0.1:65535', '--key', 'bk_live_unknown');
      expect(away.code).toBe(1);
      expect(away.stdout).toContain('ECONNREFUSED');
      const proxy = await serveDuringTest((_, response) => response.writeHead(502).end('<html>'));
      const page = await smoke('--api', proxy, '--key', 'bk_live_unknown');
      expect(page.stdout).toContain('502 instead of 401');
    });

    test.each([
      ['no API address', ['--key', 'x'], '--api must be a URL'],
      ['an empty key', ['--api', 'https://api.example.com', '--key', ''], 'Give a key'],
    ])(
      'With %s, `npm run operate -- smoke` ends with exit code 2 and an error that names the cause',
      async (_, args, sentence) => {
        const { code, stderr } = await smoke(...args);
        expect(code).toBe(2);
        expect(stderr).toContain(sentence);
      },
    );
  });
