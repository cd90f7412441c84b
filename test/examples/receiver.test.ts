/** The guarantees of the example receiver for repeated messages, forged messages, and crashes. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, type FileHandle, open, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openInbox as openExample } from '../../examples/receiver/inbox.ts';
import { command } from '../support/command.ts';
import { commandDuringTest } from '../support/during-test.ts';
import { otherSecret, exampleSecret as secret, signedHeaders } from '../support/signed-message.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const inboxFile = () => join(temporaryFolder('inbox'), 'inbox.ndjson');

test('The example webhook receiver handles a message once, however often it arrives, and handles no test message or forged message', async () => {
  const env = { SECRET: secret, PORT: '0', INBOX: inboxFile() };
  const receiver = commandDuringTest('examples/receiver/receiver.ts', [], { env });
  const [, url = ''] = await receiver.waitForOutput('stdout', /Receiving at (.*)\n/);
  const send = async (id: string, key = secret, more: object = {}) => {
    const body = JSON.stringify({ id, event: 'booking.created', ...more, data: { bookingId: 7, startTime: 'soon' } });
    return (await fetch(url, { method: 'POST', headers: signedHeaders(id, body, { key }), body })).status;
  };

  expect(await Promise.all(['dlv_1', 'dlv_1', 'dlv_2'].map((id) => send(id)))).toEqual([200, 200, 200]);
  expect(await send('dlv_1')).toBe(200);
  expect(await send('dlv_3', otherSecret)).toBe(401);
  expect(await send('dlv_4', secret, { test: true })).toBe(200);
  expect((await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413);
  expect((await fetch(url)).status).toBe(404);

  receiver.process.kill('SIGKILL');
  const { stdout } = await receiver.ended;
  expect(stdout.match(/^booking\.created: booking 7/gm)).toHaveLength(2);
  expect(stdout.match(/seen before/g)).toHaveLength(2);
});

test('The example webhook receiver ends with a one-sentence error if its port is in use or the API does not answer', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const PORT = String((taken.address() as AddressInfo).port);
  const start = (env: Readonly<Record<string, string>>) =>
    command('examples/receiver/receiver.ts', [], { env: { INBOX: inboxFile(), ...env } }).ended;
  const inUse = await start({ SECRET: secret, PORT });
  expect([inUse.code, inUse.stderr]).toEqual([1, `listen EADDRINUSE: address already in use 127.0.0.1:${PORT}\n`]);
  const refused = await start({ KEY: 'bk_test_1', API: 'http://127.0.0.1:1/v1', PORT: '0' });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^connection_failed: .*\n$/)]);
});

interface Message {
  readonly id: string;
}

/** Opens the file, accepts these ids, waits for the work, and returns the ids that were processed or new. */
async function run(file: string, ids: readonly string[], work?: () => Promise<void>, openInbox = openExample) {
  const worked: string[] = [];
  const inbox = await openInbox<Message>(file, async ({ id }) => {
    worked.push(id);
    await work?.();
  });
  const isNew = await Promise.all(ids.map((id) => inbox.take({ id })));
  await inbox.close();
  // Concurrent messages are stored in any order.
  return { worked: worked.sort(), isNew };
}

test('At its start, the example webhook receiver handles the messages that it had not finished before a crash', async () => {
  const file = inboxFile();
  await writeFile(file, '{"taken":{"id":"a"}}\n{"taken":{"id":"b"}}\n{"done":"a"}\n');
  expect(await run(file, ['a', 'c', 'c'])).toEqual({ worked: ['b', 'c'], isNew: [false, true, false] });
  expect(await run(file, ['b', 'c'])).toEqual({ worked: [], isNew: [false, false] });
});

test('If a crash left an incomplete line in its inbox file, the example webhook receiver still stores later messages', async () => {
  const file = inboxFile();
  await writeFile(file, '{"taken":{"id":"a"}}\n{"done":"a"}\n{"taken":{"i');
  expect(await run(file, ['b'])).toEqual({ worked: ['b'], isNew: [true] });
  expect(await run(file, ['b'])).toEqual({ worked: [], isNew: [false] });
});

test('If a write to its inbox file fails in the middle of a line, the example webhook receiver still stores later messages', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const file = inboxFile();
  const handle = await open(file, 'a');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { appendFile } = prototype;
  using _ = vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: FileHandle, text) {
    await appendFile.call(this, String(text).slice(0, 9));
    throw new Error('ENOSPC');
  });
  const inbox = await openExample<Message>(file, () => Promise.reject(new Error('This work fails.')));
  await expect(inbox.take({ id: 'a' })).rejects.toThrow('ENOSPC');
  expect(await inbox.take({ id: 'b' })).toBe(true);
  await inbox.close();
  expect((await run(file, [])).worked).toEqual(['b']);
});

test('If the example webhook receiver fails to handle a message, it handles later messages, and tries again at its next start', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const file = inboxFile();
  const failing = async () => {
    throw new Error('This work fails.');
  };
  expect((await run(file, ['a', 'b'], failing)).worked).toEqual(['a', 'b']);
  expect((await run(file, [])).worked).toEqual(['a', 'b']);
});

/** The permissions after a run, of a new inbox and of an old one that all could read. */
async function modesAfter(openInbox = openExample) {
  const [fresh, old] = [inboxFile(), inboxFile()];
  await writeFile(old, '');
  await chmod(old, 0o644);
  return Promise.all(
    [fresh, old].map(async (file) => {
      await run(file, ['a'], undefined, openInbox);
      return ((await stat(file)).mode & 0o777).toString(8);
    }),
  );
}

describe.skipIf(process.platform === 'win32')('permissions of the inbox file', () => {
  test('Only the user who runs the example webhook receiver can read its inbox file', async () => {
    expect(await modesAfter()).toEqual(['600', '600']);
  });

  test('Negative control: if the example webhook receiver does not call `chmod`, other users can read an existing inbox file', async () => {
    const example = readFileSync(new URL('../../examples/receiver/inbox.ts', import.meta.url), 'utf8');
    const changed = join(temporaryFolder('changed'), 'inbox.ts');
    await writeFile(changed, example.replace('await log.chmod(0o600);', ''));
    const { openInbox } = (await import(changed)) as { openInbox: typeof openExample };
    expect(await modesAfter(openInbox)).toEqual(['600', '644']);
  });
});
