import { expect, test } from 'vitest';
import type { DeliveryItem } from '../../core/deliveries/model/delivery-record.ts';
import { afterEnds, type End } from './checkers/webhooks.ts';

const end = (state: 'success' | 'failed'): End => ({
  head: { state, trigger: 'scheduled' } as DeliveryItem,
  errorCode: state === 'failed' ? 'http_status' : null,
  answeredAt: 0,
});
const [success, failure] = [end('success'), end('failed')];
const active = (consecutiveFailures: number) => ({ status: 'active', consecutiveFailures }) as const;
const failed = (consecutiveFailures: number) => ({ status: 'failed', consecutiveFailures }) as const;

test('In the model of the simulation, failures of a webhook add up in whatever order their attempts end', () => {
  expect(afterEnds(active(3), [failure])).toEqual([active(4)]);
  expect(afterEnds(active(3), [failure, failure])).toEqual([failed(5)]);
});

test('The model of the simulation allows that six failures among successes were in a row, and that they were not', () => {
  const possible = afterEnds(active(0), [success, success, ...Array.from({ length: 6 }, () => failure)]);
  const wanted = [active(0), active(1), active(2), active(3), active(4), failed(0), failed(5)];
  for (const one of wanted) expect(possible).toContainEqual(one);
  expect(possible).not.toContainEqual(active(5));
});
