import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { eventMessage, events } from '../../../contract/events.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import type { ReceivedDelivery } from '../../../local/webhook-receiver.ts';
import { type Journeys, newTenant, startReceiver } from '../../support/local.ts';

/** The divisor of all waiting times in this run. */
export const timeScale = 60;

export const firstDelivery: Journeys = (local) =>
  describe('a first delivery', () => {
    const names = (deliveries: readonly ReceivedDelivery[]) => deliveries.map(({ event }) => event).toSorted();

    describe('a booking made through the API', () => {
      test('A booking reaches a webhook as booking.created and booking.confirmed, each with both signatures', async () => {
        const tenant = await newTenant(local());
        const receiver = await startReceiver();
        const { secret } = await tenant.subscribe(receiver.url, ['booking.created', 'booking.confirmed']);
        const { status, body: booking } = await tenant.call<Booking>('POST', '/bookings', tenant.booking());
        expect({ status, booking }).toMatchObject({ status: 201 });

        const arrived = await receiver.waitFor((deliveries) => deliveries.length >= 2);
        expect(names(arrived)).toEqual(['booking.confirmed', 'booking.created']);
        for (const { event, deliveryId, headers, rawBody } of arrived) {
          const text = rawBody.toString();
          expect(await verify(secret, text, String(headers['x-webhook-signature']))).toBe(true);
          const message = new Webhook(secret).verify(text, headers as Record<string, string>);
          const schema = eventMessage(event, events[event as 'booking.created' | 'booking.confirmed'].data);
          expect(z.safeParse(schema, message).error).toBeUndefined();
          expect(message).toMatchObject({
            id: deliveryId,
            event,
            apiVersion: '1.0',
            data: {
              bookingId: booking.id,
              status: 'confirmed',
              startTime: booking.startTime,
              staffName: booking.staffName,
            },
          });
          expect(headers['content-type']).toBe('application/json');
        }
        expect(new Set(arrived.map(({ deliveryId }) => deliveryId)).size).toBe(2);
      });
    });

    test('A receiver that fails twice gets the third attempt on time, with the same body and message id', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver({ fail: 2 });
      const { secret } = await tenant.subscribe(receiver.url, ['booking.created']);
      receiver.trust(secret);
      await tenant.call('POST', '/bookings', tenant.booking());

      const arrived = await receiver.waitFor((deliveries) => deliveries.length >= 3, 25_000);
      expect(
        arrived.map(({ attempt, signature, standardWebhooks, answered }) => [
          attempt,
          signature,
          standardWebhooks,
          answered,
        ]),
      ).toEqual([
        [1, 'valid', 'valid', 500],
        [2, 'valid', 'valid', 500],
        [3, 'valid', 'valid', 200],
      ]);
      expect(new Set(arrived.map(({ rawBody }) => rawBody.toString('base64'))).size).toBe(1);
      expect(new Set(arrived.map(({ headers }) => headers['x-webhook-timestamp'])).size).toBe(3);

      const waits = arrived.slice(1).map(({ receivedAt }, i) => receivedAt - (arrived[i]?.receivedAt ?? 0));
      for (const [i, waited] of waits.entries()) {
        // An attempt is never early. The deadline above limits how late it can be.
        expect(waited).toBeGreaterThanOrEqual(((limits.retryDelaysSeconds[i] ?? 0) * 1_000) / timeScale);
      }
    });
  });
