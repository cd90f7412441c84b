/** The response about the signed-in owner (docs/rules.md#owners). */
import { expect, test } from 'vitest';
import { newId } from '../../../core/clock.ts';
import { invoke } from '../../support/account.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test("GET /me shows the signed-in owner, the owner's business, and whether the request is in live or test mode", async () => {
  const { tenant } = await fixture.tenant();
  const { id, name } = tenant.business;
  const claims = { sub: 'subject', email: 'owner@example.com', 'custom:businessId': String(id) };
  expect((await invoke('getMe', claims)).json).toEqual({
    subject: 'subject',
    email: 'owner@example.com',
    role: 'owner',
    staffId: null,
    mode: 'live',
    business: { id, name },
  });
  const inTestMode = await invoke('getMe', claims, { headers: { 'booking-mode': 'test' } });
  expect(inTestMode.json).toMatchObject({ mode: 'test', business: null });
});

test('GET /me succeeds for an owner who has no email address and whose business does not exist yet', async () => {
  const answer = await invoke('getMe', { sub: 'subject', 'custom:businessId': String(newId()) });
  expect(answer).toMatchObject({ status: 200, json: { email: null, role: 'owner', mode: 'live', business: null } });
});
