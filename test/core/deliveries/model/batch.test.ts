import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { sqs } from '../../../../core/clients.ts';
import { type DeliveryRef, parseDeliveryBatch, sendDeliveries } from '../../../../core/deliveries/model/batch.ts';

const ref = (number: number): DeliveryRef => ({ tenantId: 1, keyId: 2, webhookId: 3, number, attempt: 1, dueAt: 5 });

test('Deliveries of one business with the same delay share queue messages of at most ten deliveries', async () => {
  process.env.QUEUE_RETRIES = 'https://sqs.test/retries';
  const queue = mockClient(sqs());
  queue
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries }: { Entries: { Id: string }[] }) => ({ Successful: Entries.map(({ Id }) => ({ Id })) }));
  const alike = (count: number, tenantId: number, delaySeconds: number) =>
    Array.from({ length: count }, (_, i) => ({ ref: { ...ref(i + 1), tenantId }, delaySeconds }));
  const outgoing = [...alike(23, 1, 0), ...alike(2, 2, 0), ...alike(1, 2, 60), ...alike(3, 1, 60)];
  expect(await sendDeliveries('retries', outgoing)).toEqual(new Set(outgoing));
  const entries = queue.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
  expect(entries.map((one) => [one.MessageGroupId, one.DelaySeconds])).toEqual([
    ...Array(3).fill(['1', 0]),
    ['2', 0],
    ['2', 60],
    ['1', 60],
  ]);
  const batches = entries.map(({ MessageBody }) => parseDeliveryBatch(MessageBody ?? ''));
  expect(batches.map(({ length }) => length)).toEqual([10, 10, 3, 2, 1, 3]);
  expect(batches.flat()).toEqual(outgoing.map((one) => one.ref));
});

const batch = ({ tenantId, ...named }: DeliveryRef) => ({ tenantId, deliveries: [named] });

test('A queue message that does not contain a business and a list of valid deliveries is refused', () => {
  const good = ref(1);
  expect(parseDeliveryBatch(JSON.stringify(batch(good)))).toEqual([good]);
  const bad = [
    { ...good, attempt: 0 },
    { ...good, number: '1' },
    { ...good, webhookId: 1.5 },
    { ...good, keyId: null },
  ];
  const none = [{}, [], null, 1, { tenantId: 1, deliveries: [] }, { ...batch(good), tenantId: 0 }, { deliveries: 1 }];
  for (const body of [...none, ...bad, ...bad.map((one) => batch(one as DeliveryRef))]) {
    expect(() => parseDeliveryBatch(JSON.stringify(body)), JSON.stringify(body)).toThrow();
  }
});
