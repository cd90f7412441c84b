import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryId, parseDeliveryId } from '../../../../core/deliveries/model/delivery-id.ts';

const webhookIds = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const numbers = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

test('A delivery id contains the id of the webhook and the number of the delivery', () => {
  fc.assert(
    fc.property(webhookIds, numbers, (webhookId, number) => {
      const id = deliveryId(webhookId, number);
      expect(id).toMatch(/^dlv_[0-9a-z]{12,22}$/);
      expect(parseDeliveryId(id)).toEqual({ webhookId, number });
    }),
  );
});

test('Text that is not a delivery id, or another spelling of a delivery id, is refused', () => {
  const id = deliveryId(372_418_265_088_001, 7);
  for (const text of ['', 'dlv_', 'dlv_7', id.toUpperCase(), `${id} `, id.replace(/7$/, '07'), id.slice(4), `${id}!`]) {
    expect(parseDeliveryId(text), text).toBeUndefined();
  }
});

test.each([
  [1, 1, 'a valid', true],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'a valid', true],
  [1, 0, 'no valid', false],
  [1, -5, 'no valid', false],
  [2 ** 53, 1, 'no valid', false],
  [1, 2 ** 53, 'no valid', false],
])('The webhook id %d and the delivery number %d form %s delivery id', (webhookId, number, _, isId) => {
  expect(parseDeliveryId(deliveryId(webhookId, number))).toEqual(isId ? { webhookId, number } : undefined);
});

test('A delivery id is accepted in only one spelling, and any other text is refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^dlv_[0-9a-z]{12,22}$/)), (text) => {
      const parsed = parseDeliveryId(text);
      if (parsed) expect(deliveryId(parsed.webhookId, parsed.number)).toBe(text);
    }),
  );
});
