/** Names of payment methods. */
import { expect, test } from 'vitest';
import { methodName, methodOf } from '../../console/src/screens/payments/method.ts';
import { loadTexts } from '../../console/src/strings/strings.ts';

test('The console stores a known payment method as the same word in every language, and any other method as typed', async () => {
  expect([methodOf('Card '), methodOf('cash'), methodOf('Gift card')]).toEqual(['card', 'cash', 'Gift card']);
  await loadTexts('lv');
  expect([methodOf('karte'), methodName('card'), methodName('voucher')]).toEqual(['card', 'Karte', 'Voucher']);
});
