/** Names of payment methods. */
import { expect, test } from 'vitest';
import { methodName, methodOf } from '../../console/src/screens/payments/method.ts';
import { loadTexts } from '../../console/src/strings/strings.ts';

test('A payment method is stored as the same word in every language, and one without a translation is stored as it was typed', async () => {
  expect([methodOf('Card '), methodOf('cash'), methodOf('Gift card')]).toEqual(['card', 'cash', 'Gift card']);
  await loadTexts('lv');
  expect([methodOf('karte'), methodName('card'), methodName('voucher')]).toEqual(['card', 'Karte', 'Voucher']);
});
