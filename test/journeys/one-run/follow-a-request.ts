/** One id leads from a response to every attempt to deliver its event (docs/runbooks/follow-a-request.md). */
import { describe, expect, test } from 'vitest';
import { requestIdHeader } from '../../../contract/headers.ts';
import { limits } from '../../../contract/limits.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { itemsIn } from '../../../local/admin.ts';
import type { LogLine } from '../../../packages/local-cloud/src/log.ts';
import { type Journeys, newTenant, startReceiver } from '../../support/local.ts';

/** The divisor of all waiting times in this run. */
export const timeScale = 60;

interface Row {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  readonly trigger: string;
  readonly requestId?: string;
}

export const followARequest: Journeys = (local) =>
  describe('following a request', () => {
    const records = (webhookId: number) =>
      itemsIn(local().admin, 'deliveries', deliveries.log(webhookId)) as Promise<readonly Row[]>;

    /** Finds the log lines with the id, grouped by the function that wrote them, as the saved query does. */
    function linesWith(requestId: string): readonly LogLine[] {
      return local().run.log.lines.filter(({ text }) => text.includes(requestId));
    }

    test('An operator who searches the logs for a request id finds all delivery attempts that this request caused, and no others', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver({ fail: 2 });
      const webhook = await tenant.subscribe(receiver.url, ['booking.created']);
      receiver.trust(webhook.secret);
      const booked = await tenant.call('POST', '/bookings', tenant.booking());
      const requestId = booked.headers.get(requestIdHeader) ?? '';
      expect(requestId).not.toBe('');

      const all = await receiver.waitFor(({ length }) => length >= 3);
      const valid = { signature: 'valid', standardWebhooks: 'valid' };
      expect(all, 'a third attempt after two failures').toMatchObject([
        { ...valid, attempt: 1, responseStatus: 500 },
        { ...valid, attempt: 2, responseStatus: 500 },
        { ...valid, attempt: 3, responseStatus: 200 },
      ]);
      expect(new Set(all.map(({ rawBody }) => rawBody.toString('base64'))).size, 'bodies').toBe(1);
      expect(new Set(all.map(({ headers }) => headers['x-webhook-timestamp'])).size, 'timestamps').toBe(3);
      for (const [i, { receivedAt }] of all.slice(1).entries()) {
        // An attempt is never early. How late it can be depends on the machine.
        const leastMs = ((limits.retryDelaysSeconds[i] ?? 0) * 1_000) / timeScale;
        expect(receivedAt - (all[i]?.receivedAt ?? 0), `wait before attempt ${i + 2}`).toBeGreaterThanOrEqual(leastMs);
      }

      const [arrived] = all;
      await expect.poll(async () => (await records(webhook.id)).length).toBe(3);
      for (const row of await records(webhook.id))
        expect(row).toMatchObject({ requestId, deliveryId: arrived?.deliveryId });

      await expect
        .poll(() => linesWith(requestId).map(({ functionName }) => functionName))
        .toEqual(
          expect.arrayContaining([
            expect.stringContaining('plan-deliveries-events'),
            expect.stringContaining('deliver-webhook-deliveries'),
            expect.stringContaining('deliver-webhook-retries'),
          ]),
        );
      const attempts = linesWith(requestId).flatMap(({ text }) => JSON.parse(text).attempts ?? []);
      expect(attempts).toContainEqual(
        expect.objectContaining({ requestId, deliveryId: arrived?.deliveryId, attempt: 1, errorCode: 'http_status' }),
      );

      const detail = await tenant.call<{ attempts: { requestId: string }[] }>(
        'GET',
        `/webhooks/${webhook.id}/deliveries/${arrived?.deliveryId}`,
      );
      expect(detail.body.attempts).toHaveLength(3);
      for (const attempt of detail.body.attempts) expect(attempt).toMatchObject({ requestId });

      const other = await tenant.call('GET', '/services');
      expect(linesWith(other.headers.get(requestIdHeader) ?? 'none')).toEqual([]);
    });

    test('The delivery record of a ping or a manual redelivery contains the id of the API request that caused the delivery', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver();
      const webhook = await tenant.subscribe(receiver.url, ['booking.created']);
      await tenant.call('POST', '/bookings', tenant.booking());
      const [arrived] = await receiver.waitFor((all) => all.length >= 1);
      const path = `/webhooks/${webhook.id}/deliveries/${arrived?.deliveryId}/redeliver`;
      await expect.poll(async () => (await tenant.call('POST', path)).status).toBe(202);
      await receiver.waitFor((all) => all.length >= 2);
      const ping = await tenant.call('POST', `/webhooks/${webhook.id}/ping`);

      const ids = new Map((await records(webhook.id)).map(({ trigger, requestId }) => [trigger, requestId]));
      expect(new Set(ids.values()).size).toBe(3);
      expect([...ids.values()]).not.toContain(undefined);
      expect(ids.get('ping')).toBe(ping.headers.get(requestIdHeader));
    });
  });
