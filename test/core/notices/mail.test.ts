/** The texts of emails about problems (docs/rules.md#notices). */
import { expect, test } from 'vitest';
import { notices } from '../../../contract/notices.ts';
import { mailOf, oneLine } from '../../../core/notices/mail.ts';
import { dayBefore, secondsToEnd, windowAt } from '../../../core/notices/windows.ts';
import { limitsDuringTest } from '../../support/during-test.ts';

const notice = {
  kind: 'key.expires_in_14_days',
  id: 7,
  tenantId: 1,
  name: 'Website',
  business: 'Salon',
  timeZone: 'Europe/Riga',
  mode: 'live',
  reason: '',
  expiresAt: '2026-12-08T12:30:00.000Z',
  address: 'a@example.com',
} as const satisfies Parameters<typeof mailOf>[0][number];
const origin = 'https://console.example';

test('An email shows names that contain HTML as text', () => {
  const { subject, text, html } = mailOf([{ ...notice, name: `<b>"Cut" & 'shave'</b>` }], origin);
  expect(subject).toContain(`<b>"Cut" & 'shave'</b>`);
  expect(text).toContain(`<b>"Cut" & 'shave'</b>`);
  expect(html).toContain('&#60;b&#62;&#34;Cut&#34; &#38; &#39;shave&#39;&#60;/b&#62;');
  expect(html).not.toContain('<b>');
});

test('An email about a problem in test mode names this mode, and its link opens the console in test mode', () => {
  const [live, sandbox] = [mailOf([notice], origin), mailOf([{ ...notice, mode: 'test' }], origin)];
  expect(sandbox.subject).toBe(`${live.subject} (test mode)`);
  expect(live.text).toContain(': https://console.example/api-keys?key=7\n');
  expect(sandbox.text).toContain(': https://console.example/test/api-keys?key=7\n');
  expect(sandbox.html).toContain('href="https://console.example/test/api-keys?key=7"');
  expect(mailOf([notice], undefined).text).not.toContain('/api-keys');
});

test('An email about several problems explains the most urgent ones with links, and states the number of the others', () => {
  limitsDuringTest({ noticesPerMail: 2 });
  const works = { ...notice, kind: 'webhook.recovered', tenantId: 2, name: 'CRM', business: 'Spa' } as const;
  const { subject, text, html } = mailOf([works, notice, works], origin);
  expect(subject).toBe('API key expires in 14 days: Website (Salon), and 2 more');
  const { 'key.expires_in_14_days': key, 'webhook.recovered': webhook } = notices;
  expect(text.split('\n\n')).toEqual([
    'API key expires in 14 days: Website (Salon)',
    `The API key “Website” expires on 8 December 2026, 14:30 (Europe/Riga). The program that uses it stops working then.\n${key.advice}`,
    `Open the API key: ${origin}/api-keys?key=7`,
    'Webhook works again: CRM (Spa)',
    `Messages to the webhook “CRM” are delivered again.\n${webhook.advice}`,
    `Open the webhook: ${origin}/webhooks/7`,
    `And 1 more. The console shows all of them.\n${origin}/`,
    key.about,
    webhook.about,
    expect.stringMatching(/^-- \nYou get this email because .* remove the address in the settings .*\.\n$/),
  ]);
  const linesOf = (shown: string) => shown.split('\n').filter((line) => !/^(-- )?$/.test(line));
  const body = html
    .replace(/.*<body/s, '<body')
    .replaceAll('> <', '><')
    .replace(/<[^>]*>/g, '\n');
  expect(linesOf(body).map((line) => line.trim())).toEqual(
    linesOf(text.replace(`\n${origin}/\n`, '\nOpen the console\n').replace(/: https:.*/g, '')),
  );
  expect(html).toContain('.warning{color:#ffc078!important}');
});

test('An email about a ten-minute window is sent a minute after the window ends, or at once if this time has passed', () => {
  const window = windowAt(Date.parse('2026-12-08T12:34:00Z'));
  const seconds = ['12:30:00', '12:39:59.999', '12:41:00', '12:45:00'].map((time) =>
    secondsToEnd(window, Date.parse(`2026-12-08T${time}Z`)),
  );
  expect(seconds).toEqual([660, 61, 0, 0]);
  expect(dayBefore(window)).toBe(windowAt(Date.parse('2026-12-07T12:34:00Z')));
});

test('A name in an email is one line of at most 80 characters', () => {
  expect(oneLine('Two\r\n lines\u2028')).toBe('Two lines');
  expect(oneLine('a'.repeat(80))).toBe('a'.repeat(80));
  expect(oneLine('a'.repeat(81))).toBe(`${'a'.repeat(79)}…`);
});
