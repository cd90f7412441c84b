/** Checks, before the measurement, that all contenders deliver the same messages. */
import { deepStrictEqual } from 'node:assert/strict';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../core/clients.ts';
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { deliveries } from '../../core/table-keys.ts';
import { newSecret } from '../../core/webhooks/sender/secret.ts';
import { openReceiver } from '../../local/webhook-receiver.ts';
import { tableName } from '../../test/support/dynamo.ts';
import { type Contender, naiveBody } from './baselines.ts';
import { plan, subscribe } from './planned.ts';

/** Checks that every delivery arrives once, with valid signatures and its own body, and is recorded as a success. */
export async function assertSameDeliveries(contenders: readonly Contender[]): Promise<void> {
  const secret = newSecret();
  const arrived: object[] = [];
  const receiver = await openReceiver({
    port: 0,
    secret,
    onDelivery: ({ deliveryId, signature, standardWebhooks, responseStatus, rawBody }) =>
      arrived.push({ deliveryId, signature, standardWebhooks, responseStatus, body: rawBody.toString() }),
  });
  const webhook = await subscribe(`${receiver.url}/hooks`, secret);
  for (const contender of contenders) {
    arrived.length = 0;
    const planned = await plan([webhook], 4);
    await contender(planned, 2);
    const sorted = arrived.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    const expected = planned
      .map((one) => ({
        deliveryId: deliveryId(one.webhook.id, one.number),
        signature: 'valid',
        standardWebhooks: 'valid',
        responseStatus: 200,
        body: naiveBody(one),
      }))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    deepStrictEqual(sorted, expected);
    for (const { webhook, number } of planned) {
      const { Item } = await dynamo().send(
        new GetCommand({ TableName: tableName('deliveries'), Key: deliveries.record(webhook.id, number) }),
      );
      deepStrictEqual([Item?.deliveryStatus, Item?.responseStatusCode, Item?.attemptNumber], ['success', 200, 1]);
    }
  }
  await receiver.close();
}
