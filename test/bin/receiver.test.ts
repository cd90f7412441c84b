import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sign } from '@octokit/webhooks-methods';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { commandDuringTest } from '../support/during-test.ts';
import { exampleSecret as secret, signedHeaders } from '../support/signed-message.ts';

const body = JSON.stringify({ id: 'dlv_1', event: 'booking.created', data: { staffName: 'Jānis' } });

async function receiver(args: readonly string[], input?: string) {
  const started = commandDuringTest('bin/receiver.ts', ['--port', '0', ...args], { input });
  const [, url] = await started.waitForOutput('stderr', /Listening on (http:\S+\/hooks)\./);
  return { ...started, url: String(url) };
}

async function post(url: string, headers: Record<string, string>, sent = body): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body: sent });
  await response.arrayBuffer();
  return response.status;
}

async function signed(delivery = 'dlv_1', at = new Date()) {
  return {
    'content-type': 'application/json',
    'x-webhook-event': 'booking.created',
    'x-webhook-delivery': delivery,
    'x-webhook-signature': await sign(secret, body),
    ...signedHeaders(delivery, body, { at }),
  };
}

test('The demo receiver answers 200 to a message with valid signatures, and 401 to a message signed an hour ago', async () => {
  const { url, waitForOutput } = await receiver(['--secret', secret]);
  expect(await post(url, await signed())).toBe(200);
  await waitForOutput(
    'stdout',
    /booking\.created {2}dlv_1 {2}attempt 1 {2}signature valid {2}answered 200\n\{.*Jānis.*\}\n/,
  );
  expect(await post(url, await signed('dlv_1', new Date(Date.now() - 3_600_000)))).toBe(401);
  await waitForOutput('stdout', /signature valid, Standard Webhooks signature INVALID {2}answered 401/);
});

test('The demo receiver prints a message with an invalid signature as INVALID and answers 401', async () => {
  const { url, waitForOutput } = await receiver(['--secret', 'whsec_another']);
  expect(await post(url, await signed())).toBe(401);
  await waitForOutput('stdout', /booking\.created {2}dlv_1 {2}attempt 1 {2}signature INVALID {2}answered 401\n/);
});

test('The demo receiver without --secret shows messages and reports that it does not check their signatures', async () => {
  const { url, waitForOutput } = await receiver([]);
  await waitForOutput('stderr', /Signatures are not checked/);
  expect(await post(url, {})).toBe(200);
  await waitForOutput(
    'stdout',
    /\(no X-Webhook-Event\) {2}\(no X-Webhook-Delivery\) {2}attempt 1 {2}signature not checked/,
  );
});

test('The demo receiver with --fail N answers 500 to the first N messages and counts the attempts', async () => {
  const { url, waitForOutput } = await receiver(['--secret', secret, '--fail', '2', '--json']);
  const statuses = [];
  for (const delivery of ['dlv_1', 'dlv_1', 'dlv_1', 'dlv_2']) statuses.push(await post(url, await signed(delivery)));
  expect(statuses).toEqual([500, 500, 200, 200]);
  const [output] = await waitForOutput('stdout', /(?:.+\n){4}/);
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ deliveryId, attempt, responseStatus }) => [deliveryId, attempt, responseStatus])).toEqual([
    ['dlv_1', 1, 500],
    ['dlv_1', 2, 500],
    ['dlv_1', 3, 200],
    ['dlv_2', 1, 200],
  ]);
  expect(lines[0]).toMatchObject({ event: 'booking.created', signature: 'valid', standardWebhooks: 'valid' });
  expect(lines[0].body).toEqual(JSON.parse(body));
});

test('With `--secret -`, the demo receiver takes the signing secret from a POST /webhooks response on its standard input', async () => {
  const { url } = await receiver(['--secret', '-'], JSON.stringify({ id: 1, secret }));
  expect(await post(url, await signed())).toBe(200);
  expect(await post(url, await signed(), `${body} `)).toBe(401);
});

test('With `--secret -`, the demo receiver prints an API error from its standard input and ends with exit code 1', async () => {
  const answer = JSON.stringify({ statusCode: 409, message: 'This API key already has 10 active webhooks.' });
  const { code, stderr } = await command('bin/receiver.ts', ['--secret', '-'], { input: answer }).ended;
  expect(stderr).toBe('The response on stdin contains no secret: This API key already has 10 active webhooks.\n');
  expect(code).toBe(1);
});

test.each(['SIGINT', 'SIGTERM'] as const)('The signal %s ends the demo receiver with exit code 0', async (signal) => {
  const { process, ended } = await receiver([]);
  process.kill(signal);
  expect((await ended).code).toBe(0);
});

test.skipIf(process.platform === 'win32')(
  'The demo receiver ends when the npm process that started it has ended',
  async () => {
    const shell = spawn('sh', ['-c', `"${process.execPath}" bin/receiver.ts --port 0; :`], {
      env: { ...process.env, npm_lifecycle_event: 'receiver' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // The receiver's output is open as long as it runs.
    const closed = once(shell.stderr.setEncoding('utf8'), 'close');
    await once(shell.stderr, 'data');
    shell.kill('SIGTERM');
    await closed;
  },
);
