/** An owner in a browser: signs in with code and PKCE, works in test mode, sees none of it in live mode, signs out. */
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { appOf, openBrowser, signInAs } from '../../support/browser.ts';
import { command } from '../../support/command.ts';
import { type Journeys, newTenant, startReceiver } from '../../support/local.ts';
import { ownerWith } from '../../support/owner.ts';

export const signIn: Journeys = (local) =>
  describe('an owner in a browser', () => {
    async function invited() {
      const tenant = await newTenant(local());
      const email = `owner.${tenant.business.id}@example.com`;
      local().run.owners?.invite({ tenantId: tenant.business.id, email, name: 'Marta <Owner>' });
      return { tenant, email };
    }

    test('An owner signs in with a browser, creates a test key, triggers an event and sees its delivery', async () => {
      const { run } = local();
      const { tenant, email } = await invited();
      const app = appOf(run);
      const browser = openBrowser();
      const { id_token: token = '' } = await signInAs(email, app, browser);

      const [live, sandbox] = [ownerWith(local(), token), ownerWith(local(), token, 'test')];

      expect(await live.done('GET', '/me')).toMatchObject({
        email,
        mode: 'live',
        business: { id: tenant.business.id },
      });
      const services = await live.done<{ total: number }>('GET', '/services');
      expect(services.total).toBe(tenant.services.length);

      const key = await sandbox.done<{ id: number; key: string }>('POST', '/api-keys', {
        name: 'CI',
        scopeSet: 'full_crm',
      });
      expect(key.key).toMatch(/^bk_test_/);
      expect(await sandbox.done('GET', '/me')).toMatchObject({
        mode: 'test',
        business: { name: tenant.business.name },
      });
      const receiver = await startReceiver();
      const { id: webhookId, secret } = await tenant
        .call<{ id: number; secret: string }>(
          'POST',
          '/webhooks',
          { targetUrl: receiver.url, events: ['booking.completed'] },
          { ...tenant.key, value: key.key },
        )
        .then(({ body }) => body);
      receiver.trust(secret);

      const { made } = await sandbox.done<{ made: { bookingId: number } }>('POST', '/sandbox/trigger', {
        event: 'booking.completed',
      });
      const [delivery] = await receiver.waitFor((deliveries) => deliveries.length === 1);
      expect(delivery).toMatchObject({ event: 'booking.completed', signature: 'valid' });
      expect(delivery?.headers['x-webhook-mode']).toBe('test');
      expect(JSON.parse(delivery?.rawBody.toString() ?? '')).toMatchObject({ data: { bookingId: made.bookingId } });

      const seen = { data: [{ deliveryStatus: 'success', webhookId }] };
      const deliveries = () => sandbox.done('GET', '/deliveries');
      await expect.poll(deliveries, { interval: 250 }).toMatchObject(seen);
    });

    test('`npm run trigger` signs in to a local run without a prompt and raises the requested event', async () => {
      await invited();
      const { code, stdout, stderr } = await command('bin/trigger.ts', [
        'booking.completed',
        '--url',
        local().run.baseUrl,
      ]).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ event: 'booking.completed', made: { bookingId: expect.any(Number) } });

      const wrong = await command('bin/trigger.ts', ['booking.finished']).ended;
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain("'booking.finished' is not an event");
      const nobody = await command('bin/trigger.ts', ['booking.completed', '--url', 'http://127.0.0.1:9']).ended;
      expect(nobody.code).toBe(1);
      expect(nobody.stderr).toContain('No local run answers at http://127.0.0.1:9');
    });

    describe('signing in', () => {
      test('A signed-in browser needs no second sign-in until it signs out, and each refresh token is replaced when it is used', async () => {
        const { email } = await invited();
        const app = appOf(local().run);
        const browser = openBrowser();
        const signedIn = await signInAs(email, app, browser);
        expect(signedIn.profile).toMatchObject({ email, name: 'Marta <Owner>' });
        const refreshed = await app.useRefreshToken({
          state: { ...signedIn, data: undefined, profile: signedIn.profile } as never,
        });
        expect(refreshed.refresh_token).not.toBe(signedIn.refresh_token);
        expect(decodeJwt(refreshed.id_token ?? '')).toMatchObject({ email, 'custom:businessId': expect.any(String) });

        // The browser has a session now, so no form is shown.
        const { url } = await app.createSigninRequest({});
        const again = await browser.go(url);
        expect(again.status).toBe(302);
        expect((await app.processSigninResponse(again.headers.get('location') ?? '')).profile).toMatchObject({ email });

        const { url: out } = await app.createSignoutRequest({
          extraQueryParams: { client_id: app.settings.client_id, logout_uri: `${local().run.baseUrl}/` },
        });
        expect((await browser.go(out)).headers.get('location')).toBe(`${local().run.baseUrl}/`);
        const { url: afterwards } = await app.createSigninRequest({});
        expect((await browser.go(afterwards)).status).toBe(200);
      });

      test('A token is issued only if authorization code, PKCE verifier, redirect address and client all match the sign-in', async () => {
        const { email } = await invited();
        const { run } = local();
        const app = appOf(run);
        const token = async (change: Readonly<Record<string, string>>) => {
          const browser = openBrowser();
          await signInAs(email, app, browser);
          const { url, state } = await app.createSigninRequest({});
          const redirected = await browser.go(url);
          const code = new URL(redirected.headers.get('location') ?? '').searchParams.get('code') ?? '';
          const right = {
            grant_type: 'authorization_code',
            client_id: app.settings.client_id,
            redirect_uri: app.settings.redirect_uri,
            code_verifier: (state as unknown as { code_verifier: string }).code_verifier,
            code,
          };
          const send = () =>
            fetch(`${run.owners?.issuer}/oauth2/token`, {
              method: 'POST',
              body: new URLSearchParams({ ...right, ...change }),
            });
          return [(await send()).status, (await send()).status];
        };
        // The second time, the code is used up.
        expect(await token({})).toEqual([200, 400]);
        for (const wrong of [
          { code_verifier: 'x'.repeat(64) },
          { redirect_uri: `${run.baseUrl}/elsewhere` },
          { client_id: 'another' },
          { code: 'made-up' },
          { grant_type: 'password' },
        ]) {
          expect((await token(wrong))[0], JSON.stringify(wrong)).toBe(400);
        }
      });

      test.each([
        ['a redirect address that is not registered for the app', { redirect_uri: 'https://evil.example/signed-in' }],
        ['an unknown app', { client_id: 'another' }],
      ])('A sign-in request with %s gets 400 and is not redirected', async (_, change) => {
        const { url } = await appOf(local().run).createSigninRequest({});
        const changed = new URL(url);
        for (const [name, value] of Object.entries(change)) changed.searchParams.set(name, value);
        const answer = await openBrowser().go(changed.href);
        expect(answer.status).toBe(400);
        expect(answer.headers.get('location')).toBeNull();
      });

      test('A sign-in request without a PKCE challenge is refused', async () => {
        const { url } = await appOf(local().run).createSigninRequest({});
        const changed = new URL(url);
        changed.searchParams.delete('code_challenge');
        const location = (await openBrowser().go(changed.href)).headers.get('location') ?? '';
        expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
      });
    });
  });
