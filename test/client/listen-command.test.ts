/** `booking listen` with wrong arguments prints one sentence about what to change. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen, messageOf } from '../../client/src/command/listen.ts';
import { command } from '../support/command.ts';

const key = `bk_test_${'a'.repeat(36)}`;
const to = 'http://localhost:3000/hooks';
const refusal = async (args: readonly string[], env = {}) =>
  messageOf(await listen(args, () => undefined, env).catch((error: unknown) => error));

test.each([
  [['--to', 'nowhere'], '--to must be the address of a program, such as http://localhost:3000/hooks.'],
  [['--to', 'ftp://localhost/hooks'], '--to must be the address of a program, such as http://localhost:3000/hooks.'],
  [['--to', to, '--url', 'nowhere'], '--url must be the address of the API, such as https://…/v1/integration.'],
  [['--to', to, '--url', 'https://api.example.com', '--key', 'bk_live_1'], '--key must be a test key, bk_test_…'],
  [['--to', to, '--colour'], "Unknown option '--colour'. See --help."],
])('The command `booking listen` with the flags %j is refused with the sentence "%s"', async (flags, sentence) => {
  expect(await refusal(flags)).toBe(sentence);
});

test('The command `booking listen` reports each requested event that the API does not have', async () => {
  const details = [{ path: 'events.0', message: 'must be one of: booking.created' }];
  const server = createServer(({ method }, answer) => {
    const body = { statusCode: 400, code: 'validation_failed', message: 'The request is not valid.', details };
    answer.writeHead(method === 'GET' ? 200 : 400, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(method === 'GET' ? { data: [], total: 0 } : body));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await refusal(['--to', to, '--url', url, '--key', key, '--events', 'booking.made'])).toBe(
    'validation_failed: The request is not valid.\n  events.0 must be one of: booking.created',
  );
});

test('The command `booking` refuses an unknown subcommand with exit code 1', async () => {
  const { code, stderr } = await command('client/src/command/booking.ts', ['listne']).ended;
  expect([code, stderr]).toEqual([1, 'There is no command listne. See --help.\n']);
});

test('`npm run listen -- --to … --help` prints the help even if no local run is started', async () => {
  const { code, stdout } = await command('bin/listen.ts', ['--to', to, '--help']).ended;
  expect(code).toBe(0);
  expect(stdout).toContain('booking listen --to');
});
