/** Names of payment methods. */
import { expect, test } from 'vitest';
import { methodName, methodOf } from '../../console/src/screens/payments/method.ts';
import { loadTexts } from '../../console/src/strings/strings.ts';

test('The console stores a payment method as the same word in every language, and a method without a translation as it was typed', async () => {
  expect([methodOf('Card '), methodOf('cash'), methodOf('Gift card')]).toEqual(['card', 'cash', 'Gift card']);
  await loadTexts('lv');
  expect([methodOf('karte'), methodName('card'), methodName('voucher')]).toEqual(['card', 'Karte', 'Voucher']);
});
