import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { eventMessage, events } from '../../../contract/events.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { revokeKey } from '../../../local/seed.ts';
import type { ReceivedDelivery } from '../../../local/webhook-receiver.ts';
import { deliveryRecords, type Journeys, newTenant, startReceiver } from '../../support/local.ts';

/** Divides the waits of the run that this stands in front of. */
export const timeScale = 60;

export const firstDelivery: Journeys = (local) =>
  describe('a first delivery', () => {
    const names = (deliveries: readonly ReceivedDelivery[]) => deliveries.map(({ event }) => event).toSorted();

    describe('a booking made through the API', () => {
      test('A booking reaches a webhook as booking.created and booking.confirmed, with both signatures', async () => {
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

      test('A booking reaches no webhook of another business or without a subscription to the event', async () => {
        const [tenant, other] = await Promise.all([newTenant(local()), newTenant(local())]);
        const receiver = await startReceiver();
        const subscribed = await tenant.subscribe(receiver.url, ['booking.created']);
        const uninterested = await tenant.subscribe(receiver.url, ['review.created']);
        const foreign = await other.subscribe(receiver.url, ['booking.created']);

        await tenant.call('POST', '/bookings', tenant.booking());
        await receiver.waitFor((deliveries) => deliveries.length >= 1);
        // One step plans an event for all of its webhooks, so what it left out has no record now and never gets one.
        expect(await deliveryRecords(local().admin, subscribed.id)).toHaveLength(1);
        expect(await deliveryRecords(local().admin, uninterested.id)).toEqual([]);
        expect(await deliveryRecords(local().admin, foreign.id)).toEqual([]);
      });
    });

    test('A receiver that fails twice gets the third attempt on time, with the same body and id', async () => {
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
        // Never before its time. That it comes at all is bounded by the deadline above.
        expect(waited).toBeGreaterThanOrEqual(((limits.retryDelaysSeconds[i] ?? 0) * 1_000) / timeScale);
      }
    });

    describe('a revoked key', () => {
      test('A revoked key is refused from the very next request', async () => {
        const tenant = await newTenant(local());
        expect((await tenant.call('GET', '/services')).status).toBe(200);
        await revokeKey(local().admin, tenant.key);
        expect(await tenant.call('GET', '/services')).toMatchObject({ status: 401, body: { code: 'api_key_revoked' } });
      });

      test('The webhooks of a revoked key receive no further event', async () => {
        const tenant = await newTenant(local());
        const [receiver, other] = await Promise.all([startReceiver(), tenant.newKey()]);
        const silenced = await tenant.subscribe(receiver.url, ['booking.created']);
        const live = await tenant.subscribe(receiver.url, ['booking.created'], other);
        await revokeKey(local().admin, tenant.key);

        expect((await tenant.call('POST', '/bookings', tenant.booking(), other)).status).toBe(201);
        await receiver.waitFor((deliveries) => deliveries.length >= 1);
        expect(await deliveryRecords(local().admin, live.id)).toHaveLength(1);
        expect(await deliveryRecords(local().admin, silenced.id)).toEqual([]);
      });
    });
  });
