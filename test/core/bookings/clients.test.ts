import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { phone } from '../../../contract/fields.ts';
import { contactsOf } from '../../../core/bookings/clients.ts';

const same = (contact: Parameters<typeof contactsOf>[0]) => contactsOf(contact)[0]?.value;

test.each(['1234', '+371 2612-3456', '(+371) 2612 3456', '+123456789012345', '00 123456789012345', ' 112/3 '])(
  'A phone number written as %j is accepted',
  (text) => expect(z.safeParse(phone(), text).success).toBe(true),
);

test.each([
  '1....',
  '+1 ( - )',
  '123',
  '1234567890123456',
  '0012',
  '1234x',
  '+-',
  '',
  '12+34',
  '0000123',
  '١٢٣٤',
  '1'.padEnd(40, ' 2'),
])('A phone number written as %j is refused', (text) => expect(z.safeParse(phone(), text).success).toBe(false));

test.each([
  ['+371\u00a02612\u20113456', '+371 2612-3456'],
  ['\u202a+371\u202f2612\u20133456\u202c', '+371 2612-3456'],
])('A pasted phone number with unusual spaces, hyphens or invisible marks, %j, is stored as %j', (pasted, stored) =>
  expect(z.parse(phone(), pasted)).toBe(stored),
);

test.each([
  ['+37126123456', '+371 2612-3456'],
  ['+37126123456', '0037126123456'],
  ['+37126123456', '00 371 (26) 123 456'],
  ['+37126123456', '+00371 26123456'],
  ['+37126123456', '+0 371 26123456'],
  ['+442079460958', '+44 (0)20 7946 0958'],
  ['+442079460958', '0044(0)2079460958'],
  ['+442079460958', '+(44) (0)20 7946 0958'],
  ['+442079460958', '+0044 (0)20 7946 0958'],
  ['+390612345', '+39 (0)6 12345'],
  ['26123456', '26.12.34.56'],
])('The phone numbers %s and %s belong to the same client', (one, other) =>
  expect(same({ phone: one })).toBe(same({ phone: other })),
);

test.each([
  ['+37126123456', '26123456'],
  ['026123456', '26123456'],
  ['(0)26123456', '26123456'],
  ['0371 26123456', '+371 26123456'],
])('The phone numbers %s and %s belong to different clients, because no country code is guessed', (one, other) =>
  expect(same({ phone: one })).not.toBe(same({ phone: other })),
);
