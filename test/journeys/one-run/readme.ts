/** The commands of the README, as a reader pastes them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { seedDemo } from '../../../local/seed-demo.ts';
import { firstSteps } from '../../../local/welcome.ts';
import type { Journeys } from '../../support/local.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const blocks = [...readFileSync(`${project}README.md`, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
);

export const readme: Journeys = (local) => {
  test('On a new machine, the commands of the README deliver a signed booking.created message', async () => {
    const { run, admin } = local();
    const demo = await seedDemo(admin, undefined, Date.now());
    const shown = { ...demo, apiKey: 'bk_live_…', free: { serviceId: 1_002, startTime: '2026-12-02T10:00:00+02:00' } };
    const { createWebhook, createBooking } = firstSteps({ baseUrl: 'http://127.0.0.1:8787' }, shown);
    expect(blocks).toEqual(expect.arrayContaining([`${createWebhook}\n`, `${createBooking}\n`]));

    const printed = firstSteps(run, demo);
    // The webhook is created before the receiver has a port, so it names this address, which leads to the receiver.
    const address = createServer((socket) => {
      const [, port] = /127\.0\.0\.1:(\d+)\/hooks\./.exec(output) ?? [];
      pipeline(socket, connect(Number(port), '127.0.0.1'), socket, () => {});
    });
    onTestFinished(() => void address.close());
    await once(address.listen(0, '127.0.0.1'), 'listening');
    const webhook = printed.createWebhook.replace(':9000', `:${(address.address() as AddressInfo).port}`);
    const booking = printed.createBooking ?? 'false';

    let output = '';
    const shell = (code: string) =>
      spawn('bash', ['-c', code], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const receiver = shell(webhook.replace('--secret -', '--secret - --port 0'));
    onTestFinished(() => {
      if (receiver.pid !== undefined) process.kill(-receiver.pid, 'SIGTERM');
    });
    const sees = (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (pattern.test(output)) resolve();
        };
        for (const stream of [receiver.stdout, receiver.stderr]) stream.on('data', look);
        look();
      });
    for (const stream of [receiver.stdout, receiver.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    await sees(/Listening/);
    const answer = await text(shell(booking).stdout);
    await sees(/booking\.created.*signature valid/);
    expect(JSON.parse(answer)).toMatchObject({ status: 'confirmed', serviceName: 'Haircut' });
  });
};
