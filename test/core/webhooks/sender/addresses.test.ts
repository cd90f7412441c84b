import { expect, test } from 'vitest';
import { isSameAddress } from '../../../../core/webhooks/sender/addresses.ts';

test('Two spellings of one IP address count as equal, and two different addresses do not', () => {
  expect(isSameAddress('2606:4700::1111', '2606:4700:0:0:0:0:0:1111')).toBe(true);
  expect(isSameAddress('93.184.216.34', '93.184.216.34')).toBe(true);
  expect(isSameAddress('127.0.0.1', '::ffff:127.0.0.1')).toBe(false);
  expect(isSameAddress('93.184.216.34', '93.184.216.35')).toBe(false);
  for (const other of ['93.184.216.34', 'receiver.example']) {
    expect([isSameAddress('receiver.example', other), isSameAddress(other, 'receiver.example')]).toEqual([
      false,
      false,
    ]);
  }
});
