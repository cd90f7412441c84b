/** Repeats the checks of test/core/bookings/privacy.test.ts on the running bundles. */
import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { scopeSets } from '../../../contract/scopes.ts';
import { type Journeys, newTenant } from '../../support/local.ts';

export const privacy: Journeys = (local) =>
  describe('privacy', () => {
    test('A booking widget books, moves and cancels without ever receiving personal data', async () => {
      const tenant = await newTenant(local());
      const widget = await tenant.newKey({ scopes: scopeSets.booking_widget });
      const person = { name: 'Seeded Name', email: 'seeded@example.com', phone: '+37120007777' };
      const asked = { ...tenant.booking(), client: person, comment: 'seeded comment' };
      const { body: known } = await tenant.call<Booking>('POST', '/bookings', asked);
      expect(known).toMatchObject({ client: person, comment: 'seeded comment' });

      const by = <T = Booking>(path: string, body: object) => tenant.call<T>('POST', path, body, widget);
      const { staffId, serviceId, startTime, clientId } = known;
      const day = startTime.slice(0, 10);
      const slots = await tenant.call<{ data: { startTime: string }[] }>(
        'GET',
        `/slots?serviceId=${serviceId}&staffId=${staffId}&from=${day}&to=${day}`,
        undefined,
        widget,
      );
      const next = slots.body.data.at(-1)?.startTime;
      const own = { name: 'Me', phone: '0037120007777', email: null };
      const booked = await by('/bookings', {
        ...{ serviceId, staffId, startTime: next },
        client: { name: own.name, phone: own.phone },
      });
      const answers = [
        booked,
        await by('/bookings', { serviceId, staffId, startTime, clientId }),
        await by(`/bookings/${booked.body.id}/reschedule`, { startTime: slots.body.data.at(-3)?.startTime }),
        await by(`/bookings/${booked.body.id}/cancel`, { reason: 'mine' }),
        await by(`/bookings/${booked.body.id}/cancel`, {}),
        // Another key made these bookings: for this key they do not exist.
        await by(`/bookings/${known.id}/reschedule`, { startTime }),
        await by(`/bookings/${known.id}/cancel`, { reason: 'mine' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 403, 200, 200, 200, 404, 404]);
      expect(booked.body).toMatchObject({ client: own, clientId: null });
      expect(answers[3]?.body).toMatchObject({ client: null, clientId: null, comment: null, cancelReason: 'mine' });
      const texts = answers.map(({ body }) => JSON.stringify(body)).join('\n');
      for (const seeded of [...Object.values(person), 'seeded comment', String(clientId)])
        expect(texts).not.toContain(seeded);
    });
  });
