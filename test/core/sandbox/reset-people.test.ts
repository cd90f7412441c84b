/** The logs of a sandbox's webhooks stay after a reset, but without personal data (docs/rules.md#erasure). */
import { expect, onTestFinished, test } from 'vitest';
import { eventNames } from '../../../contract/event-names.ts';
import { createClient } from '../../../core/bookings/client-book.ts';
import { setRuntime } from '../../../core/clock.ts';
import { decompressText } from '../../../core/compressed-text.ts';
import { plan } from '../../../core/deliveries/plan/plan.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import { parseErasure } from '../../../core/erasure/message.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { inSandbox } from '../../../core/mode.ts';
import { resetSandbox } from '../../../core/sandbox/reset.ts';
import { context } from '../../support/pipeline.ts';
import { newWebhook, recordsOf } from '../../support/pipeline-state.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { interceptErasures } from '../../support/queue-and-bus.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

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
  const deleteLogs = () => Promise.all(erase(sent.splice(0).map(parseErasure), context));
  return { owner, planAll, bodies, deleteLogs, sent };
}

test.each([
  ['A sandbox reset removes personal data from delivery logs of its webhooks, also from later messages', true],
  ['Negative control: if a sandbox reset keeps delivery logs, personal data remains', false],
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

test('After a sandbox reset during the erasure of a client, the queue message of the erasure does not fail again and again', async () => {
  const { owner, deleteLogs, sent } = await sandboxWithLog();
  const { id } = await createClient(owner, { name: 'Canary', email: 'canary@example.com' });
  await eraseClient(owner, { id });
  expect(sent).not.toEqual([]);
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  await expect(deleteLogs()).resolves.toBeDefined();
});

test('Negative control: a queue message to erase a client fails if the client exists and no erasure was requested', async () => {
  const { owner, deleteLogs, sent } = await sandboxWithLog();
  const { id: clientId } = await createClient(owner, { name: 'Canary', email: 'canary@example.com' });
  sent.push(JSON.stringify({ tenantId: owner.tenantId, clientId }));
  await expect(deleteLogs()).rejects.toThrow('not erased');
});
