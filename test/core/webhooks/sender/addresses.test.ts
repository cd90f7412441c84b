import { expect, test } from 'vitest';
import { isPublicAddress, isSameAddress } from '../../../../core/webhooks/sender/addresses.ts';

test('Two spellings of one IP address count as equal, and two different addresses do not', () => {
  expect(isSameAddress('2606:4700::1111', '2606:4700:0:0:0:0:0:1111')).toBe(true);
  expect(isSameAddress('93.184.216.34', '93.184.216.34')).toBe(true);
  expect(isSameAddress('127.0.0.1', '::ffff:127.0.0.1')).toBe(false);
  expect(isSameAddress('93.184.216.34', '93.184.216.35')).toBe(false);
});

test('An IPv6 address that embeds an IPv4 address (ISATAP) is not public', () => {
  const carried = (mark: string) => isPublicAddress(`2606:4700::${mark}:5efe:5db8:d822`);
  expect(['0', '200', '1'].map(carried)).toEqual([false, false, true]);
});
