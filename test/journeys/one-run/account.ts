import { Ajv2020 } from 'ajv/dist/2020.js';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { accountPrefix } from '../../../contract/account/api.ts';
import { eventNames } from '../../../contract/events.ts';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import { newId } from '../../../core/clock.ts';
import { callJson } from '../../../local/call-json.ts';
import { alwaysOpen as weekly } from '../../support/always-open.ts';
import { inDays, type Journeys, startReceiver } from '../../support/local.ts';
import { ownerOf, ownerWith } from '../../support/owner.ts';

export const account: Journeys = (local) =>
  describe('the account API', () => {
    test('An owner can set up a business through the account API alone, and its webhook then receives every event once', async () => {
      const { run } = local();
      const owner = await ownerOf({ run }, newId());
      await owner.done('PATCH', '/business', {
        name: 'Salon',
        timeZone: 'UTC',
        currency: 'EUR',
        workingHours: weekly,
        bookingRules: { minNoticeMinutes: 0, confirmation: 'manual' },
      });
      const member = await owner.done('POST', '/staff', { name: 'Anna' });
      const newService = { durationMinutes: 30, price: { amount: 4_500, currency: 'EUR' }, staffIds: [member.id] };
      const service = await owner.done('POST', '/services', { name: 'Haircut', ...newService });
      const other = await owner.done('POST', '/services', { name: 'Shave', ...newService });
      await owner.done('PATCH', `/staff/${member.id}/schedule`, { exceptions: { '2030-01-01': weekly.monday } });

      const created = await owner.done<{ id: number; key: string }>('POST', '/api-keys', {
        name: 'CRM',
        scopeSet: 'full_crm',
      });
      const integrator = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
        const headers = { 'X-API-Key': created.key };
        const response = await callJson<T>(method, `${run.baseUrl}${integrationPrefix}${path}`, { headers, body });
        expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
        return response.body;
      };
      const receiver = await startReceiver();
      const types = await integrator<{ data: { name: string; schema: object }[] }>('GET', '/webhooks/events');
      const { secret, id: webhookId } = await integrator<{ secret: string; id: number }>('POST', '/webhooks', {
        targetUrl: receiver.url,
        events: types.data.map(({ name }) => name),
      });
      receiver.trust(secret);

      // This fails if the function lacks a permission for the changes of an event.
      const inSandbox = ownerWith({ run }, owner.token, 'test');
      for (const event of eventNames) await inSandbox.done('POST', '/sandbox/trigger', { event });

      const day = inDays(2);
      const slots = await integrator<{ data: { startTime: string }[] }>(
        'GET',
        `/slots?serviceId=${service.id}&from=${day}&to=${day}`,
      );
      const start = (n: number) => slots.data[n]?.startTime ?? '';

      await owner.done('PATCH', `/services/${service.id}`, { description: 'Wash and cut' });
      await owner.done('DELETE', `/services/${other.id}`);
      await owner.done('PATCH', `/staff/${member.id}/schedule`, { exceptions: { '2030-01-01': null } });
      const visit = await integrator<{ id: number; clientId: number; status: string }>('POST', '/bookings', {
        serviceId: service.id,
        startTime: start(0),
        client: { name: 'Jane', email: 'jane@example.com' },
      });
      expect(visit.status).toBe('pending');
      await owner.done('POST', `/bookings/${visit.id}/confirm`);
      await owner.done('POST', `/bookings/${visit.id}/reschedule`, { startTime: start(4) });
      await owner.done('POST', `/bookings/${visit.id}/complete`);
      await owner.done('PATCH', `/clients/${visit.clientId}`, { phone: '+371 2000 0000' });
      await owner.done('POST', '/reviews', { bookingId: visit.id, rating: 5 });
      const payment = await owner.done('POST', '/payments', { bookingId: visit.id, amount: 4_500, method: 'card' });
      await owner.done('POST', `/payments/${payment.id}/refunds`, { amount: 500 });
      const missed = await owner.done('POST', '/bookings', {
        serviceId: service.id,
        startTime: start(8),
        clientId: visit.clientId,
      });
      await owner.done('POST', `/bookings/${missed.id}/confirm`);
      await owner.done('POST', `/bookings/${missed.id}/no-show`);
      const called = await owner.done('POST', '/bookings', {
        serviceId: service.id,
        startTime: start(12),
        clientId: visit.clientId,
      });
      await owner.done('POST', `/bookings/${called.id}/cancel`);

      const expected = [...eventNames, 'booking.created', 'booking.created', 'booking.confirmed'].sort();
      const arrived = await receiver.waitFor((deliveries) => deliveries.length >= expected.length);
      expect(arrived.map(({ event }) => event).sort()).toEqual(expected);
      expect(new Set(arrived.map(({ deliveryId }) => deliveryId)).size).toBe(expected.length);
      expect(new Set(arrived.map(({ signature }) => signature))).toEqual(new Set(['valid']));

      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      for (const { event, rawBody } of arrived) {
        const { schema = {} } = types.data.find(({ name }) => name === event) ?? {};
        expect(ajv.validate(schema, JSON.parse(rawBody.toString())), `${event}: ${ajv.errorsText()}`).toBe(true);
      }

      const seen = await owner.done<{ data: { id: number; apiKeyId: number }[] }>('GET', '/webhooks');
      expect(seen.data).toMatchObject([{ id: webhookId, apiKeyId: created.id }]);
      const records = await owner.done<{ total: number }>('GET', `/webhooks/${webhookId}/deliveries`);
      expect(records.total).toBe(expected.length);
    });

    describe('owner tokens', () => {
      const send = (token: string) =>
        fetch(`${local().run.baseUrl}${accountPrefix}/api-keys`, { headers: { Authorization: `Bearer ${token}` } });

      const owners = () => {
        const { owners } = local().run;
        if (!owners) throw new Error('The local run issues no tokens.');
        return owners;
      };
      const claims = () => ({
        iss: owners().issuer,
        aud: owners().audience,
        sub: 'owner',
        'custom:businessId': '7',
        exp: Math.floor(Date.now() / 1_000) + 600,
      });

      test('The account API accepts a valid token of an owner', async () => {
        expect((await send(await owners().sign(claims()))).status).toBe(200);
      });

      test.each([
        ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 60 }],
        ['without an expiry time', { exp: undefined }],
        ['for another audience', { aud: 'another-audience' }],
        ['of another issuer', { iss: 'https://issuer.example' }],
        ['that is not valid yet', { nbf: Math.floor(Date.now() / 1_000) + 3_600 }],
      ])("The account API refuses an owner's token %s", async (_, changes) => {
        const response = await send(await owners().sign(JSON.parse(JSON.stringify({ ...claims(), ...changes }))));
        expect(response.status).toBe(401);
        expect(await response.json()).toEqual({ message: 'Unauthorized' });
      });

      test("The account API refuses an owner's token that is unsigned or signed by another issuer", async () => {
        const { privateKey } = await generateKeyPair('RS256');
        const foreign = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'local' }).sign(privateKey);
        const shared = await new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: 'local' })
          .sign(new TextEncoder().encode('secret-secret-secret-secret-secret'));
        const tokens = [new UnsecuredJWT(claims()).encode(), foreign, shared, 'not.a.token', ''];
        for (const token of tokens) expect((await send(token)).status, token).toBe(401);
      });
    });
  });
