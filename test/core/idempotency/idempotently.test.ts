/** Each `Idempotency-Key` has one result, a success or a refusal (docs/rules.md#idempotency). */
import { expect, test, vi } from 'vitest';
import { newId, setRuntime } from '../../../core/clock.ts';
import { type ApiError, fail } from '../../../core/errors.ts';
import { idempotent, idempotently } from '../../../core/idempotency/idempotently.ts';
import type { Principal } from '../../../core/principal.ts';
import { getItem } from '../../../core/store/read.ts';
import { putNew } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { createKey } from '../../../local/seed.ts';
import { callWith, documentedRequest, documentedRows } from '../../support/documented-requests.ts';
import { withFaults } from '../../support/faults.ts';
import { interfering } from '../../support/interfere.ts';
import { keyPrincipal, ownerPrincipal } from '../../support/principals.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const request = { amount: 1, note: 'x' };

/** A decision that writes one item each time it is made. */
function counted(error?: () => Error) {
  const tenantId = newId();
  const caller = ownerPrincipal(tenantId);
  const decide = vi.fn(async () => {
    if (error) throw error();
    const id = newId();
    return { result: { z: id, a: null }, writes: [putNew('records', { ...records.client(tenantId, id), id })] };
  });
  const ask = (key?: string, sent: unknown = request) =>
    idempotently<object>(caller, key, sent, (commit) => commit(decide));
  const stored = async () => (await fixture.items('records')).filter(({ pk }) => String(pk).includes(String(tenantId)));
  return { tenantId, caller, decide, ask, stored };
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: ApiError) => error,
  );

test('Without an Idempotency-Key, each repetition of a request is carried out, and no response is stored', async () => {
  const { ask, decide, stored } = counted();
  const [first, second] = [await ask(), await ask()];
  expect([first.replayed, second.replayed]).toEqual([false, false]);
  expect(second.value).not.toEqual(first.value);
  expect(decide).toHaveBeenCalledTimes(2);
  expect(await stored()).toHaveLength(2);
});

test('A request that repeats an Idempotency-Key gets the first response byte for byte, at the cost of one read', async () => {
  const { tenantId, ask, decide, stored } = counted();
  const first = await ask('k');
  using script = scriptDynamo([], { units: true });
  const again = await ask('k');
  expect(script.operations).toEqual(['GetItem']);
  expect(again).toEqual({ value: first.value, replayed: true });
  expect(JSON.stringify(again.value)).toBe(JSON.stringify(first.value));
  expect(decide).toHaveBeenCalledTimes(1);
  expect(await stored()).toHaveLength(2);
  const expiresAtSeconds = Math.floor(testNow / 1_000) + 24 * 3_600;
  expect(await getItem('records', records.idempotency(tenantId, 0, 'k'))).toMatchObject({ expiresAtSeconds });
});

test('An Idempotency-Key that was used for a request is refused for another endpoint, another path and another body', async () => {
  const { caller, decide } = counted();
  const ask = idempotent((_, commit) => commit(decide));
  const first = { operation: 'POST /a/{id}', params: { id: 1 }, body: request };
  const call = { ...first, principal: caller, idempotencyKey: 'k' };
  await ask(call);
  for (const other of [{ operation: 'POST /b/{id}' }, { params: { id: 2 } }, { body: { ...request, note: 'y' } }]) {
    expect(await refusalOf(ask({ ...call, ...other }))).toMatchObject({
      ...{ code: 'idempotency_key_reused', status: 422 },
      message: 'This Idempotency-Key was already used for another request.',
    });
  }
});

test('An Idempotency-Key is separate for each business, each API key of a business, and each session of an API key', async () => {
  const [one, other] = [counted(), counted()];
  const first = await one.ask('k');
  expect(await other.ask('k')).toMatchObject({ replayed: false });
  const { tenantId, decide } = one;
  const sessionOf = (keyId: number): Principal => {
    return { tenantId, actor: { kind: 'session', id: newId(), keyId, rights: ['book'] } };
  };
  for (const caller of [keyPrincipal(tenantId, 1), keyPrincipal(tenantId, 2), sessionOf(1), sessionOf(1)]) {
    const result = await idempotently<object>(caller, 'k', request, (commit) => commit(decide));
    expect(result.replayed).toBe(false);
  }
  expect(await one.ask('k')).toEqual({ value: first.value, replayed: true });
});

test.each([
  ['with its details', () => fail('client_exists', { message: 'It is B.', details: { clientId: 7 } })],
  ['with its own message', () => fail('not_found', { message: 'There is no such client.' })],
  ['with the standard message of its error code', () => fail('invalid_state')],
])(
  'A request that repeats the Idempotency-Key of a refused request gets an equal error at the cost of one database read (%s)',
  async (_name, error) => {
    const { ask, decide } = counted(error);
    const first = await refusalOf(ask('k'));
    expect(first).toMatchObject({ code: error().code, message: error().message });
    expect(first?.extras).toEqual(error().extras);
    using script = scriptDynamo([], { units: true });
    const again = await refusalOf(ask('k'));
    expect(script.operations).toEqual(['GetItem']);
    expect(again).toMatchObject({ code: error().code, message: error().message });
    const { details } = error().extras;
    expect(again?.extras).toEqual({
      message: error().message,
      replayed: true,
      ...(details !== undefined && { details }),
    });
    expect(decide).toHaveBeenCalledTimes(1);
  },
);

test.each([
  ['about an invalid request', () => fail('validation_failed')],
  ['about a temporary outage', () => fail('temporarily_unavailable', { retryAfter: 1 })],
  ['that is a bug', () => new Error('What?')],
])('A request that repeats an Idempotency-Key is processed again after an error %s', async (_name, error) => {
  const { ask, decide, stored } = counted(error);
  for (const _again of [1, 2]) expect(await refusalOf(ask('k'))).toEqual(error());
  expect(decide).toHaveBeenCalledTimes(2);
  expect(await stored()).toEqual([]);
});

test('Two concurrent requests with one Idempotency-Key both get the response of the request that ends first', async () => {
  const { caller, ask } = counted();
  const first = { found: false };
  const refused = () =>
    idempotently<object>(caller, 'k', request, (commit) =>
      commit(async () => {
        throw fail('not_found');
      }),
    );
  await interfering({ when: () => true, first: async () => Object.assign(first, await ask('k')) }, async () => {
    const end = await refused();
    expect(end).toEqual({ value: (first as never as { value: object }).value, replayed: true });
  });
  expect(await ask('k')).toMatchObject({ replayed: true });
});

test('A request with an Idempotency-Key that is refused after a conflict gets the error of the refusal, not of the conflict', async () => {
  setRuntime({ now: () => testNow, sleep: async () => undefined });
  const { ask, decide } = counted();
  decide.mockResolvedValueOnce('stale' as never);
  decide.mockImplementationOnce(async () => ({ result: { z: 1, a: null }, writes: [] }));
  decide.mockRejectedValue(fail('invalid_state'));
  let conflicts = 1;
  const once = {
    fault: 'TransactionConflict',
    hits: (_: number, isCommit: boolean) => isCommit && conflicts-- > 0,
  } as const;
  const { value } = await withFaults(once, () => refusalOf(ask('k')));
  expect(value).toMatchObject({ code: 'invalid_state' });
  expect(decide).toHaveBeenCalledTimes(3);
});

test('The stored response for an Idempotency-Key is deleted after 24 hours, and the key can then be used again', async () => {
  const { ask } = counted();
  const first = await ask('k');
  const dayMs = 24 * 3_600_000;
  setRuntime({ now: () => testNow + dayMs - 1 });
  expect(await ask('k')).toEqual({ value: first.value, replayed: true });
  setRuntime({ now: () => testNow + dayMs });
  const second = await ask('k', { other: true });
  expect(second.replayed).toBe(false);
  expect(await ask('k', { other: true })).toEqual({ value: second.value, replayed: true });
});

test('An Idempotency-Key has 1 to 255 printable ASCII characters, and any other value is refused', async () => {
  const { ask, decide } = counted();
  for (const key of ['', 'x'.repeat(256), 'tab\there', '\x1f', '\x7f', 'é', 'line\n']) {
    expect(await refusalOf(ask(key)), JSON.stringify(key)).toMatchObject({
      code: 'validation_failed',
      extras: { details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }] },
    });
  }
  expect(decide).not.toHaveBeenCalled();
  for (const key of ['x', 'x'.repeat(255), ' ', '~ key']) expect(await ask(key)).toMatchObject({ replayed: false });
});

test.each(documentedRows.filter(({ idempotent }) => idempotent).map((row) => [row.title, row] as const))(
  'A request that repeats the Idempotency-Key of a successful request gets the first response again, and stores nothing (%s)',
  async (_, row) => {
    const key = await createKey(fixture.admin, { tenantId: (await fixture.tenant()).tenantId });
    const { headers, ...request } = await documentedRequest(row, key);
    const sent = { ...request, headers: { ...headers, 'idempotency-key': 'k' } };
    const first = await callWith(row, key, sent);
    expect(first.status).toBeLessThan(300);
    // The container writes its request log now and then.
    const items = async () => (await fixture.items('records')).filter(({ pk }) => !String(pk).endsWith('#REQUESTS'));
    const before = await items();
    const again = await callWith(row, key, sent);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
      first.status,
      first.text,
      'true',
    ]);
    expect(await items()).toHaveLength(before.length);
  },
);
