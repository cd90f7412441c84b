import { describe, expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { type Journeys, newTenant, startReceiver } from '../../support/local.ts';

/** The divisor of all waiting times in this run. */
export const timeScale = 60;

export const firstDelivery: Journeys = (local) =>
  describe('a first delivery', () => {
    test('A webhook receiver that fails twice gets a third attempt, not too early, with the same body as the first', async () => {
      const tenant = await newTenant(local());
      const receiver = await startReceiver({ fail: 2 });
      const { secret } = await tenant.subscribe(receiver.url, ['booking.created']);
      receiver.trust(secret);
      await tenant.call('POST', '/bookings', tenant.booking());

      const arrived = await receiver.waitFor((deliveries) => deliveries.length >= 3);
      expect(
        arrived.map(({ attempt, signature, standardWebhooks, responseStatus }) => [
          attempt,
          signature,
          standardWebhooks,
          responseStatus,
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
        // An attempt is never early. How late it can be depends on the machine.
        expect(waited).toBeGreaterThanOrEqual(((limits.retryDelaysSeconds[i] ?? 0) * 1_000) / timeScale);
      }
    });
  });
