/** Who is signed in (docs/rules.md#owners). */
import { expect, test } from 'vitest';
import { newId } from '../../../core/clock.ts';
import { invoke } from '../../support/account.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test('An owner reads who they are, of which business, and in which mode', async () => {
  const { tenant } = await fixture.tenant();
  const { id, name } = tenant.business;
  const claims = { sub: 'subject', email: 'owner@example.com', 'custom:businessId': String(id) };
  expect((await invoke('getMe', claims)).json).toEqual({
    subject: 'subject',
    email: 'owner@example.com',
    mode: 'live',
    business: { id, name },
  });
  const inTestMode = await invoke('getMe', claims, { headers: { 'booking-mode': 'test' } });
  expect(inTestMode.json).toMatchObject({ mode: 'test', business: null });
});

test('An owner without an email in the token, and without a business yet, gets an answer that shows both', async () => {
  const { status, json } = await invoke('getMe', { sub: 'subject', 'custom:businessId': String(newId()) });
  expect([status, json]).toEqual([200, { subject: 'subject', email: null, mode: 'live', business: null }]);
});
