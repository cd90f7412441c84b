/** A reset of the sandbox empties the logs of its webhooks (docs/rules.md#erasure, #test-mode). */
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventNames } from '../../../contract/event-names.ts';
import { createClient } from '../../../core/bookings/client-book.ts';
import { setRuntime, timestamp } from '../../../core/clock.ts';
import { decompressText } from '../../../core/compressed-text.ts';
import { sweepDeliveries } from '../../../core/deliveries/log/sweep.ts';
import { plan } from '../../../core/deliveries/plan/plan.ts';
import { getWebhookStatistics } from '../../../core/deliveries/statistics/webhook-statistics.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import { parseErasure } from '../../../core/erasure/message.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { log } from '../../../core/log.ts';
import { inSandbox } from '../../../core/mode.ts';
import { resetSandbox } from '../../../core/sandbox/reset.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { registrationOf } from '../../../core/webhooks/registry/registration.ts';
import { lambdaContext } from '../../support/http.ts';
import { changeWebhook, deliveriesOf, newWebhook, put, recordsOf } from '../../support/pipeline-state.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { interceptErasures } from '../../support/queue-and-bus.ts';
import { type Call, scripted } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';
import { countedRecord } from '../deliveries/statistics/counted-record.ts';

const fixture = useTestBusiness();

async function sandboxWithLog() {
  const sent: string[] = [];
  onTestFinished(interceptErasures(({ MessageBody = '' }) => sent.push(MessageBody)));
  const { tenant } = await fixture.tenant();
  const owner = ownerPrincipal(inSandbox(tenant.business.id));
  const { id: keyId } = await createApiKey(owner, { name: 'CRM', scopeSet: 'full_crm' });
  const webhook = await newWebhook(owner.tenantId, keyId, { events: [...eventNames] });
  const planAll = async () => {
    const events = await fixture.events(owner.tenantId);
    await Promise.all(plan([events.map(({ id, shard, tenantId, name }) => ({ id, shard, tenantId, name }))]));
  };
  const bodies = async () =>
    (await recordsOf(webhook.id)).flatMap(({ body }) => (body ? decompressText(body) : [])).join();
  const deleteLogs = () => Promise.all(erase(sent.splice(0).map(parseErasure), lambdaContext));
  return { owner, webhook, planAll, bodies, deleteLogs, sent };
}

test.each([
  ['A sandbox reset deletes personal data from delivery logs, even if an earlier event is recorded only later', true],
  ['Negative control: if a sandbox reset keeps delivery logs, personal data remains stored', false],
])('%s', async (_, deletes) => {
  const { owner, planAll, bodies, deleteLogs } = await sandboxWithLog();
  await createClient(owner, { name: 'Canary One', email: 'one@example.com' });
  await planAll();
  await createClient(owner, { name: 'Canary Two', email: 'two@example.com' });
  expect(await bodies()).toContain('Canary One');
  setRuntime({ now: () => testNow + 1_000 });
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  setRuntime({ now: () => testNow + 60_000 });
  await planAll();
  await createClient(owner, { name: 'After', email: 'after@example.com' });
  await planAll();
  expect(await bodies()).toContain('Canary Two');
  if (deletes) await deleteLogs();
  expect((await bodies()).includes('Canary')).toBe(!deletes);
  expect(await bodies()).toContain('After');
});

test('A sandbox reset that cannot delete an item or update a webhook fails, and the next request completes the reset', async () => {
  const { owner } = await sandboxWithLog();
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  // The first deletion is that of the business; the first statement stores that the reset has begun.
  const reset = (when: string) =>
    scripted([{ when, nth: (nth) => nth > 1, fail: 'AccessDeniedException' }], () => resetSandbox(owner));
  await expect(reset('BatchWriteItem')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  const unavailable = { code: 'temporarily_unavailable', extras: { retryAfter: 1 } };
  await expect(reset('BatchExecuteStatement')).rejects.toMatchObject(unavailable);
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
});

test('After a sandbox reset, new delivery attempts are counted in the statistics, and new lost deliveries are found', async () => {
  const { owner, webhook, deleteLogs } = await sandboxWithLog();
  const record = (id: number, sentAt: number, state: 'success' | 'pending' = 'success') =>
    put('deliveries', {
      ...deliveries.record(webhook.id, id),
      ...countedRecord({ createdAt: timestamp(sentAt), sentAt, deliveryStatus: state }),
      ...{ id, state, attempts: 0, dueAt: sentAt },
    });
  const deleted = 400;
  for (let id = 1; id <= deleted; id++) await record(id, testNow - 1);
  await changeWebhook(webhook, { lastNumber: deleted });
  // Of these records, the checkpoint contains the first two.
  const waits = { open: { 1: testNow, 2: testNow }, waiting: [1, 2] };
  await put('deliveries', { ...registrationOf(webhook), sweptThrough: 2, countedThrough: 2, ...waits });
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  await deleteLogs();
  await record(deleted + 1, testNow + 1_000);
  await record(deleted + 2, testNow + 1_000, 'pending');

  const hourLater = testNow + 3_600_000;
  setRuntime({ now: () => hourLater });
  const statistics = async () => (await getWebhookStatistics(owner, webhook, {})).summary.attempts;
  expect(await statistics()).toBe(1);
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  await sweepDeliveries(undefined, lambdaContext);
  const twoHoursLater = hourLater + 3_600_000;
  setRuntime({ now: () => twoHoursLater });
  await sweepDeliveries(undefined, lambdaContext);
  expect(await statistics()).toBe(1);
  // Its message was last sent at the time that `open` contains.
  expect(await fixture.items('deliveries')).toContainEqual(
    expect.objectContaining({
      ...registrationOf(webhook),
      ...{ sweptThrough: deleted + 2, open: { [deleted + 2]: twoHoursLater }, waiting: [deleted + 2] },
    }),
  );
  await record(deleted + 2, testNow + 1_000);
  expect(await statistics()).toBe(2);
});

test('After a sandbox reset during the erasure of a client, the queue message of the erasure is processed without an error', async () => {
  const { owner, deleteLogs, sent } = await sandboxWithLog();
  const { id } = await createClient(owner, { name: 'Canary', email: 'canary@example.com' });
  await eraseClient(owner, { id });
  expect(sent).not.toEqual([]);
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  await expect(deleteLogs()).resolves.toBeDefined();
});

test.each([
  ['is not delayed by deliveries that wait for the sending limit and that the reset removes', 0, 0],
  ['is sent after a delivery that was created during the reset and waits for the sending limit', 1, 60_000],
] as const)('After a sandbox reset, a delivery waits only for kept deliveries (it %s)', async (_, planned, waitsMs) => {
  const { owner, webhook, planAll } = await sandboxWithLog();
  await changeWebhook(webhook, { heldUntil: testNow + 60_000 });
  const before = () => changeWebhook(webhook, { lastNumber: planned });
  const empties = ({ input }: Call) => JSON.stringify(input).includes('emptiedThrough');
  await scripted([{ when: empties, nth: 1, before }], () => resetSandbox(owner));
  await createClient(owner, { name: 'After', email: 'after@example.com' });
  await planAll();
  expect((await deliveriesOf(webhook.id)).map(({ dueAt }) => dueAt - testNow)).toEqual([waitsMs]);
});
