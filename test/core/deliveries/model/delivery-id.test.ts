import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryId, parseDeliveryId } from '../../../../core/deliveries/model/delivery-id.ts';

const largest = Number.MAX_SAFE_INTEGER;
const positive = fc.integer({ min: 1, max: largest });

test('A delivery id contains the id of the webhook and the number of the delivery', () => {
  fc.assert(
    fc.property(positive, positive, (webhookId, number) => {
      const id = deliveryId(webhookId, number);
      expect(id).toMatch(/^dlv_[0-9a-z]{12,22}$/);
      expect(parseDeliveryId(id)).toEqual({ webhookId, number });
    }),
    {
      examples: [
        [1, 1],
        [largest, largest],
      ],
    },
  );
});

test('A delivery id that is misspelt or contains a number out of range is refused', () => {
  const id = deliveryId(372_418_265_088_001, 7);
  const spellings = ['', 'dlv_', 'dlv_7', id.toUpperCase(), `${id} `, id.replace(/7$/, '07'), id.slice(4), `${id}!`];
  const numbers = [deliveryId(1, 0), deliveryId(1, -5), deliveryId(largest + 1, 1), deliveryId(1, largest + 1)];
  for (const text of [...spellings, ...numbers]) {
    expect(parseDeliveryId(text), text).toBeUndefined();
  }
});

test('Each delivery id has exactly one spelling that is accepted', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^dlv_[0-9a-z]{12,22}$/)), (text) => {
      const parsed = parseDeliveryId(text);
      if (parsed) expect(deliveryId(parsed.webhookId, parsed.number)).toBe(text);
    }),
  );
});
