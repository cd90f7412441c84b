/** The receivers in each language, run as their readers run them, with messages signed by an independent library. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commandDuringTest } from '../../support/during-test.ts';
import { installed } from '../../support/languages.ts';
import { exampleSecret, otherSecret, signedHeaders } from '../../support/signed-message.ts';
import { temporaryFolder } from '../../support/synthesised.ts';

const examples = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));
const body = JSON.stringify({ id: 'dlv_1', event: 'booking.created', data: { staffName: 'Jānis' } });

/** The TypeScript receiver of the quickstart, at a free port. */
const quickstart = join(temporaryFolder('receiver'), 'receive.mjs');
const guide = readFileSync(join(examples, '../quickstart.md'), 'utf8');
const code = /```ts\n([^`]*node receive\.mjs[\s\S]*?)```/.exec(guide)?.[1] ?? '';
writeFileSync(
  quickstart,
  code
    .replace("'booking-integration-client'", `'${join(examples, '../../client/src/index.ts')}'`)
    .replace('createServer(', 'const server = createServer(')
    .replace('9_000', '0')
    .replace(/'Receiving at .*?'/, "'http://127.0.0.1:' + server.address().port"),
);

/** Each chooses a free port. */
const starts = {
  ts: [process.execPath, quickstart],
  python: ['python3', `${examples}receive-webhooks.py`],
  php: ['php', '-S', '127.0.0.1:0', `${examples}receive-webhooks.php`],
} as const;
const languages = (['ts', 'python', 'php'] as const).filter((language) => installed.includes(language));

/** The address of a receiver, and its output. */
async function receiver(language: keyof typeof starts, SECRET = exampleSecret) {
  const [interpreter, file, ...args] = starts[language];
  const { process } = commandDuringTest(file, args, { interpreter, env: { SECRET, PORT: '0' } });
  let printed = '';
  for (const stream of [process.stdout, process.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  const origin = () => /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(printed)?.[0];
  await expect.poll(origin).toBeDefined();
  return { url: `${origin()}/hooks`, printed: () => printed };
}

function signed({ at = new Date(), key = exampleSecret } = {}) {
  return { method: 'POST', headers: signedHeaders('dlv_1', body, { at, key }), body } as const;
}

describe.each(languages)('the example webhook receiver in %s', (language) => {
  test(`The example receiver in ${language} answers 200 to a genuine message and prints its event`, async () => {
    const { url, printed } = await receiver(language);
    expect((await fetch(url, signed())).status).toBe(200);
    await expect.poll(printed).toContain('booking.created dlv_1');
  });

  test(`The example receiver in ${language} answers 401 to a forged or changed message, and to one signed six minutes ago or ahead`, async () => {
    const { url, printed } = await receiver(language);
    for (const [what, messageNow] of [
      ['signed with another secret', () => signed({ key: otherSecret })],
      ['with a changed body', () => ({ ...signed(), body: body.replace('Jānis', 'Janis') })],
      ['with a changed id', () => ({ ...signed(), headers: { ...signed().headers, 'webhook-id': 'dlv_2' } })],
      ['signed six minutes ago', () => signed({ at: new Date(Date.now() - 360_000) })],
      ['signed six minutes ahead', () => signed({ at: new Date(Date.now() + 360_000) })],
      ['without headers', () => ({ method: 'POST', body })],
    ] as const)
      expect((await fetch(url, messageNow())).status, what).toBe(401);
    expect(printed()).not.toContain('booking.created');
  });

  test(`With the secret “whsec_”, which has no key, the ${language} example answers 401 to a message signed with an empty key`, async () => {
    const { url, printed } = await receiver(language, 'whsec_');
    const forged = signed();
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = forged.headers;
    const signature = createHmac('sha256', '').update(`${id}.${timestamp}.${body}`).digest('base64');
    forged.headers['webhook-signature'] = `v1,${signature}`;
    expect((await fetch(url, forged)).status).toBe(401);
    expect(printed()).not.toContain('booking.created');
  });

  test(`The example receiver in ${language} still answers after a connection broke in the middle of a message`, async () => {
    const { url, printed } = await receiver(language);
    const broken = connect(Number(new URL(url).port), '127.0.0.1');
    broken.end('POST /hooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1');
    await once(broken.resume(), 'close');
    expect((await fetch(url, signed())).status).toBe(200);
    await expect.poll(printed).toContain('booking.created dlv_1');
  });
});
