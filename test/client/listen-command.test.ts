/** `booking listen` with wrong arguments prints one sentence about what to change; and the key of `npm run listen`. */
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { localKey } from '../../bin/local-key.ts';
import { listen, messageOf } from '../../client/src/command/listen.ts';
import { command } from '../support/command.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { exampleSecret, otherSecret, signedHeaders } from '../support/signed-message.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const key = `bk_test_${'a'.repeat(36)}`;
const to = 'http://localhost:3000/hooks';
const webhook = { id: 1, description: `listen on ${hostname()}`, delivery: 'poll', events: ['booking.created'] };
const listed = { data: [webhook], total: 1 };
const refusal = async (args: readonly string[], env = {}) =>
  messageOf(await listen(args, () => undefined, env).catch((error: unknown) => error));

test.each(
  (
    [
      [['--to', 'nowhere'], `--to must be the address of a program, such as ${to}.`],
      [['--to', 'ftp://localhost/hooks'], `--to must be the address of a program, such as ${to}.`],
      [['--to', to, '--url', 'nowhere'], '--url must be the address of the API, such as https://…/v1/integration.'],
      [['--to', to, '--url', 'https://api.example.com', '--key', 'bk_live_1'], '--key must be a test key, bk_test_…'],
      [['--to', to, '--url', 'https://api.example.com', '--key', key, '--state', ''], '--state must name a folder.'],
      [['--to', to, '--colour'], "Unknown option '--colour'. See --help."],
    ] as const
  ).map(([flags, sentence]) => [flags.join(' '), flags, sentence] as const),
)('`booking listen %s` is refused with a one-sentence error', async (_, flags, sentence) => {
  expect(await refusal(flags)).toBe(sentence);
});

/** Starts an API with these responses, or functions of the request's body, and returns the flags for it. */
async function flagsFor(answers: Readonly<Record<string, object>>): Promise<string[]> {
  const url = await serveDuringTest(async (request, answer) => {
    const { method, url = '' } = request;
    const given = answers[`${method} ${url.split('?')[0]}`] ?? { data: [], total: 0 };
    const body: object = typeof given === 'function' ? given(await json(request)) : given;
    if ('retryAfter' in body) answer.setHeader('retry-after', Number(body.retryAfter));
    answer.writeHead('statusCode' in body ? Number(body.statusCode) : 200, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(body));
  });
  return ['--to', to, '--url', url, '--key', key];
}

test('The command `booking listen` reports a requested event that the API does not have', async () => {
  const details = [{ path: 'events.0', message: 'must be one of: booking.created' }];
  const refused = { statusCode: 400, code: 'validation_failed', message: 'The request is not valid.', details };
  const flags = await flagsFor({ 'POST /webhooks': refused });
  expect(await refusal([...flags, '--events', 'booking.made'])).toBe(
    'validation_failed: The request is not valid.\n  events.0 must be one of: booking.created',
  );
});

test.each([
  ['contains no secret', '{}'],
  ['is empty', ''],
])(
  'The command `booking listen` rotates the signing secret of its webhook if its local file for the secret %s',
  async (_, stored) => {
    const state = temporaryFolder('listen');
    await writeFile(join(state, 'webhook-1.json'), stored);
    const flags = await flagsFor({
      'GET /webhooks': listed,
      'POST /webhooks/1/rotate-secret': { ...webhook, secret: 'whsec_new' },
      'GET /webhooks/1/feed': { statusCode: 401, code: 'api_key_revoked', message: 'The API key is revoked.' },
    });
    const printed: string[] = [];
    const listening = listen([...flags, '--events', 'booking.created', '--state', state], (line) => printed.push(line));
    await expect(listening).rejects.toMatchObject({ code: 'api_key_revoked' });
    expect(printed[0]).toBe('Signing secret: whsec_new');
  },
);

const changed = 'The webhook was changed, also for another `listen` with this key on this machine.';
test.each([
  ['the requested events', 'Signing secret: whsec_new', {}],
  ['other events', changed, { events: ['booking.cancelled'] }],
  ['a filter', changed, { filter: { serviceIds: [1] } }],
])('If the existing webhook of `booking listen` has %s, its output begins with “%s”', async (_, line, difference) => {
  const flags = await flagsFor({
    'GET /webhooks': { data: [{ ...webhook, ...difference }], total: 1 },
    'PATCH /webhooks/1': webhook,
    'POST /webhooks/1/rotate-secret': { ...webhook, secret: 'whsec_new' },
    'GET /webhooks/1/feed': { statusCode: 401, code: 'api_key_revoked', message: 'The API key is revoked.' },
  });
  const printed: string[] = [];
  const all = [...flags, '--events', 'booking.created', '--state', temporaryFolder('listen')];
  await expect(listen(all, (line) => printed.push(line))).rejects.toMatchObject({ code: 'api_key_revoked' });
  expect(printed[0]).toBe(line);
});

test('Without --events, `booking listen` asks only for the events that need no scope if its key lacks one', async () => {
  const lacking = { statusCode: 403, code: 'insufficient_scope', message: 'The key needs bookings:read.' };
  const flags = await flagsFor({
    'GET /webhooks/events': {
      data: [
        { name: 'booking.created', scope: null },
        { name: 'review.created', scope: 'bookings:read' },
        { name: 'service.updated', scope: null },
      ],
      total: 3,
    },
    'GET /webhooks': listed,
    'PATCH /webhooks/1': ({ events }: { events: string[] }) =>
      events.includes('review.created') ? lacking : { ...webhook, events },
    'POST /webhooks/1/rotate-secret': { ...webhook, secret: 'whsec_new' },
    'GET /webhooks/1/feed': { statusCode: 401, code: 'api_key_revoked', message: 'The API key is revoked.' },
  });
  const printed: string[] = [];
  const listening = listen([...flags, '--state', temporaryFolder('listen')], (line) => printed.push(line));
  await expect(listening).rejects.toMatchObject({ code: 'api_key_revoked' });
  expect(printed.at(-1)).toBe(`Forwarding 2 events of webhook 1 after number 0 to ${to}`);
});

test('If the signing secret of the webhook was replaced, `booking listen` ends with an error that names the file to delete', async () => {
  const state = temporaryFolder('listen');
  const file = join(state, 'webhook-1.json');
  await writeFile(file, JSON.stringify({ secret: `whsec_${'a'.repeat(32)}`, position: 0 }));
  const headers = signedHeaders('msg_1', '{}', { key: otherSecret });
  const flags = await flagsFor({
    'GET /webhooks': listed,
    'GET /webhooks/1/feed': { data: [{ number: 1, headers, body: '{}' }], next: 1, hasMore: false },
  });
  expect(await refusal([...flags, '--events', 'booking.created', '--state', state])).toBe(
    `The secret of webhook 1 was replaced. Delete ${file} and start again.`,
  );
});

test('If the clock of this machine is wrong by more than five minutes, `booking listen` ends with an error that names the clock', async () => {
  const state = temporaryFolder('listen');
  await writeFile(join(state, 'webhook-1.json'), JSON.stringify({ secret: exampleSecret, position: 0 }));
  const headers = signedHeaders('msg_1', '{}', { at: new Date(Date.now() - 302_000) });
  const flags = await flagsFor({
    'GET /webhooks': listed,
    'GET /webhooks/1/feed': { data: [{ number: 1, headers, body: '{}' }], next: 1, hasMore: false },
  });
  expect(await refusal([...flags, '--events', 'booking.created', '--state', state])).toMatch(/^The clocks of/);
});

test('`booking listen` prints which messages are no longer stored, and continues with the oldest one that is', async () => {
  const state = temporaryFolder('listen');
  await writeFile(join(state, 'webhook-1.json'), JSON.stringify({ secret: exampleSecret, position: 0 }));
  const expired = { statusCode: 410, code: 'feed_expired', message: 'The messages are not stored.' };
  const feed = [5, 8].map((oldest) => ({ ...expired, details: { oldest } }));
  const flags = await flagsFor({
    'GET /webhooks': listed,
    get 'GET /webhooks/1/feed'() {
      return feed.shift() ?? { statusCode: 401, code: 'api_key_revoked', message: 'The API key is revoked.' };
    },
  });
  const printed: string[] = [];
  const listening = listen([...flags, '--events', 'booking.created', '--state', state], (line) => printed.push(line));
  await expect(listening).rejects.toMatchObject({ code: 'api_key_revoked' });
  expect(printed.slice(2)).toEqual([
    'Messages 1 to 4 are not kept any more and were missed.',
    'Messages 5 to 7 are not kept any more and were missed.',
  ]);
});

test('While the program is down or slow, `booking listen` fetches a message again only after its signature has expired', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const state = temporaryFolder('listen');
  await writeFile(join(state, 'webhook-1.json'), JSON.stringify({ secret: exampleSecret, position: 0 }));
  /** The clock of the API is slow, which does not matter. */
  const timeOfApi = () => Date.now() - 200_000;
  const page = (...numbers: readonly number[]) => {
    const headers = signedHeaders('dlv_1', '{}', { at: new Date(timeOfApi()) });
    return { data: numbers.map((number) => ({ number, headers, body: '{}' })), next: 3, hasMore: false };
  };
  const feed = [
    () => page(1, 2, 3),
    () => page(1, 2, 3),
    () => page(3),
    () => ({ statusCode: 429, code: 'rate_limit_exceeded', message: 'Too many.', retryAfter: 0 }),
    () => ({ statusCode: 401, code: 'api_key_revoked', message: 'The API key is revoked.' }),
  ];
  const flags = await flagsFor({
    'GET /webhooks': listed,
    get 'GET /webhooks/1/feed'() {
      return feed.shift()?.() ?? {};
    },
  });
  const ages: number[] = [];
  const program = await serveDuringTest(({ headers }, answer) => {
    const age = timeOfApi() / 1_000 - Number(headers['webhook-timestamp']);
    // Each attempt takes longer than half of the time for which a signature is valid.
    vi.setSystemTime(Date.now() + 151_000);
    if (ages.push(Math.floor(age)) < 3) answer.destroy();
    else answer.end();
  });
  const printed: string[] = [];
  const all = [...flags, '--to', program, '--events', 'booking.created', '--state', state];
  const listening = listen(all, (line) => printed.push(line));
  await expect(listening).rejects.toMatchObject({ code: 'api_key_revoked' });
  expect(ages).toEqual([0, 151, 0, 151, 0]);
  expect(printed.slice(2)).toEqual([
    expect.stringMatching(new RegExp(`^Nothing answers at ${program}: .+\\. Waiting\\.$`)),
    ...Array(3).fill(expect.stringContaining('answered 200')),
    'The rate limit of the key is used up. Waiting 0 s.',
  ]);
});

test('If `booking listen` cannot create or use its folder, it ends with an error and creates no webhook', async () => {
  const file = join(temporaryFolder('listen'), 'file');
  await writeFile(file, '');
  for (const folder of [file, join(file, 'state')]) {
    const flags = await flagsFor({ 'POST /webhooks': { statusCode: 403, code: 'forbidden', message: 'Created.' } });
    const sentence = `The folder ${folder} cannot be used (ENOTDIR): choose another one with --state.`;
    expect(await refusal([...flags, '--state', folder])).toBe(sentence);
  }
});

test('Two first runs of `booking listen` that create the same folder at the same time both continue', async () => {
  const state = join(temporaryFolder('listen'), 'state');
  const flags = await flagsFor({ 'POST /webhooks': { statusCode: 403, code: 'forbidden', message: 'Continued.' } });
  const first = refusal([...flags, '--state', state]);
  expect([await refusal([...flags, '--state', state]), await first]).toEqual(Array(2).fill('forbidden: Continued.'));
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

test.each([
  [200, 'keeps the key', key],
  [401, 'creates another key', 'bk_test_new'],
  [429, 'keeps the key', key],
  [503, 'keeps the key', key],
])('If the API answers %i to the stored API key, `npm run listen` %s', async (status, _, expected) => {
  const state = temporaryFolder('listen');
  const file = join(state, 'key');
  await writeFile(file, key);
  const url: string = await serveDuringTest(({ headers, url: path }, answer) => {
    const body =
      path === '/_local/issuers/' ? [{ issuer: url, people: ['owner'] }] : { id_token: 'token', key: 'bk_test_new' };
    answer.writeHead(headers['x-api-key'] ? status : 200, { location: `${url}/signed-in?code=1` });
    answer.end(JSON.stringify(body));
  });
  expect(await localKey(url, file)).toBe(expected);
  expect(await readFile(file, 'utf8')).toBe(expected);
});
