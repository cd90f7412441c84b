/** The programs of `docs/keep-a-mirror.md` with the whole system: messages, a stop, and an erasure during it. */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { type Journeys, newTenant } from '../../support/local.ts';
import { ownerOf } from '../../support/owner.ts';
import { withPackedClient } from '../../support/packed-client.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = [
  { file: 'mirror.ts', command: process.execPath },
  { file: 'mirror.py', command: 'python3' },
];
const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0;

type Program = ChildProcessByStdio<null, Readable, null>;

export const mirrors: Journeys = (local) =>
  describe('a mirror of all bookings', () => {
    const project = withPackedClient();

    for (const { file, command } of programs) {
      if (!isInstalled(command)) {
        test.skip(`The example program ${file} is not tested, because ${command} is not installed`);
        continue;
      }
      test.concurrent(`The example program ${file} copies every change of bookings, including changes made while it was stopped, and an erasure`, async ({
        onTestFinished,
      }) => {
        await copyFile(join(root, 'docs/examples', file), join(project(), file));
        const tenant = await newTenant(local());
        const owner = await ownerOf(local(), tenant.business.id);
        const { id: webhookId, secret } = await tenant.subscribe('http://127.0.0.1:9999/', ['booking.created']);
        const snapshot = join(project(), `${file}.json`);
        const env = {
          ...process.env,
          API: `${local().run.baseUrl}${integrationPrefix}`,
          KEY: (await tenant.newKey()).value,
          SECRET: secret,
          PORT: '0',
          FILE: snapshot,
          EVERY_SECONDS: '3',
        };
        const start = () => {
          const program = spawn(command, [file], { cwd: project(), env, stdio: ['ignore', 'pipe', 'inherit'] });
          onTestFinished(() => void program.kill());
          return program;
        };
        const copy = async (): Promise<Record<string, Booking>> =>
          JSON.parse(await readFile(snapshot, 'utf8').catch(() => '{"bookings":{}}')).bookings;
        const book = async () => {
          const { status, body } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
          expect(status).toBe(201);
          return body;
        };

        const program = start();
        const targetUrl = `http://127.0.0.1:${await portOf(program)}/`;
        await tenant.call('PATCH', `/webhooks/${webhookId}`, { targetUrl });
        const first = await book();
        // This is the effect of its message: a poll returns changes only after they have settled.
        await vi.waitFor(async () => expect(await copy()).toHaveProperty(String(first.id)), waiting(60_000));

        program.kill();
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

/** The port that a program prints. Its output is read to the end, so that it never blocks. */
const portOf = ({ stdout }: Program) =>
  new Promise<number>((resolve, reject) => {
    let printed = '';
    stdout.on('data', (text) => {
      printed += text;
      const [, port] = /Listening at .*\b(\d+)\b.*\n/s.exec(printed) ?? [];
      if (port) resolve(Number(port));
    });
    stdout.on('end', () => reject(new Error(`The program ended before it listened: ${printed}`)));
  });
