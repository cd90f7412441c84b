/** Ids of other businesses, and webhooks and holds of other API keys, look like unknown ids, in both APIs. */
import { AdminCreateUserCommand, AdminDeleteUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { cognito } from '../../core/clients.ts';
import { newId } from '../../core/clock.ts';
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { log } from '../../core/log.ts';
import { createKey, type SeededKey } from '../../local/seed.ts';
import { callWith, documentedRequest, documentedRows } from '../support/documented-requests.ts';
import { useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

beforeEach(() => {
  // Without a queue, redeliveries are left to the sweeper, which is logged.
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  vi.spyOn(log, 'error').mockReturnValue(undefined);
  vi.stubEnv('USER_POOL', 'pool');
  const pool = mockClient(cognito());
  pool
    .on(AdminCreateUserCommand)
    .callsFake(() => ({ User: { Attributes: [{ Name: 'sub', Value: `sub-${newId()}` }] } }));
  pool.on(AdminDeleteUserCommand).resolves({});
});

const newKey = (tenantId: number) => createKey(fixture.admin, { tenantId });
const newBusiness = async () => newKey((await fixture.business()).tenantId);

test.each(documentedRows.filter(({ path }) => path.includes('/:')))(
  '$title gives the same response to an id of another business as to an unknown id',
  async (row) => {
    const [own, stranger] = [await newBusiness(), await newBusiness()];
    const { params: existing, body } = await documentedRequest(row, own);
    const send = async (as: SeededKey, params = existing) => {
      const { status, text, json } = await callWith(row, as, { params, body });
      return { status, text: text?.replace(String(json.requestId), '') };
    };
    const id = newId();
    const unknown = { id: String(id), deliveryId: deliveryId(id, 1), holdId: 'hld_unknown' };
    const named = Object.entries({ ...existing, ...unknown }).filter(([name]) => name in existing);
    const answer = await send(stranger, Object.fromEntries(named));
    expect(answer.status).toBe(404);
    expect(await send(stranger)).toEqual(answer);
    const isOfOneKey = row.folder === 'api' && /^\/(webhooks|slots)/.test(row.path);
    if (isOfOneKey) expect(await send(await newKey(own.tenantId))).toEqual(answer);
    const found = (await send(own)).status;
    expect(found, 'The example of the row names no existing object: run `npm run docs`').not.toBe(404);
  },
);
