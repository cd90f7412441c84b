/** Events that are polled: the client's iterator, and `listen` with a program to which it forwards. */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../../../client/src/index.ts';
import { integrationPrefix } from '../../../contract/prefixes.ts';
import { isSigned, isSignedAndFresh } from '../../../docs/examples/verify-webhook.ts';
import { createKey } from '../../../local/seed.ts';
import type { RunningCommand } from '../../support/command.ts';
import { commandDuringTest } from '../../support/during-test.ts';
import { faultyProxy, serveDuringTest } from '../../support/faulty-proxy.ts';
import { type Journeys, type LocalSystem, newTenant } from '../../support/local.ts';
import { ownerOf, ownerWith } from '../../support/owner.ts';
import { temporaryFolder } from '../../support/synthesised.ts';

/** A test key of a business, with a value for each process so that none waits for a limit, and its events. */
export async function sandboxOf(system: LocalSystem) {
  const { business } = await newTenant(system);
  const { token } = await ownerOf(system, business.id);
  const owner = ownerWith(system, token, 'test');
  const scopes = ['webhooks:manage', 'bookings:read'] as const;
  const { id } = await owner.done('POST', '/api-keys', { name: 'listen', scopes });
  const { id: tenantId } = await owner.done('GET', '/business');
  const { data } = await owner.done<{ data: { id: number }[] }>('GET', '/services');
  let changes = 0;
  return {
    baseUrl: `${system.run.baseUrl}${integrationPrefix}`,
    newValue: async () => (await createKey(system.admin, { tenantId, id, scopes })).value,
    raise: () => {
      // Many changes of one service at the same time are refused with 503.
      const { id: serviceId } = data[changes++ % data.length] ?? {};
      return owner.done('PATCH', `/services/${serviceId}`, { description: randomUUID() });
    },
  };
}

export const flagsOf = (options: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);

/** The command, or with an injected bug: the position is stored before the message is forwarded. */
async function listenerWith(bug: boolean): Promise<string> {
  if (!bug) return 'bin/listen.ts';
  const source = new URL('../../../client/src/command/listen.ts', import.meta.url);
  const code = await readFile(source, 'utf8');
  const [handed, lastNumber] = [
    / +let status = await forwarded\(to, message\);\n/,
    / +state = \{ \.\.\.state, position: message\.number \};\n +await keep\(file, state\);\n/,
  ];
  const changed = code.replace(lastNumber, '').replace(handed, (line) => `${lastNumber.exec(code)?.[0]}${line}`);
  expect(changed).not.toBe(code);
  const folder = temporaryFolder('listen-bug');
  const absolute = changed.replace(/'(\.[^']+\.ts)'/g, (_, path) => `'${new URL(path, source).href}'`);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'listen.ts'), absolute);
  await writeFile(
    join(folder, 'run.ts'),
    `import { listen } from './listen.ts';\nawait listen(process.argv.slice(2), console.log);`,
  );
  return join(folder, 'run.ts');
}

/** Events that were raised while `listen` was killed, each time during a message, and the messages that arrived. */
async function killed(system: LocalSystem, kills: number, bug = false) {
  const { baseUrl, newValue, raise } = await sandboxOf(system);
  const state = temporaryFolder('listen');
  const file = await listenerWith(bug);
  const handled = new Map<string, boolean>();
  let secret = '';
  let listener: RunningCommand | undefined;
  let left = kills;
  let sinceStart = 0;
  const origin = await serveDuringTest(async (request, response) => {
    const body = await buffer(request);
    sinceStart += 1;
    // The program has the message, but its result is lost.
    if (left > 0 && sinceStart > left % 3) {
      left -= 1;
      listener?.process.kill('SIGKILL');
      return request.destroy();
    }
    const isGenuine =
      isSigned(secret, request.headers, body) && isSignedAndFresh(secret, request.headers, body, Date.now());
    handled.set(JSON.parse(body.toString()).eventId, isGenuine);
    response.end();
  });
  const start = async () => {
    sinceStart = 0;
    listener = commandDuringTest(file, flagsOf({ to: `${origin}/hooks`, url: baseUrl, key: await newValue(), state }));
    secret = (await listener.waitForOutput('stdout', /Signing secret: (\S+)/))[1] ?? '';
    return listener;
  };
  const raised: Promise<unknown>[] = [];
  const burst = () => raised.push(...Array.from({ length: 6 }, raise));
  while (left > 0) {
    const { ended } = await start();
    burst();
    await ended;
  }
  burst();
  await Promise.all(raised);
  const last = await start();
  return { raised: raised.length, handled, last };
}

export const feeds: Journeys = (local) =>
  describe('the feed of a polled webhook', () => {
    test('The client library polls a webhook for verified events in order, from any message number, until the caller stops', async () => {
      const { baseUrl, newValue, raise } = await sandboxOf(local());
      const api = createClient({ baseUrl, apiKey: await newValue() });
      const { webhook, secret = '' } = await api.ensureWebhook({
        description: 'mirror',
        delivery: 'poll',
        events: ['service.updated'],
      });
      const stop = new AbortController();
      const seen: number[] = [];
      const reading = (async () => {
        for await (const { number, event } of api.feed(webhook.id, { secret, signal: stop.signal })) {
          if (event.event === 'service.updated') expect(event.data.changedFields).toEqual(['description']);
          seen.push(number);
          if (number === 3) stop.abort(new Error('enough'));
        }
      })();
      // The third event may end it before the fourth is raised.
      const ended = expect(reading).rejects.toThrow('enough');
      for (let i = 0; i < 4; i++) await raise();
      await ended;
      expect(seen).toEqual([1, 2, 3]);
      const numbersAfter = async (after: number) => {
        const left: number[] = [];
        for await (const { number } of api.feed(webhook.id, { after, secret, wait: 0 })) left.push(number);
        return left;
      };
      // The last event may still be on its way.
      await vi.waitFor(async () => expect(await numbersAfter(3)).toEqual([4]), { timeout: 60_000, interval: 250 });
      const other = api.feed(webhook.id, { secret: `whsec_${Buffer.alloc(32).toString('base64')}`, wait: 0 });
      await expect(other.next()).rejects.toMatchObject({ code: 'signature_mismatch' });
    });

    test('The command `booking listen`, killed twenty times under load, forwards every event with a valid signature', async () => {
      const { raised, handled } = await killed(local(), 20);
      await expect.poll(() => handled.size).toBe(raised);
      expect([...handled.values()]).toEqual(Array(raised).fill(true));
    });

    test('The command `booking listen` later forwards the events that occur while the API or the receiving program is down', async () => {
      const { newValue, raise } = await sandboxOf(local());
      let isCut = false;
      let refused = 0;
      const origin = await faultyProxy(local().run.baseUrl, () => {
        if (!isCut) return undefined;
        refused += 1;
        return 'cut';
      });
      let handled = 0;
      let isDown = false;
      let lost = 0;
      const program = await serveDuringTest((request, response) => {
        if (isDown) {
          lost += 1;
          request.destroy();
          return;
        }
        handled += 1;
        request.resume().on('end', () => response.end());
      });
      const [url, state] = [`${origin}${integrationPrefix}`, temporaryFolder('listen')];
      const flags = flagsOf({ to: `${program}/hooks`, url, key: await newValue(), state });
      const listener = commandDuringTest('bin/listen.ts', flags);
      await listener.waitForOutput('stdout', /Forwarding/);
      await raise();
      await listener.waitForOutput('stdout', / 1 {2}service\.updated/);

      isCut = true;
      await raise();
      await expect.poll(() => refused).toBeGreaterThan(1);
      expect(handled).toBe(1);
      isCut = false;
      await listener.waitForOutput('stdout', / 2 {2}service\.updated/);

      isDown = true;
      await raise();
      await listener.waitForOutput('stdout', /Nothing answers/);
      isDown = false;
      await listener.waitForOutput('stdout', / 3 {2}service\.updated/);
      expect(handled).toBe(3);
      expect(lost).toBeGreaterThan(0);
    });

    test('Negative control: if `booking listen` stores its position before it forwards a message, killing it loses events', async () => {
      const { raised, handled, last } = await killed(local(), 3, true);
      await last.waitForOutput('stdout', new RegExp(` ${raised}  service.updated`));
      expect(handled.size).toBeLessThan(raised);
    });
  });
