/** In which order a reset goes, and what it says when it cannot go on (docs/rules.md#test-mode). */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, listClients } from '../../../core/bookings/client-book.ts';
import { ensureSandbox } from '../../../core/catalog/copy.ts';
import { getBusiness, listServices, listStaff } from '../../../core/catalog/read.ts';
import { setRuntime } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { inSandbox } from '../../../core/mode.ts';
import { resetSandbox } from '../../../core/sandbox/reset.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { records } from '../../../core/table-keys.ts';
import type { Tenant } from '../../../local/demo.ts';
import { overtaken } from '../../support/interfere.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { scriptTest } from '../../support/script-test.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
afterEach(() => {
  vi.restoreAllMocks();
  setRuntime({ now: () => testNow });
});

async function sandbox(change?: (tenant: Tenant) => Tenant) {
  const { tenant } = await fixture.tenant(change);
  const owner = ownerPrincipal(inSandbox(tenant.business.id));
  await ensureSandbox(owner.tenantId);
  return owner;
}

const deletes = (prefix: string) => (operation: string, input: object) =>
  /^BatchWriteItem/.test(operation) && JSON.stringify(input).includes(`"${prefix}`);

describe('a reset of the sandbox', () => {
  test('A sandbox reset deletes services and staff before bookings, so that no new booking can be made', async () => {
    const owner = await sandbox();
    await triggerEvent(owner, { event: 'booking.created' });
    const left: number[] = [];
    const next = async () => left.push((await listStaff(owner, {})).total, (await listServices(owner, {})).total);
    const { calls } = scriptTest();
    await overtaken({ before: deletes('BOOKING#'), next }, () => resetSandbox(owner));
    expect(left).toEqual([0, 0]);
    for (const { operation, input } of calls) if (operation === 'Query') expect(input.ConsistentRead).toBe(true);
  });

  test('A sandbox reset also deletes data that is written, while it runs, where it has already deleted', async () => {
    const owner = await sandbox();
    await triggerEvent(owner, { event: 'booking.created' });
    const [, other] = records.partitionsOf(owner.tenantId);
    const next = () => createClient(owner, { name: 'Ada', email: 'ada@example.com' });
    const before = (_: string, { ExpressionAttributeValues: values }: { ExpressionAttributeValues?: object }) =>
      Object.values(values ?? {}).includes(other);
    expect(await overtaken({ before, next }, () => resetSandbox(owner))).toEqual({ status: 'done' });
    expect(await listClients(owner, {})).toEqual({ data: [], nextCursor: null });
  });

  test('A sandbox reset that cannot store its progress gets 503 and deletes nothing', async () => {
    const owner = await sandbox();
    vi.spyOn(log, 'warn').mockReturnValue(undefined);
    scriptTest([{ when: 'BatchExecuteStatement', fail: 'Down' }]);
    const refusal = { code: 'temporarily_unavailable', extras: { retryAfter: 1 } };
    await expect(resetSandbox(owner)).rejects.toMatchObject(refusal);
    expect(await getBusiness(owner)).toMatchObject({ id: owner.tenantId });
  });
});
