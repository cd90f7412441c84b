/** The owners that the claims of a token authenticate (docs/rules.md#owners). */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../core/clients.ts';
import { ownerAccess } from '../../../../core/http/access/owner.ts';
import type { LambdaHandler } from '../../../../core/http/context.ts';
import { serve } from '../../../../core/http/serve.ts';
import { log } from '../../../../core/log.ts';
import { inSandbox } from '../../../../core/mode.ts';
import { httpEvent, lambdaContext } from '../../../support/http.ts';

const table = mockClient(dynamo());

beforeEach(() => {
  vi.stubEnv('TABLE_KEYS', 'keys');
  table.reset();
  table.on(UpdateCommand).resolves({ Attributes: { pk: 'owner' } });
});

const handler: LambdaHandler = serve('GET /', ownerAccess(), async ({ state }) => ({
  statusCode: 200,
  body: JSON.stringify(state.principal),
}));

async function send(authorizer: object | undefined, headers: Record<string, string> = {}) {
  const event = httpEvent({ headers });
  Object.assign(event.requestContext, authorizer && { authorizer });
  const { statusCode, body = '{}' } = await handler(event, lambdaContext);
  return { status: statusCode, json: JSON.parse(body) as Record<string, unknown> };
}
const claiming = (claims: object, headers?: Record<string, string>) => send({ jwt: { claims } }, headers);
const business = { 'custom:businessId': '7' };

test.each<[string, object, object?]>([
  ['only the business', {}],
  ['the business and the owner', { sub: 'u-1' }, { subject: 'u-1' }],
  [
    'the business, the owner and an email address',
    { sub: 'u-1', email: 'a@example.com' },
    { subject: 'u-1', email: 'a@example.com' },
  ],
  ['the business and an email address that is not text', { email: 5 }],
  [
    'a business and the longest subject that OpenID Connect allows',
    { sub: 'x'.repeat(255) },
    { subject: 'x'.repeat(255) },
  ],
])('The token of an owner is accepted when its claims name %s', async (_, claims, more = {}) => {
  const actor = { kind: 'owner', role: 'owner', subject: '', ...more };
  expect(await claiming({ ...business, ...claims })).toEqual({ status: 200, json: { tenantId: 7, actor } });
});

/** The last text names a sandbox, which can only be reached through its business. */
const wrongIds = ['', '0', '-1', '1e3', '7 ', 'x7', '7x', '07', '9007199254740993', String(inSandbox(7))];
test.each<[string, object | undefined]>([
  ['another kind of authorizer has checked it', {}],
  ['its token has no claims', { jwt: {} }],
  ['its token has a subject that is too long', { jwt: { claims: { ...business, sub: 'x'.repeat(256) } } }],
  ...[...wrongIds, 7, null].map((id): [string, object] => [
    `its token has the business id ${JSON.stringify(id)}`,
    { jwt: { claims: { 'custom:businessId': id } } },
  ]),
])('A request of an owner is refused if its token names no valid business or owner (%s)', async (_, authorizer) => {
  expect(await send(authorizer)).toMatchObject({ json: { code: 'business_claim_missing' } });
  expect(table.calls()).toHaveLength(0);
});

test('An owner selects live or test mode with the request header Booking-Mode', async () => {
  const side = async (mode: string) => (await claiming(business, { 'booking-mode': mode })).json;
  expect([await side('live'), await side('test')]).toMatchObject([{ tenantId: 7 }, { tenantId: inSandbox(7) }]);
});

test("The log lines of an owner's request contain the ids of the business and the owner", async () => {
  const named = vi.spyOn(log, 'appendKeys');
  await claiming({ ...business, sub: 'u-1' });
  expect(Object.assign({}, ...named.mock.calls.flat())).toMatchObject({ tenantId: 7, subject: 'u-1' });
});

test.each([
  [
    'with a stored role has the rights of this role',
    { role: 'desk' },
    { tenantId: 7, actor: { kind: 'owner', role: 'desk', subject: 'u-1' } },
  ],
  [
    'who was removed from the team is refused',
    {},
    expect.objectContaining({ code: 'role_not_allowed', message: 'You are no longer in the team of this business.' }),
  ],
])('The stored role of a colleague counts, not the role in the token (a colleague %s)', async (_, item, expected) => {
  table.on(UpdateCommand).resolves({ Attributes: { pk: 'owner', ...item } });
  expect((await claiming({ ...business, sub: 'u-1', 'custom:team': '1', 'custom:role': 'owner' })).json).toEqual(
    expected,
  );
});
