/** Erases a client of the local run and searches every table, queue, log and response for remaining data. */
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Booking } from '../../contract/integration/resources.ts';
import { stores } from '../../contract/system/needs.ts';
import { decompressText } from '../../core/compressed-text.ts';
import { callJson } from '../../local/call-json.ts';
import { type LocalSystem, newTenant, queuedMessages, startReceiver } from './local.ts';
import { ownerOf } from './owner.ts';
import { leaksOf } from './seeded-secrets.ts';

/** Creates a client, checks that the search finds them, and requests the erasure. `logged` is the functions' log. */
export async function erasedClient(local: LocalSystem, logged: readonly string[]) {
  const tenant = await newTenant(local);
  const owner = await ownerOf(local, tenant.business.id);
  const [good, bad] = [await startReceiver(), await startReceiver({ fail: 1_000 })];
  const events = ['client.created', 'client.updated', 'booking.created', 'review.created'] as const;
  const webhooks = [await tenant.subscribe(good.url, events), await tenant.subscribe(bad.url, events)];
  const name = `seeded-${tenant.business.id}`;
  const phone = `+371${String(tenant.business.id).slice(-8)}`;
  const seeded = [name, `"${phone}"`, `phone:${phone.slice(1)}`];
  const client = { name, phone, email: `${name}@example.com` };

  const body = { ...tenant.booking(), client, comment: `${name} comment` };
  const book = async (): Promise<Booking> => {
    const headers = { 'X-API-Key': tenant.key.value, 'Idempotency-Key': 'first' };
    return (await callJson<Booking>('POST', `${local.run.baseUrl}/v1/integration/bookings`, { headers, body })).body;
  };
  const booking = await book();
  await owner.done('POST', `/bookings/${booking.id}/complete`);
  await owner.done('POST', '/reviews', { bookingId: booking.id, rating: 5, text: `${name} text` });
  await owner.done('PATCH', `/clients/${booking.clientId}`, { name: `${name} renamed` });
  await good.waitFor((all) => all.length >= events.length);
  await bad.waitFor((all) => all.length >= events.length);

  const logs = await Promise.all(
    webhooks.map(({ id }) => tenant.call<{ data: { deliveryId: string }[] }>('GET', `/webhooks/${id}/deliveries`)),
  );
  const details = logs.flatMap(({ body }, i) =>
    body.data.map(({ deliveryId }) => `/webhooks/${webhooks[i]?.id}/deliveries/${deliveryId}`),
  );
  const responses = async () => {
    const found = await Promise.all([
      tenant.call('GET', '/bookings'),
      tenant.call('GET', `/bookings/${booking.id}`),
      tenant.call('GET', '/reviews'),
      ...webhooks.map(({ id }) => tenant.call('GET', `/webhooks/${id}/deliveries`)),
      ...details.map((path) => tenant.call('GET', path)),
      ...['/clients', `/clients/${booking.clientId}`, '/bookings', '/reviews'].map((path) => owner.call('GET', path)),
    ]);
    const refused = found.find(({ status }) => status !== 200);
    if (refused) throw new Error(`A response without content: ${JSON.stringify(refused)}`);
    return [await book(), ...found].map((one) => JSON.stringify(one));
  };
  /** Sends requests to the API only when nothing was found elsewhere, or when `isForced` is set. */
  const leaks = async (isForced = false) => {
    const stored = leaksOf(
      {
        ...Object.fromEntries(await Promise.all(stores.map(async (store) => [store, await itemsOf(local, store)]))),
        queue: await queuedMessages(local),
        log: logged,
      },
      () => seeded,
    );
    // A key has only sixty requests a minute, so the API comes last.
    if (stored.length > 0 && !isForced) return stored;
    return [...stored, ...leaksOf({ response: await responses() }, () => seeded)];
  };
  const before = new Set((await leaks(true)).map((leak) => leak.split(' ')[0]));
  const expected = ['records', 'deliveries', 'response'].filter((name) => !before.has(name));
  if (expected.length > 0) throw new Error(`No trace to erase in ${expected}`);
  await owner.done('POST', `/clients/${booking.clientId}/erase`);
  return { leaks };
}

async function itemsOf({ admin }: LocalSystem, store: (typeof stores)[number]): Promise<string[]> {
  const found: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: admin.db }, { TableName: admin.table(store) })) {
    for (const { body, ...item } of Items) {
      found.push(JSON.stringify(item) + (body instanceof Uint8Array ? decompressText(body) : ''));
    }
  }
  return found;
}
