import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { name, text } from '../../contract/fields.ts';
import { createBooking } from '../../contract/integration/routes.ts';
import { limits } from '../../contract/limits.ts';

const booking = (client: object) => ({ serviceId: 1, startTime: '2026-12-01T10:00:00Z', client });

const accepted = ['Jane', 'Žanete Bērziņa-Kalniņa', "O'Neil", '王小明', 'جين', '👩‍👩‍👧'].map((given) => [given, given]);
test.each([...accepted, [`of ${limits.nameLength} letters`, 'x'.repeat(limits.nameLength)]])(
  'A client name %s is accepted unchanged',
  (_, given) => {
    const { data } = z.safeParse(createBooking.body, booking({ name: given, email: 'jane@example.com' }));
    expect(data?.client?.name).toBe(given);
  },
);

test.each([
  ['a line break', 'Jane\r\nBcc: everybody@example.com'],
  ['a Unicode line separator', 'Jane\u2028Doe'],
  ['a Unicode paragraph separator', 'Jane\u2029Doe'],
  ['a tab', 'Jane\tDoe'],
  ['a terminal escape sequence', 'Jane\u001b[2J'],
  ['only zero-width characters', '\u200b\u200d'],
  ['only a byte order mark between word joiners', '\u2060\ufeff\u2060'],
])('A client name with %s is refused', (_, given) => {
  const { error } = z.safeParse(createBooking.body, booking({ name: given, email: 'jane@example.com' }));
  expect(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
    'client.name must be one line with at least one visible character',
  ]);
  expect(z.safeParse(name(), given).success).toBe(false);
  // Negative control: text of several lines, such as a comment, may have it.
  expect(z.safeParse(text(1, limits.nameLength), given).success).toBe(true);
});

test('A client name that consists of spaces gets exactly one error message', () => {
  expect(z.safeParse(name(), '  ').error?.issues).toHaveLength(1);
});
