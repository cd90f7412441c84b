/** Ping, redelivery and recovery through the API, the queues and the policies of the whole system. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { type Journeys, newTenant, startReceiver } from '../../support/local.ts';

interface Page {
  readonly data: DeliveryRecord[];
  readonly total: number;
}

export const recovery: Journeys = (local) =>
  describe('redelivery', () => {
    /** Reads past the API, and so past its limits, until its attempt is recorded as a success. */
    async function recorded(webhookId: number, number: number): Promise<void> {
      const { db, table } = local().admin;
      for (let success = false; !success; ) {
        const { Item } = await db.send(
          new GetCommand({
            TableName: table('deliveries'),
            Key: deliveries.record(webhookId, number),
            ConsistentRead: true,
          }),
        );
        success = Item?.deliveryStatus === 'success';
      }
    }

    test('The list of deliveries shows a ping, a delivery, its redelivery and a recovery, newest first', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver();
      const { id, secret } = await tenant.subscribe(receiver.url, ['booking.created']);
      receiver.trust(secret);

      const ping = await tenant.call('POST', `/webhooks/${id}/ping`);
      expect(ping).toMatchObject({
        status: 200,
        body: {
          success: true,
          responseStatusCode: 200,
          errorMessage: null,
          deliveryId: expect.stringMatching(/^dlv_/),
        },
      });

      expect((await tenant.call('POST', '/bookings', tenant.booking())).status).toBe(201);
      await receiver.waitFor((all) => all.some(({ event }) => event === 'booking.created'));
      const log = async () => (await tenant.call<Page>('GET', `/webhooks/${id}/deliveries`)).body;
      await recorded(id, 2);
      const { data } = await log();
      const deliveryId = data[0]?.deliveryId ?? '';

      const again = await tenant.call<DeliveryRecord>('POST', `/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
      expect(again).toMatchObject({
        status: 202,
        body: { id: 3, deliveryId, attemptNumber: 2, trigger: 'manual', deliveryStatus: 'pending' },
      });
      const arrived = await receiver.waitFor((all) => all.length >= 3);
      const [first, second] = arrived.filter((one) => one.deliveryId === deliveryId);
      expect(second?.rawBody).toEqual(first?.rawBody);

      await recorded(id, 3);
      const { data: rows, total } = await log();
      expect(total).toBe(3);
      expect(rows.map(({ id: number, trigger, deliveryStatus }) => [number, trigger, deliveryStatus])).toEqual([
        [3, 'manual', 'success'],
        [2, 'scheduled', 'success'],
        [1, 'ping', 'success'],
      ]);

      const since = new Date(Date.now() - 3_600_000).toISOString();
      expect(await tenant.call('POST', `/webhooks/${id}/recover`, { since })).toMatchObject({
        status: 202,
        body: { matched: 0 },
      });
    });
  });
