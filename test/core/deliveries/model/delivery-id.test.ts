import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryId, parseDeliveryId } from '../../../../core/deliveries/model/delivery-id.ts';

const webhookIds = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const numbers = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

test('every webhook and number comes back from its id', () => {
  fc.assert(
    fc.property(webhookIds, numbers, (webhookId, number) => {
      const id = deliveryId(webhookId, number);
      expect(id).toMatch(/^dlv_[0-9a-z]{12,22}$/);
      expect(parseDeliveryId(id)).toEqual({ webhookId, number });
    }),
  );
});

test('text that is no delivery id is refused, and so is a second spelling of one', () => {
  const id = deliveryId(372_418_265_088_001, 7);
  for (const text of ['', 'dlv_', 'dlv_7', id.toUpperCase(), `${id} `, id.replace(/7$/, '07'), id.slice(4), `${id}!`]) {
    expect(parseDeliveryId(text), text).toBeUndefined();
  }
});

test.each([
  [1, 1, true],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, true],
  [1, 0, false],
  [1, -5, false],
  [2 ** 53, 1, false],
  [1, 2 ** 53, false],
])('whether webhook %d and number %d have an id is %s', (webhookId, number, isId) => {
  expect(parseDeliveryId(deliveryId(webhookId, number))).toEqual(isId ? { webhookId, number } : undefined);
});

test('any text is parsed or refused, and what is parsed is spelled the one way', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^dlv_[0-9a-z]{12,22}$/)), (text) => {
      const parsed = parseDeliveryId(text);
      if (parsed) expect(deliveryId(parsed.webhookId, parsed.number)).toBe(text);
    }),
  );
});
