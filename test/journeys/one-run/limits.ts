import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { type Journeys, newTenant } from '../../support/local.ts';

export const limits: Journeys = (local) =>
  describe('limits', () => {
    test('Of 500 concurrent requests in one minute exactly 60 succeed, and every answer shows the limits', async () => {
      const tenant = await newTenant(local());
      const answers = await Promise.all(Array.from({ length: 500 }, () => tenant.call('GET', '/business')));
      // Windows are clock minutes (docs/rules.md#limits). Should the minute end during the test, each window admits its own
      // sixty.
      const windows = Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset'));
      const passed = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 429);
      expect(passed.length + refused.length).toBe(500);
      for (const ofWindow of windows.values()) {
        const remaining = ofWindow
          .filter(({ status }) => status === 200)
          .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
        const admitted = Math.min(60, ofWindow.length);
        expect(remaining.toSorted((x, y) => y - x)).toEqual(Array.from({ length: admitted }, (_, i) => 59 - i));
      }
      for (const { headers } of answers) {
        expect(headers.get('x-ratelimit-limit')).toBe('60');
        expect(headers.get('x-request-id')).toBeTruthy();
      }
      for (const { headers, body } of refused) {
        expect(body).toMatchObject({ statusCode: 429, code: 'rate_limit_exceeded', error: 'Too Many Requests' });
        expect(Number(headers.get('retry-after'))).toBe((body as { retryAfter: number }).retryAfter);
      }
    }, 120_000);

    describe('Of 50 concurrent bookings of one slot', () => {
      test('Of 50 concurrent bookings of one slot exactly one succeeds, and the others get alternatives', async () => {
        const tenant = await newTenant(local());
        const staffId = tenant.staff[0]?.id;
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            tenant.call<Booking & { code?: string; details?: { nextAvailable: string[] } }>('POST', '/bookings', {
              ...tenant.booking(),
              staffId,
              client: { name: `Client ${n}`, email: `client${n}@example.com` },
            }),
          ),
        );
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
        const lost = answers.filter(({ status }) => status === 409);
        expect(lost).toHaveLength(49);
        for (const { body } of lost) {
          expect(body.code).toBe('slot_unavailable');
          expect(body.details?.nextAvailable).toHaveLength(3);
        }
      }, 120_000);
    });
  });
