import { expect, test } from 'vitest';
import { isPublicAddress, isSameAddress } from '../../../../core/webhooks/sender/addresses.ts';

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

test.each([
  ['may', '93.184.216.34'],
  ['may', '2607:f8b0:1:2:1:5efe:5db8:d822'],
  ['may not', '2607:f8b0:1:2:0:5efe:5db8:d822'],
  ['may not', '2607:f8b0:1:2::1%eth0'],
  ['may not', '0135.184.216.34'],
  ['may not', '0x5d.184.216.34'],
  ['may not', 'receiver.example'],
])('Webhook messages %s be sent to the address %s', (result, address) => {
  expect(isPublicAddress(address)).toBe(result === 'may');
});
