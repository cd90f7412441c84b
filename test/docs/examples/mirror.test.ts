/** The program `mirror.ts` of `docs/keep-a-mirror.md` after a failure of a connection or of its disk. */
import { once } from 'node:events';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandDuringTest } from '../../support/during-test.ts';
import { serveDuringTest } from '../../support/faulty-proxy.ts';
import { installed } from '../../support/languages.ts';
import { exampleSecret, signedHeaders } from '../../support/signed-message.ts';
import { temporaryFolder } from '../../support/synthesised.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a program with an API that lists these bookings, and adds the path of each request to a list. */
async function mirror(FILE: string, language: 'ts' | 'py' = 'ts', data: readonly object[] = [], paths: string[] = []) {
  const API = await serveDuringTest(({ url = '' }, response) => {
    paths.push(url);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ data, nextCursor: 'c', hasMore: false }));
  });
  const code = await readFile(join(root, `docs/examples/mirror.${language}`), 'utf8');
  const file = join(temporaryFolder('mirror'), language === 'ts' ? 'mirror.mts' : 'mirror.py');
  await writeFile(file, code.replace("'booking-integration-client'", `'${join(root, 'client/src/index.ts')}'`));
  return commandDuringTest(file, [], {
    ...(language === 'py' && { interpreter: 'python3' }),
    env: { API, KEY: 'bk_test_1', SECRET: exampleSecret, PORT: '0', FILE, EVERY_SECONDS: '0.1' },
  });
}

test('The example mirror.ts still receives messages after a connection broke in the middle of a message', async () => {
  const running = await mirror(join(temporaryFolder('mirror'), 'mirror.json'));
  const [, port = ''] = await running.waitForOutput('stdout', /port: (\d+)/);
  const broken = connect(Number(port), '127.0.0.1');
  broken.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1');
  await once(broken.resume(), 'close');
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401);
});

test('The example mirror.ts tries again to save its copy of the bookings after a save has failed', async () => {
  const snapshot = join(temporaryFolder('mirror'), 'mirror.json');
  await mkdir(`${snapshot}.new`);
  const running = await mirror(snapshot);
  await running.waitForOutput('stderr', /EISDIR/);
  await rmdir(`${snapshot}.new`);
  await expect.poll(() => readFile(snapshot, 'utf8').catch(() => ''), { timeout: 10_000 }).toContain('"cursor":"c"');
});

const languages = installed.includes('python') ? (['ts', 'py'] as const) : (['ts'] as const);

test.each(languages)(
  "The example mirror.%s deletes an erased client's data at once, and answers 401 to a signature that is not ASCII",
  async (language) => {
    const snapshot = join(temporaryFolder('mirror'), 'mirror.json');
    const client = { name: 'Jane Doe', phone: null, email: 'jane@example.com' };
    const [erased, other] = [5, 6].map((id) => ({
      id,
      revision: 1,
      clientId: id + 100,
      client,
      comment: 'Please ring.',
      cancelReason: 'Jane is ill.',
      metadata: { note: 'Jane is late' },
    }));
    const paths: string[] = [];
    const running = await mirror(snapshot, language, [erased ?? {}, other ?? {}], paths);
    const [, port = ''] = await running.waitForOutput('stdout', /Listening at .*?(\d{4,5})/);
    const copies = async () => JSON.parse(await readFile(snapshot, 'utf8').catch(() => '{}')).bookings;
    await expect.poll(copies).toEqual({ 5: erased, 6: other });
    const send = async (message: object, forged = {}, expected = 200) => {
      const body = JSON.stringify(message);
      const headers = { ...signedHeaders('dlv_1', body), ...forged };
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      expect(status).toBe(expected);
    };
    await send({}, { 'webhook-signature': 'v1,é' }, 401);
    await send({ event: 'booking.created', test: true, data: { bookingId: 9, revision: 1 } });
    await send({ event: 'client.updated', test: true, data: { clientId: 106, erased: true } });
    await send({ event: 'client.updated', data: { clientId: 106, erased: false } });
    await send({ event: 'client.updated', data: { clientId: 105, erased: true } });
    const nobody = { client: { name: '', phone: null, email: null }, comment: null, cancelReason: null, metadata: {} };
    await expect.poll(copies).toEqual({ 5: { ...erased, ...nobody }, 6: other });
    expect(paths.filter((path) => path.startsWith('/bookings/'))).toEqual([]);
  },
);
