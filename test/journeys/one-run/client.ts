/** The client as integrators use it, with the whole system from its templates. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Booking, createClient } from '../../../client/src/index.ts';
import { faultyProxy } from '../../support/faulty-proxy.ts';
import { inDays, type Journeys, newTenant } from '../../support/local.ts';

const prefix = '/v1/integration';

export const client: Journeys = (local) =>
  describe('the client library', () => {
    async function integrator() {
      const tenant = await newTenant(local());
      const options = { baseUrl: `${local().run.baseUrl}${prefix}`, apiKey: tenant.key.value, backoffMs: 10 };
      return { tenant, options, client: createClient(options) };
    }

    test('The program in the guide to booking a slot books once, even if it runs again, and offers other slots if a slot is taken', async () => {
      const { tenant, options, client } = await integrator();
      const guide = await readFile(new URL('../../../docs/booking-a-slot.md', import.meta.url), 'utf8');
      const [, lines = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];
      const { serviceId } = tenant.booking();
      const { data } = await client.listSlots({ serviceId, from: inDays(1), to: inDays(7) });
      const calls = ['a', 'a', 'b'].map(
        (choice) => `JSON.stringify(await book(${JSON.stringify(data[0])}, 'a@b.example', '${choice}'))`,
      );
      const code = lines.replace(
        "'booking-integration-client'",
        `'${new URL('../../../client/src/index.ts', import.meta.url).href}'`,
      );
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module-typescript', '--eval', `${code}\nconsole.log('[' + ${calls.join(" + ',' + ")} + ']');`],
        { env: { ...process.env, API: options.baseUrl, KEY: options.apiKey } },
      );
      const [booked, repeated, next] = JSON.parse(stdout) as [Booking, Booking, string[]];
      expect(booked).toMatchObject({ serviceId, startTime: data[0]?.startTime, status: 'confirmed' });
      expect(repeated).toEqual(booked);
      expect(next).toHaveLength(3);
    });

    // The published package sends one key: `packed.ts`.
    test('Negative control: if the client library used a new Idempotency-Key for each attempt, a lost response would book twice', async () => {
      let requests = 0;
      const origin = await faultyProxy(local().run.baseUrl, () => (++requests === 1 ? 'cut' : undefined));
      const { tenant, options } = await integrator();
      const forgetful: typeof fetch = (input, init) => {
        const headers = new Headers(init?.headers);
        if (headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
        return fetch(input, { ...init, headers });
      };
      const cut = createClient({ ...options, baseUrl: `${origin}${prefix}`, fetch: forgetful });
      await cut.createBooking(tenant.booking());
      expect((await createClient(options).listBookings()).data).toHaveLength(2);
    });
  });
