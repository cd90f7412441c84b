/** The program `mirror.ts` of `docs/keep-a-mirror.md` after a failure of a connection or of its disk. */
import { once } from 'node:events';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { command } from '../../support/command.ts';
import { serveDuringTest } from '../../support/faulty-proxy.ts';
import { exampleSecret } from '../../support/signed-message.ts';
import { temporaryFolder } from '../../support/synthesised.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts the program with an API that has no bookings. */
async function mirror(FILE: string) {
  const API = await serveDuringTest((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ data: [], nextCursor: 'c', hasMore: false }));
  });
  const code = await readFile(join(root, 'docs/examples/mirror.ts'), 'utf8');
  const file = join(temporaryFolder('mirror'), 'mirror.mts');
  await writeFile(file, code.replace("'booking-integration-client'", `'${join(root, 'client/src/index.ts')}'`));
  const running = command(file, [], {
    env: { API, KEY: 'bk_test_1', SECRET: exampleSecret, PORT: '0', FILE, EVERY_SECONDS: '0.1' },
  });
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

test('The example mirror.ts continues to receive messages after a connection broke within a message', async () => {
  const running = await mirror(join(temporaryFolder('mirror'), 'mirror.json'));
  const [, port = ''] = await running.waitForOutput('stdout', /port: (\d+)/);
  const broken = connect(Number(port), '127.0.0.1');
  broken.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1');
  await once(broken.resume(), 'close');
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401);
});

test('The example mirror.ts saves its copy of the bookings again after a save has failed', async () => {
  const snapshot = join(temporaryFolder('mirror'), 'mirror.json');
  await mkdir(`${snapshot}.new`);
  const running = await mirror(snapshot);
  await running.waitForOutput('stderr', /EISDIR/);
  await rmdir(`${snapshot}.new`);
  await expect.poll(() => readFile(snapshot, 'utf8').catch(() => ''), { timeout: 10_000 }).toContain('"cursor":"c"');
});
