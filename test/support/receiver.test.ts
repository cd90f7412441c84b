import { expect, test } from 'vitest';
import { startReceiver } from './local.ts';

const post = (url: string, delivery: string) =>
  fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'x-webhook-event': 'booking.created', 'x-webhook-delivery': delivery },
  });

test("The test receiver's waitFor resolves when the delivery arrives, or has arrived before", async () => {
  const receiver = await startReceiver({ fail: 1 });
  const waiting = receiver.waitFor((deliveries) => deliveries.length === 2);
  await post(receiver.url, 'dlv_1');
  await post(receiver.url, 'dlv_1');
  expect((await waiting).map(({ attempt, answered }) => [attempt, answered])).toEqual([
    [1, 500],
    [2, 200],
  ]);
  await receiver.waitFor((deliveries) => deliveries.length === 2);
});

test("The test receiver's waitFor fails at its deadline and says what had arrived", async () => {
  const receiver = await startReceiver();
  await post(receiver.url, 'dlv_1');
  await expect(receiver.waitFor((deliveries) => deliveries.length === 2, 1)).rejects.toThrow(
    'Not within 1 ms. Arrived: booking.created attempt 1: 200.',
  );
});
