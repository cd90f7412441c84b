/** The programs of `docs/keep-a-mirror.md` with the whole system: messages, a stop, and an erasure during it. */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { command } from '../../support/command.ts';
import { commandOf, installed } from '../../support/languages.ts';
import { type Journeys, newTenant } from '../../support/local.ts';
import { ownerOf } from '../../support/owner.ts';
import { withPackedClient } from '../../support/packed-client.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = [
  { file: 'mirror.ts', language: 'ts' },
  { file: 'mirror.py', language: 'python' },
] as const;

export const mirrors: Journeys = (local) =>
  describe('a mirror of all bookings', () => {
    const project = withPackedClient();

    for (const { file, language } of programs) {
      if (!installed.includes(language)) {
        test.skip(`The example program ${file} is not tested, because ${language} is not installed`);
        continue;
      }
      test.concurrent(`The example program ${file} copies every change of bookings and every erasure, even those made while the program was stopped`, async ({
        onTestFinished,
      }) => {
        await copyFile(join(root, 'docs/examples', file), join(project(), file));
        const tenant = await newTenant(local());
        const owner = await ownerOf(local(), tenant.business.id);
        const { id: webhookId, secret } = await tenant.subscribe('http://127.0.0.1:9999/', ['booking.created']);
        const snapshot = join(project(), `${file}.json`);
        const env = {
          API: `${local().run.baseUrl}${integrationPrefix}`,
          KEY: (await tenant.newKey()).value,
          SECRET: secret,
          PORT: '0',
          FILE: snapshot,
          EVERY_SECONDS: '3',
        };
        const start = () => {
          const program = command(file, [], { folder: project(), env, interpreter: commandOf(language) });
          onTestFinished(() => void program.process.kill());
          return program;
        };
        const copy = async (): Promise<Record<string, Booking>> =>
          JSON.parse(await readFile(snapshot, 'utf8').catch(() => '{"bookings":{}}')).bookings;

        const program = start();
        const [, port] = await program.waitForOutput('stdout', /Listening at .*\b(\d+)\b.*\n/s);
        await tenant.call('PATCH', `/webhooks/${webhookId}`, { targetUrl: `http://127.0.0.1:${port}/` });
        const { status, body: first } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
        expect(status).toBe(201);
        // This is the effect of its message: a poll returns changes only after they have settled.
        await vi.waitFor(async () => expect(await copy()).toHaveProperty(String(first.id)), waiting(60_000));

        program.process.kill();
        await tenant.call('POST', `/bookings/${first.id}/cancel`, { reason: 'ill' });
        await owner.done('POST', `/clients/${first.clientId}/erase`);
        const nameless = { name: '', phone: null, email: null };
        const erased = await vi.waitFor(
          async () => {
            const { body } = await tenant.call<Booking>('GET', `/bookings/${first.id}`);
            expect(body.client).toEqual(nameless);
            return body;
          },
          waiting(60_000, 2_000),
        );

        start();
        await vi.waitFor(async () => expect(await copy()).toEqual({ [first.id]: erased }), waiting(90_000));
      });
    }
  });

const waiting = (timeout: number, interval = 250) => ({ timeout, interval });
