/** The texts of emails about problems (docs/rules.md#notices). */
import { expect, test } from 'vitest';
import { mailOf, oneLine } from '../../../core/notices/mail.ts';
import { dayBefore, secondsToEnd, windowAt } from '../../../core/notices/windows.ts';

const notice = {
  ...{
    kind: 'key.expires_in_14_days',
    id: 7,
    tenantId: 1,
    name: 'Website',
    business: 'Salon',
    timeZone: 'Europe/Riga',
  },
  ...{ mode: 'live', reason: '', expiresAt: '2026-12-08T12:30:00.000Z', address: 'a@example.com' },
} as const satisfies Parameters<typeof mailOf>[0][number];
const origin = 'https://console.example';

test('An email shows names that contain HTML as text', () => {
  const { subject, text, html } = mailOf([{ ...notice, name: `<b>"Cut" & 'shave'</b>` }], origin);
  expect(subject).toContain(`<b>"Cut" & 'shave'</b>`);
  expect(text).toContain(`<b>"Cut" & 'shave'</b>`);
  expect(html).toContain('&#60;b&#62;&#34;Cut&#34; &#38; &#39;shave&#39;&#60;/b&#62;');
  expect(html).not.toContain('<b>');
});

test('An email about test mode says so, and links to the screen of test mode in the console', () => {
  const [live, sandbox] = [mailOf([notice], origin), mailOf([{ ...notice, mode: 'test' }], origin)];
  expect(sandbox.subject).toBe(`${live.subject} (test mode)`);
  expect(live.text).toContain(': https://console.example/api-keys?key=7\n');
  expect(sandbox.text).toContain(': https://console.example/test/api-keys?key=7\n');
  expect(sandbox.html).toContain('href="https://console.example/test/api-keys?key=7"');
  expect(mailOf([notice], undefined).text).not.toContain('/api-keys');
});

test('An email says when an API key expires in the time zone of the business', () => {
  expect(mailOf([notice], origin).text).toContain('expires on 8 December 2026, 14:30 (Europe/Riga).');
});

test('The subject of an email about several problems contains the first one and the number of the others', () => {
  const { subject } = mailOf([notice], origin);
  expect(mailOf([notice, notice, notice], origin).subject).toBe(`${subject}, and 2 more`);
});

test('The email about the problems of a ten-minute window is sent a minute after the window ends, or at once if this time is over', () => {
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
