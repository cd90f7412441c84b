/** The permissions of roles (docs/rules.md#roles), and changes to the team of a business. */
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { accountPrefix, accountRoutes } from '../../../contract/account/api.ts';
import type { Colleague } from '../../../contract/account/resources.ts';
import { listApiKeys } from '../../../contract/account/routes.ts';
import type { AccountRoute } from '../../../contract/define.ts';
import { limits } from '../../../contract/limits.ts';
import { type Role, roles } from '../../../contract/roles.ts';
import { cognito } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { accountEndpoint } from '../../../core/http/endpoint.ts';
import { log } from '../../../core/log.ts';
import { inSandbox } from '../../../core/mode.ts';
import { type AccountOperation, at, invoke, withClaims } from '../../support/account.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { httpEvent, lambdaContext, requestTo } from '../../support/http.ts';
import { type Interference, interfering, withoutConditions } from '../../support/interfere.ts';
import { type TestBusiness, testNow, at as time, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const pool = mockClient(cognito());
let subjects = 0;
let one: TestBusiness;

beforeEach(async () => {
  one = await fixture.business();
  vi.stubEnv('USER_POOL', 'pool');
  pool.reset();
  pool.on(AdminCreateUserCommand).callsFake(() => userWith(`colleague-${++subjects}`));
  pool.on(AdminDeleteUserCommand).resolves({});
  for (const level of ['warn', 'error'] as const) vi.spyOn(log, level).mockReturnValue(undefined);
});

const userWith = (sub: string) => ({ User: { Attributes: [{ Name: 'sub', Value: sub }] } });
/** An error of Amazon Cognito. */
const failure = (name: string) => Object.assign(new Error('refused'), { name });

const givesAccess: Interference['when'] = (writes) =>
  writes.some(({ Update }) => String(Update?.Key?.pk).startsWith('OWNER#'));

/** Requests an invitation, by default for the front desk. */
const request = (email: string, more: object = {}) =>
  one.account('inviteColleague', { body: { email, role: 'desk', ...more } });

async function invite(role: Role, staffId?: number) {
  const answer = await request(`Colleague-${subjects}@salon.example`, { role, staffId });
  expect(answer.status).toBe(201);
  const claims = { sub: `colleague-${subjects}`, 'custom:businessId': String(one.tenantId), 'custom:team': '1' };
  return {
    ...(answer.json as unknown as Colleague),
    call: (operation: AccountOperation, sent = {}) => invoke(operation, claims, sent),
    claims,
  };
}

const ofMembers = [
  ...['getMe', 'getBusiness', 'listServices', 'getService', 'listStaff', 'getStaffMember', 'getStaffSchedule'],
  ...['listResources', 'getResource', 'listBusyElsewhere', 'listBookings', 'getBooking'],
  ...['confirmBooking', 'cancelBooking', 'completeBooking', 'markNoShow'],
];

/** The operations that the roles below the owner may call; only the owner may call the rest. */
const allowed: Readonly<Record<Role, readonly string[] | 'all'>> = {
  owner: 'all',
  desk: [
    ...ofMembers,
    ...['listClients', 'getClient', 'createClient', 'updateClient', 'createBooking', 'rescheduleBooking'],
    ...['listSlots', 'explainSlot'],
    ...['listReviews', 'createReview', 'replyToReview', 'listPayments', 'getPaymentTotals', 'getPayment'],
    ...['recordPayment', 'refundPayment', 'getStatistics', 'createManageLink', 'endManageLinks'],
  ],
  member: ofMembers,
};

const actors = [
  ...roles.map((role) => [`a colleague with the role ${role}`, role] as const),
  ['a colleague who was removed from the team', 'removed'] as const,
];

test.each(actors)(
  'Every operation of the account API accepts or refuses a colleague as documented, in live and test mode (%s)',
  async (_, actor) => {
    const role = actor === 'removed' ? 'owner' : actor;
    const colleague = await invite(role, role === 'member' ? one.staffId : undefined);
    if (actor === 'removed') await one.account('removeColleague', at(colleague.id));
    for (const mode of ['live', 'test']) {
      for (const route of accountRoutes) {
        const operation = route.operation as AccountOperation;
        const sent = requestTo(route, { path: accountPrefix + route.path, headers: { 'booking-mode': mode } });
        const { json } = await colleague.call(operation, sent);
        const list = actor === 'removed' ? [] : allowed[actor];
        const isAllowed = list === 'all' || list.includes(operation);
        expect(json.code === 'role_not_allowed', `${operation} for ${actor} in ${mode} mode`).toBe(!isAllowed);
      }
    }
  },
);

test('Negative control: if an operation requires a lower role than documented, a colleague with the role `desk` can call it', async () => {
  const { claims } = await invite('desk');
  const answerOf = async (row: AccountRoute) => {
    const handler = accountEndpoint(row).handler(() => ({ data: [], total: 0 }));
    return (await handler(withClaims(httpEvent(requestTo(row)), claims), lambdaContext)).statusCode;
  };
  expect(await answerOf(listApiKeys)).toBe(403);
  expect(await answerOf({ ...listApiKeys, role: 'desk' })).toBe(200);
});

test('A user with the role `member` who is linked to a staff member can only see and change bookings of that staff member', async () => {
  const [own, other] = one.staff;
  const mine = await one.bookAsOwner(time('10:00', 2), { staffId: own.id });
  const theirs = await one.bookAsOwner(time('14:00', 2), { staffId: other.id });
  const { call } = await invite('member', own.id);
  setRuntime({ now: () => testNow + 60_000 });
  for (const query of ['', `staffId=${own.id}`, 'sort=updatedAt']) {
    const { json } = await call('listBookings', { query });
    expect(json.data, query).toMatchObject([{ id: mine.id }]);
  }
  for (const query of ['', '&sort=updatedAt', `&ids=${mine.id},${theirs.id}`]) {
    const { json } = await call('listBookings', { query: `staffId=${other.id}${query}` });
    expect(json.data, query).toEqual([]);
  }
  setRuntime({ now: () => testNow });
  const changes = ['confirmBooking', 'completeBooking', 'markNoShow', 'cancelBooking'] as const;
  for (const operation of ['getBooking', ...changes] as const) {
    const unknown = await call(operation, at(4_711));
    const foreign = await call(operation, at(theirs.id));
    expect([foreign.status, foreign.json.message], operation).toEqual([404, unknown.json.message]);
  }
  expect((await call('getBooking', at(mine.id))).status).toBe(200);
  expect((await call('cancelBooking', at(mine.id))).json).toMatchObject({ status: 'cancelled', cancelledBy: 'staff' });
  expect((await one.account('getBooking', at(theirs.id))).json).toMatchObject({ status: 'confirmed' });
});

const noStaffId = { statusCode: 400, code: 'validation_failed', details: [{ path: 'staffId' }] };
const tooLong = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`;

test.each([
  ['the role `member` without a staff member', 'a@b.example', { role: 'member' }, noStaffId],
  ['the role `desk` with a staff member', 'a@b.example', { staffId: 1 }, noStaffId],
  [
    'a staff member who does not exist',
    'a@b.example',
    { role: 'member', staffId: 4_711 },
    { statusCode: 404, message: 'There is no such staff member.' },
  ],
  ['an email of 129 characters, which is too long for a Cognito user name', tooLong, {}, { statusCode: 400 }],
])('An invalid invitation to a team is refused, and no email is sent (for %s)', async (_, email, more, refusal) => {
  expect((await request(email, more)).json).toMatchObject(refusal);
  expect(pool.commandCalls(AdminCreateUserCommand)).toEqual([]);
});

test('A new role of a colleague, or their removal from the team, takes effect with their next request', async () => {
  const { id, email, call } = await invite('desk');
  expect((await one.account('listTeam')).json).toMatchObject({
    data: [{ id, email, role: 'desk', staffId: null }],
    total: 1,
  });
  const before = await call('getMe');
  expect(before.json).toMatchObject({ role: 'desk', staffId: null });
  await one.account('updateColleague', { ...at(id), body: { role: 'member', staffId: one.staff[1].id } });
  const after = await call('getMe');
  expect(after.json).toMatchObject({ role: 'member', staffId: one.staff[1].id });
  const left = ({ headers }: typeof after) => Number(headers['x-ratelimit-remaining-day']);
  expect(left(after)).toBe(left(before) - 1);
  expect((await call('getMe', { headers: { 'booking-mode': 'test' } })).json).toMatchObject({
    role: 'member',
    staffId: inSandbox(one.staff[1].id),
  });
  expect((await one.account('removeColleague', at(id))).status).toBe(204);
  expect((await call('getMe')).json).toMatchObject({ code: 'role_not_allowed' });
  expect(pool.commandCalls(AdminDeleteUserCommand)).toHaveLength(1);
  expect((await one.account('listTeam')).json).toEqual({ data: [], total: 0 });
  expect((await one.account('removeColleague', at(id))).status).toBe(404);
});

test('Changing or removing one colleague changes no other colleague', async () => {
  const [first, second, third] = [await invite('desk'), await invite('desk'), await invite('desk')];
  const roleOf = async ({ call }: typeof first) => (await call('getMe')).json.role;
  const listed = async () => (await one.account('listTeam')).json.data;
  await one.account('updateColleague', { ...at(second.id), body: { role: 'owner' } });
  expect(await Promise.all([first, second, third].map(roleOf))).toEqual(['desk', 'owner', 'desk']);
  expect(await listed()).toMatchObject([
    { id: first.id, role: 'desk' },
    { id: second.id, role: 'owner' },
    { id: third.id, role: 'desk' },
  ]);
  await one.account('removeColleague', at(second.id));
  expect(await Promise.all([first, second, third].map(roleOf))).toEqual(['desk', undefined, 'desk']);
  expect(await listed()).toMatchObject([{ id: first.id }, { id: third.id }]);
  expect(pool.commandCalls(AdminDeleteUserCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { UserPoolId: 'pool', Username: second.claims.sub },
  ]);
});

test('An invitation to the email address of a colleague, in lower or upper case, is refused without a second email', async () => {
  const { email } = await invite('desk');
  expect(email).toBe(email.toLowerCase());
  for (const again of [email, email.toUpperCase()]) {
    expect((await request(again, { role: 'owner' })).json).toMatchObject({ code: 'colleague_exists' });
  }
  expect(pool.commandCalls(AdminCreateUserCommand)).toHaveLength(1);
});

test.each<[string, Interference['instead'], number]>([
  ['Of two concurrent invitations to one address the one that commits later is refused', undefined, 409],
  [
    'Negative control: if invitations commit without conditions, two concurrent invitations to one address succeed',
    withoutConditions,
    201,
  ],
])('%s', async (_, instead, status) => {
  pool.on(AdminCreateUserCommand).resolves(userWith('same'));
  const send = () => request('same@salon.example');
  const first = async () => expect((await send()).status).toBe(201);
  expect((await interfering({ when: givesAccess, first, instead }, send)).status).toBe(status);
});

test('An invitation of a colleague creates a Cognito user with the attributes businessId and team, and Cognito sends the email', async () => {
  const { email } = await invite('desk');
  const [call] = pool.commandCalls(AdminCreateUserCommand);
  expect(call?.args[0].input).toEqual({
    ...{ UserPoolId: 'pool', Username: email, DesiredDeliveryMediums: ['EMAIL'] },
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
      { Name: 'custom:businessId', Value: String(one.tenantId) },
      { Name: 'custom:team', Value: '1' },
    ],
  });
});

/** The user of a pool as Cognito returns it. */
const asRead = (all: object) => ({ UserAttributes: Object.entries(all).map(([Name, Value]) => ({ Name, Value })) });

test('If storing an invitation fails, the colleague has no access until the invitation is repeated and stored', async () => {
  const attributes = { sub: 'early', 'custom:businessId': String(one.tenantId), 'custom:team': '1' };
  expect((await invoke('getMe', attributes)).json).toMatchObject({ code: 'role_not_allowed' });
  const send = () => request('early@salon.example');
  pool.on(AdminGetUserCommand).resolves(asRead(attributes) as never);
  pool.on(AdminCreateUserCommand).rejects(new Error('throttled'));
  expect((await send()).status).toBe(500);
  pool.on(AdminCreateUserCommand).rejects(failure('UsernameExistsException'));
  for (const foreign of [{ 'custom:businessId': '8' }, { 'custom:team': undefined }]) {
    pool.on(AdminGetUserCommand).resolves(asRead({ ...attributes, ...foreign }) as never);
    expect((await send()).json).toMatchObject({ code: 'colleague_exists' });
  }
  const invited = { ...asRead(attributes), UserStatus: 'FORCE_CHANGE_PASSWORD' };
  pool.on(AdminGetUserCommand).resolves(invited as never);
  const again = { UserPoolId: 'pool', Username: 'early@salon.example', MessageAction: 'RESEND' as const };
  pool.on(AdminCreateUserCommand, again).resolves({});
  expect((await send()).status).toBe(201);
  expect(pool.commandCalls(AdminCreateUserCommand, again)).toHaveLength(1);
  expect(pool.commandCalls(AdminGetUserCommand).at(-1)?.args[0].input).toEqual({
    UserPoolId: 'pool',
    Username: 'early@salon.example',
  });
  expect((await invoke('getMe', attributes)).json).toMatchObject({ role: 'desk' });
  expect((await send()).json).toMatchObject({ code: 'colleague_exists' });
});

test('A repeated invitation sends no email to a colleague who can sign in already', async () => {
  const attributes = { sub: 'known', 'custom:businessId': String(one.tenantId), 'custom:team': '1' };
  pool.on(AdminCreateUserCommand).rejects(failure('UsernameExistsException'));
  pool.on(AdminGetUserCommand).resolves({ ...asRead(attributes), UserStatus: 'CONFIRMED' });
  expect((await request('known@salon.example')).status).toBe(201);
});

test('A removed colleague can be invited again while their former Cognito user is still being deleted', async () => {
  pool.on(AdminCreateUserCommand).rejectsOnce(failure('UsernameExistsException')).resolves(userWith('again'));
  pool.on(AdminGetUserCommand).rejectsOnce(failure('UserNotFoundException'));
  expect((await request('again@salon.example')).status).toBe(201);
});

test('The audit log names the colleague who was invited, and has no entry for an invitation that was refused', async () => {
  const entries = async () => (await one.account('listAudit')).json.data;
  const { id } = await invite('desk');
  const invited = [{ operation: 'POST /v1/account/team', resourceId: id, fields: ['email', 'role'] }];
  expect(await entries()).toMatchObject(invited);
  pool.on(AdminCreateUserCommand).rejects(failure('UsernameExistsException'));
  pool.on(AdminGetUserCommand).resolves({ UserAttributes: [{ Name: 'sub', Value: 'stranger' }] });
  expect((await request('stranger@salon.example')).json).toMatchObject({ code: 'colleague_exists' });
  expect(await entries()).toMatchObject(invited);
});

test('A change of the team in test mode is recorded in the audit log of live mode', async () => {
  const { id } = await invite('desk');
  const headers = { 'booking-mode': 'test' };
  expect((await one.account('updateColleague', { ...at(id), headers, body: { role: 'owner' } })).status).toBe(200);
  expect((await one.account('removeColleague', { ...at(id), headers })).status).toBe(204);
  expect((await one.account('listAudit')).json.data).toMatchObject([
    { operation: 'DELETE /v1/account/team/:id', resourceId: id },
    { operation: 'PATCH /v1/account/team/:id', resourceId: id },
    { operation: 'POST /v1/account/team', resourceId: id },
  ]);
});

test("A colleague is linked to a staff member of live mode, and has the id of this person's copy in test mode", async () => {
  const headers = { 'booking-mode': 'test' };
  await one.account('createApiKey', { headers, body: { name: 'Test', scopeSet: 'full_crm' } });
  const added = await one.account('createStaffMember', { headers, body: { name: 'Only in the sandbox' } });
  const sandbox = inSandbox(one.staffId);
  expect((await one.account('getStaffMember', { ...at(sandbox), headers })).status).toBe(200);
  const body = { email: 'anna@salon.example', role: 'member' };
  for (const [mode, staffId] of [
    ['test', one.staffId],
    ['test', added.json.id],
    ['live', sandbox],
  ] as const) {
    const sent = { headers: { 'booking-mode': mode }, body: { ...body, staffId } };
    expect((await one.account('inviteColleague', sent)).status, `${staffId} in ${mode} mode`).toBe(404);
  }
  const { json } = await one.account('inviteColleague', { headers, body: { ...body, staffId: sandbox } });
  expect(json).toMatchObject({ staffId: sandbox });
  const change = { ...at(Number(json.id)), headers, body: { role: 'member', staffId: sandbox } };
  expect((await one.account('updateColleague', change)).json).toMatchObject({ staffId: sandbox });
  expect((await one.account('listTeam', { headers })).json).toMatchObject({ data: [{ staffId: sandbox }] });
  expect((await one.account('listTeam')).json).toMatchObject({ data: [{ staffId: one.staffId }] });
});

test('A colleague with the role `owner` can neither change their own role nor remove themselves from the team', async () => {
  const { id, call } = await invite('owner');
  const refusal = {
    code: 'invalid_state',
    message: 'You cannot change your own role or remove yourself: ask another owner.',
  };
  expect((await call('updateColleague', { ...at(id), body: { role: 'desk' } })).json).toMatchObject(refusal);
  expect((await call('removeColleague', at(id))).json).toMatchObject(refusal);
  expect((await call('getMe')).json).toMatchObject({ role: 'owner' });
});

test('A team never exceeds its maximum size, even with concurrent invitations, and a full team sends no invitation emails', async () => {
  limitsDuringTest({ colleaguesPerBusiness: 4 });
  for (let i = 1; i < limits.colleaguesPerBusiness; i++) await invite('desk');
  const first = () => request('first@salon.example');
  const second = await interfering({ when: givesAccess, first }, () => request('second@salon.example'));
  const refusal = { code: 'invalid_state', message: `A team has at most ${limits.colleaguesPerBusiness} colleagues.` };
  expect(second.json).toMatchObject(refusal);
  expect((await one.account('listTeam')).json).toMatchObject({ total: limits.colleaguesPerBusiness });
  pool.resetHistory();
  expect((await request('third@salon.example')).json).toMatchObject(refusal);
  expect(pool.calls()).toHaveLength(0);
});

test('The limit of invitation emails a day holds even when the clocks of two machines show different days', async () => {
  limitsDuringTest({ invitationsPerDay: 4 });
  const midnight = Date.UTC(2026, 11, 2);
  for (let i = 0; i < limits.invitationsPerDay; i++) {
    setRuntime({ now: () => midnight - (i % 2) });
    await invite('desk');
  }
  for (const clock of [midnight, midnight - 1]) {
    setRuntime({ now: () => clock });
    expect((await request('more@salon.example')).json).toMatchObject({
      code: 'invalid_state',
      message: `${limits.invitationsPerDay} invitations were sent today. Try tomorrow.`,
    });
  }
  expect(pool.commandCalls(AdminCreateUserCommand)).toHaveLength(limits.invitationsPerDay);
});

test('Colleagues cannot be invited in a deployment whose owners sign in with an external identity provider', async () => {
  vi.stubEnv('USER_POOL', '');
  // Refused invitations do not count as sent ones.
  for (let i = 0; i <= limits.invitationsPerDay; i++) {
    expect((await request('a@salon.example')).json).toMatchObject({
      code: 'invalid_state',
      message: 'Owners sign in with another service: invite colleagues there.',
    });
  }
});

test.each([
  ['cannot be deleted, which is logged', 'TooManyRequestsException', 1],
  ['no longer exists, which is not logged', 'UserNotFoundException', 0],
])('A removed colleague has no access even if their Cognito user is not deleted (it %s)', async (_, name, lines) => {
  const { id, call } = await invite('desk');
  const error = failure(name);
  pool.on(AdminDeleteUserCommand).rejects(error);
  expect((await one.account('removeColleague', at(id))).status).toBe(204);
  expect(vi.mocked(log.warn).mock.calls.map(([, extra]) => extra)).toEqual(Array(lines).fill({ error }));
  expect((await call('getMe')).status).toBe(403);
});
