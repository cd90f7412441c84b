/** Emails of notices (docs/rules.md#notices): one per address and window, one a day per kind, none after an opt-out. */
import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { NoticeKind } from '../../../contract/notice-kinds.ts';
import type { WebhookEventData } from '../../../contract/system/operational-events.ts';
import { newId } from '../../../core/clock.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import { log } from '../../../core/log.ts';
import { type Mail, MailRefused, type Post, postMail } from '../../../core/mail/post-mail.ts';
import { deleteTogether } from '../../../core/store/delete-each.ts';
import { getItem } from '../../../core/store/read.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { faults } from '../../support/faults.ts';
import { NoticeQueue, type RaisedEvent } from '../../support/notices.ts';
import { newWebhook } from '../../support/pipeline-state.ts';
import { scripted } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const injected = vi.hoisted(() => ({
  noWindow: false,
  readThenWrite: false,
  keepsSending: false,
  /** By event: what its write waits for, and the callback when it does. */
  late: new Map<number, { reached: () => void; go: Promise<void> }>(),
}));
vi.mock(import('../../../core/notices/windows.ts'), async (original) => {
  const real = await original();
  let count = 0;
  return {
    ...real,
    windowAt: (at) => real.windowAt(at) * 1_000_000 + (injected.noWindow ? count++ : 0),
    secondsToEnd: (window, at) => real.secondsToEnd(Math.floor(window / 1_000_000), at),
    dayBefore: (window) => window - 1_000_000 * 144,
  };
});
vi.mock(import('../../../core/notices/claim.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    claim: async (item, at) => {
      const earlier = injected.readThenWrite ? await getItem<typeof item>('records', item) : undefined;
      const late = injected.late.get(item.eventId);
      late?.reached();
      await late?.go;
      if (!injected.readThenWrite) return real.claim(item, at);
      return earlier && earlier.until > at ? undefined : real.claim(item, Number.MAX_SAFE_INTEGER);
    },
  };
});
vi.mock(import('../../../core/mail/address.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    suppress: (address, off) => real.suppress(injected.keepsSending ? `not-${address}` : address, off),
  };
});

const fixture = useTestBusiness();
let queue: NoticeQueue;
let starts = testNow;
beforeEach(() => {
  log.setLogLevel('SILENT');
  // Tests share their tables, so each has its own addresses and days.
  starts += 10 * 86_400_000;
  queue = new NoticeQueue(starts);
});
afterEach(() => {
  queue.end();
  vi.unstubAllEnvs();
  Object.assign(injected, { noWindow: false, readThenWrite: false, keepsSending: false, late: new Map() });
});

let count = 0;
const newAddress = () => `owner-${++count}@salon.example`;

/** A business with webhooks of one key. By default only the business has an address. */
async function business(
  addresses: { noticeEmail?: string; contactEmail?: string } = { noticeEmail: newAddress() },
  { webhooks = 1, description = '' } = {},
) {
  const { noticeEmail, contactEmail } = addresses;
  const { tenantId, account, owner } = await fixture.business();
  if (noticeEmail) expect((await account('updateBusiness', { body: { noticeEmail } })).status).toBe(200);
  const key = await createApiKey(owner, { name: 'Site', scopeSet: 'display_only', contactEmail });
  const created = Array.from({ length: webhooks }, () => newWebhook(tenantId, key.id, { description }));
  const about = (await Promise.all(created)).map(({ id }) => ({ tenantId, data: failing(id, key.id) }));
  return { tenantId, account, owner, key, about };
}

const withId = (about: readonly RaisedEvent[], id: number) => about.map((one) => ({ ...one, id }));

/** An event of each, and the resulting emails. */
async function report(kind: NoticeKind, about: readonly RaisedEvent[]): Promise<void> {
  queue.tell(kind, about);
  await queue.run();
}

function failing(webhookId: number, apiKeyId: number): WebhookEventData {
  const failingSince = new Date(starts).toISOString();
  const state = { mode: 'live', status: 'active', consecutiveFailures: 3, failingSince, errorCode: 'timeout' } as const;
  return { webhookId, apiKeyId, ...state };
}

const returned = (kind: 'bounce' | 'complaint', to: string, bounceType = 'Permanent') => ({
  source: 'aws.ses',
  'detail-type': kind === 'bounce' ? 'Email Bounced' : 'Email Complaint Received',
  detail:
    kind === 'bounce'
      ? { eventType: 'Bounce', bounce: { bounceType, bouncedRecipients: [{ emailAddress: to }] }, mail: {} }
      : { eventType: 'Complaint', complaint: { complainedRecipients: [{ emailAddress: to }] }, mail: {} },
});

test("When a webhook starts to fail, the business and the API key's contact each get one email", async () => {
  const [noticeEmail, contactEmail] = [newAddress(), newAddress()];
  const description = 'Bookings to the CRM';
  const { about } = await business({ noticeEmail, contactEmail }, { description });
  await report('webhook.failing', about);
  expect(queue.mails.map(({ to }) => to).sort()).toEqual([noticeEmail, contactEmail].sort());
  for (const { subject, text, html } of queue.mails) {
    expect(subject).toBe(`Webhook is failing: ${description}`);
    for (const part of [text, html]) {
      expect(part).toContain(description);
      expect(part).toContain('The receiver did not respond within 10 seconds.');
      expect(part).toContain('A webhook tells another program, its receiver, about your bookings');
    }
  }
  expect(queue.failed).toEqual([]);
});

test("The email about an API key names the key and the business, and gives the key's expiry in the time zone of the business", async () => {
  const { tenantId, key } = await business({ contactEmail: newAddress() });
  const data = { apiKeyId: key.id, mode: 'live', expiresAt: '2026-12-08T12:30:00.000Z' } as const;
  await report('key.expires_in_3_days', [{ tenantId, data }]);
  expect(queue.mails.map(({ subject }) => subject)).toEqual(['API key expires in 3 days: Site']);
  expect(queue.mails[0]?.text).toContain('8 December 2026, 14:30 (Europe/Riga)');
  expect(queue.mails[0]?.text).toContain('problems of Salon');
});

const conflict = () => faults.TransactionConflict(1);
const refused = () => Promise.reject(new MailRefused('Amazon SES answered 429 TooManyRequestsException'));
test.each<[string, Parameters<typeof scripted>[0], (() => unknown)?]>([
  ['the problem cannot be stored', [{ when: 'PutItem', nth: 1, fail: 'ThrottlingException' }]],
  ['the email cannot be queued', [], () => Object.assign(queue, { accepts: false })],
  ['the record of the email conflicts with another write', [{ when: 'TransactWriteItems', nth: 1, fail: conflict }]],
  ['Amazon SES refuses the email', [], () => queue.instead.push(refused)],
])('If an email about a failing webhook cannot be sent, a retry sends it later (%s)', async (_, script, begin) => {
  const { about, key } = await business();
  begin?.();
  await scripted(script, () => report('webhook.failing', about));
  expect(queue.mails).toEqual([]);
  queue.accepts = true;
  const [failed = '', ...others] = queue.failed;
  expect(others).toEqual([]);
  queue.send(JSON.parse(failed));
  await queue.run();
  expect(queue.mails).toHaveLength(1);
  const [notice] = (await fixture.items('records')).filter(({ apiKeyId, until }) => until && apiKeyId === key.id);
  // A stored notice outlives the time in which it prevents another one.
  expect(Number(notice?.expiresAtSeconds)).toBe(Number(notice?.until) / 1_000 + limits.noticePauseHours * 3_600);
});

test('An email address that is entered for both the business and the API key gets one email about a failing webhook', async () => {
  await report('webhook.failing', (await business({})).about);
  expect(queue.mails).toEqual([]);
  const both = newAddress();
  await report('webhook.failing', (await business({ noticeEmail: both, contactEmail: both.toUpperCase() })).about);
  expect(queue.mails).toHaveLength(1);
});

/** Events of one webhook that arrive within a few seconds, perhaps the last one first, and the resulting emails. */
async function reportTogether(kinds: readonly NoticeKind[], isReversed = false): Promise<readonly RaisedEvent[]> {
  const { about } = await business();
  const raised = kinds.map((kind) => ({ kind, id: newId() }));
  const startsAt = queue.now;
  for (const { kind, id } of isReversed ? raised.toReversed() : raised) {
    queue.tell(kind, withId(about, id));
    queue.now += 1_000;
  }
  queue.now = startsAt;
  await queue.run();
  return about;
}

test.each<[string, readonly NoticeKind[], string]>([
  ['fails and is disabled', ['webhook.failing', 'webhook.disabled'], 'was disabled'],
  ['fails, recovers and fails again', ['webhook.failing', 'webhook.recovered', 'webhook.failing'], 'is failing'],
])(
  'If a webhook %s within minutes, one email reports only the last change, in whatever order the events arrive',
  async (_, kinds, status) => {
    await reportTogether(kinds);
    await reportTogether(kinds, true);
    expect(queue.mails.map(({ subject }) => subject)).toEqual(Array(2).fill(`Webhook ${status}: receiver.example`));
  },
);

test('A second email is sent about a webhook that is disabled, works again within minutes, and is disabled an hour later', async () => {
  const about = await reportTogether(['webhook.disabled', 'webhook.recovered']);
  queue.now += 3_600_000;
  await report('webhook.disabled', about);
  const subjects = queue.mails.map(({ subject }) => subject);
  expect(subjects).toEqual(['Webhook works again: receiver.example', 'Webhook was disabled: receiver.example']);
});

test('An email about a webhook or API key is not sent if the webhook is deleted or the key revoked before the email is due', async () => {
  const noticeEmail = newAddress();
  const { tenantId, owner, key, about } = await business({ noticeEmail }, { webhooks: 2 });
  const [first] = about;
  const remove = () => deleteTogether('deliveries', [deliveries.webhook(tenantId, key.id, first?.data.webhookId ?? 0)]);
  await scripted([{ when: 'PutItem', nth: 2, after: remove }], () => report('webhook.failing', about));
  expect(queue.mails).toMatchObject([{ to: noticeEmail }]);
  expect(queue.mails[0]?.subject).not.toContain('more');
  const revoke = () => revokeApiKey(owner, key);
  const expiresAt = new Date(queue.now).toISOString();
  const expiring = { tenantId, data: { apiKeyId: key.id, mode: 'live', expiresAt } } as const;
  await scripted([{ when: 'PutItem', nth: 2, after: revoke }], async () => {
    queue.tell('webhook.disabled', about.slice(1));
    await report('key.expires_in_3_days', [expiring]);
  });
  expect(queue.mails).toHaveLength(1);
  expect(queue.failed).toEqual([]);
});

test('A thousand webhooks of ten businesses that fail at the same time cause one email to their shared address', async () => {
  const address = newAddress();
  const large = () => business({ noticeEmail: address }, { webhooks: limits.webhooksPerBusiness });
  const all = await Promise.all(Array.from({ length: 10 }, large));
  const failed = all.flatMap(({ about }) => about);
  await report('webhook.failing', failed);
  expect(queue.mails).toMatchObject([
    { to: address, subject: expect.stringMatching(/^Webhook is failing: .*, and 999 more$/) },
  ]);
  expect(queue.mails[0]?.text).toContain(`And ${1_000 - limits.noticesPerMail} more.`);
  expect(queue.mails[0]?.html.length).toBeLessThan(20_000);
  // Each notice names its own business.
  expect(queue.mails[0]?.subject).toContain('(Salon Daugava)');
});

test('Negative control: if emails are neither collected nor limited, a hundred failing webhooks cause a hundred emails', async () => {
  injected.noWindow = true;
  limitsDuringTest({ noticeMailsPerDay: 100 });
  const { about } = await business(undefined, { webhooks: 100 });
  await report('webhook.failing', about);
  expect(queue.mails).toHaveLength(100);
});

test('One email address gets at most twenty emails in 24 hours, however many webhooks fail', async () => {
  const { about } = await business(undefined, { webhooks: limits.noticeMailsPerDay + 5 });
  for (const one of about) {
    await report('webhook.failing', [one]);
    queue.now += limits.noticeWindowSeconds * 1_000;
  }
  expect(queue.mails).toHaveLength(limits.noticeMailsPerDay);
  queue.now += 86_400_000;
  await report('webhook.disabled', about.slice(0, 1));
  expect(queue.mails.splice(limits.noticeMailsPerDay)).toHaveLength(1);
  // None repeats the notices of the emails before it.
  expect(new Set(queue.mails.map(({ subject }) => subject))).toEqual(new Set(['Webhook is failing: receiver.example']));
});

/** One webhook fails repeatedly, and several functions are notified at the same time. */
async function again(times: number, pauseMs: number, kind: NoticeKind = 'webhook.failing') {
  const { about } = await business();
  for (let i = 0; i < times; i++) {
    await report(kind, about);
    queue.now += pauseMs;
  }
  return about;
}

test('A webhook that fails every hour causes one email in 24 hours', async () => {
  await again(30, 3_600_000);
  expect(queue.mails).toHaveLength(2);
  const [first, second] = queue.mails.map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(limits.noticePauseHours * 3_600_000);
});

test('A webhook that is first failing and then disabled causes two emails', async () => {
  const about = await again(1, 3_600_000);
  await report('webhook.disabled', about);
  expect(queue.mails.map(({ subject }) => subject.split(':')[0])).toEqual([
    'Webhook is failing',
    'Webhook was disabled',
  ]);
});

test('If a queue message about an event arrives twice, before or after the email was sent, only one email is sent', async () => {
  const { about } = await business();
  const once = withId(about, 77 + starts);
  queue.tell('webhook.failing', once);
  for (let i = 0; i < 3; i++) await report('webhook.failing', once);
  expect(queue.mails).toHaveLength(1);
  expect(queue.failed).toEqual([]);
});

/** Two functions have the same notice. The one in the later window writes while the other sends its email. */
async function race() {
  const { about } = await business();
  queue.timeLeftMs = 3_600_000;
  const windowMs = limits.noticeWindowSeconds * 1_000;
  queue.now = Math.ceil(queue.now / windowMs) * windowMs - 1;
  const begin = async (id: number) => {
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    injected.late.set(id, { reached: reached.resolve, go: go.promise });
    queue.tell('webhook.failing', withId(about, id));
    const running = queue.run();
    await reached.promise;
    queue.now += 2;
    return () => {
      go.resolve();
      return running;
    };
  };
  const finish = [await begin(98), await begin(99)];
  for (const one of finish) await one();
  return queue.mails.length;
}

test('Two functions that report one problem send a single email, even if one of the functions hangs for minutes', async () => {
  expect(await race()).toBe(1);
});

test('Negative control: if a function reads whether an email was sent and stores this later, two functions send two emails', async () => {
  injected.readThenWrite = true;
  expect(await race()).toBe(2);
});

const states = (account: Awaited<ReturnType<typeof business>>['account']) =>
  account('getBusiness').then(({ json }) => json.noticeEmailOff);

test.each([
  ['bounce', 'bounced'],
  ['complaint', 'complained'],
] as const)(
  'After a bounce or complaint, an address gets no more emails until the owner, who sees the reason, enters it again (%s)',
  async (kind, reason) => {
    const address = newAddress();
    const { about, account } = await business({ noticeEmail: address }, { webhooks: 3 });
    queue.send(returned(kind, `Salon <${address.toUpperCase()}>`));
    await queue.run();
    const off = { reason, at: new Date(queue.now).toISOString() };
    expect(await states(account)).toEqual(off);
    const renamed = await account('updateBusiness', { body: { name: 'Spa' } });
    expect(renamed.json).toMatchObject({ noticeEmailOff: off });
    await report('webhook.failing', about.slice(0, 1));
    expect(queue.mails).toEqual([]);
    const resumed = await account('updateBusiness', { body: { noticeEmail: address } });
    expect(resumed.json).toMatchObject({ noticeEmail: address, noticeEmailOff: null });
    expect(await states(account)).toBeNull();
    await report('webhook.failing', about.slice(1));
    expect(queue.mails.map(({ to }) => to)).toEqual([address]);
  },
);

test('Negative control: if a bounce is not stored for its address, the next email is still sent', async () => {
  injected.keepsSending = true;
  const address = newAddress();
  const { about } = await business({ noticeEmail: address });
  queue.send(returned('bounce', address));
  await queue.run();
  await report('webhook.failing', about);
  expect(queue.mails).toHaveLength(1);
});

test('A temporary bounce, such as of a full mailbox, does not stop emails to the address', async () => {
  const address = newAddress();
  const { account } = await business({ noticeEmail: address });
  queue.send(returned('bounce', address, 'Transient'));
  await queue.run();
  expect(await states(account)).toBeNull();
});

test('Emails to the contact of an API key stop after a complaint and resume when the address is entered again', async () => {
  const address = newAddress();
  const { account, key } = await business({ contactEmail: address });
  queue.send(returned('complaint', address));
  await queue.run();
  const off = { reason: 'complained', at: new Date(queue.now).toISOString() };
  const at = { params: { id: String(key.id) } };
  const shown = [await account('getApiKey', at), await account('updateApiKey', { ...at, body: { name: 'Shop' } })];
  for (const { json } of shown) expect(json).toMatchObject({ contactEmail: address, contactEmailOff: off });
  const resumed = await account('updateApiKey', { ...at, body: { contactEmail: address } });
  expect(resumed.json).toMatchObject({ contactEmail: address, contactEmailOff: null });
});

test('An email is sent through Amazon SES with a valid signature, from the configured sender address, as text and as HTML', async () => {
  await answers(200)('ann@example.com', { subject: 'A', text: 'B', html: '<p>B</p>' });
  const [url, { method, headers, body }] = vi.mocked(fetch).mock.calls[0] as unknown as [
    URL,
    { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  ];
  expect(url.href).toBe('https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails');
  expect({ method, headers }).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
  expect(JSON.parse(body)).toEqual({
    FromEmailAddress: 'notices@booking.example',
    Destination: { ToAddresses: ['ann@example.com'] },
    Content: { Simple: { Subject: content('A'), Body: { Text: content('B'), Html: content('<p>B</p>') } } },
    ConfigurationSetName: 'mails',
  });
  // docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
  const form = /^AWS4-HMAC-SHA256 Credential=test\/(.+), SignedHeaders=(.+), Signature=(.+)$/;
  const [, scope = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  expect(scope).toMatch(/^\d{8}\/eu-central-1\/ses\/aws4_request$/);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const lines = names.split(';').map((name) => `${name}:${{ ...headers, host: url.host }[name]}`);
  const request = [method, url.pathname, '', ...lines, '', names, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(request)].join('\n');
  expect(hmac(scope.split('/').reduce<string | Buffer>(hmac, 'AWS4test'), text).toString('hex')).toBe(signature);
});

const answers = (status: number) => (to: string, mail: Mail) => {
  const values = { MAIL_FROM: 'notices@booking.example', MAIL_SET: 'mails', AWS_REGION: 'eu-central-1' };
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('', { status }));
  return postMail(to, mail);
};
test.each<[string, number, Post]>([
  ['is not sent again after the connection ended', 0, () => Promise.reject(new Error('The connection ended'))],
  ['is not sent again after an internal error of Amazon SES', 0, answers(500)],
  ['is sent again after Amazon SES was not available', 1, answers(503)],
  ['is sent again after Amazon SES limited the rate of emails', 1, answers(429)],
])('An email is sent again only if Amazon SES certainly did not accept it (it %s)', async (_, count, post) => {
  const { about } = await business();
  queue.instead.push(post);
  queue.tell('webhook.failing', about);
  await report('webhook.failing', about);
  for (const failed of queue.failed.splice(0)) queue.send(JSON.parse(failed));
  await queue.run();
  expect(queue.mails).toHaveLength(count);
});
