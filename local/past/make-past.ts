/**
 * Two weeks of the demo business and the days ahead, made by the verbs that owners, integrators and queues call, each at
 * the time at which it would have been called. The same business comes out of it on every day that it is made. The verbs
 * work on tables in memory, which takes a tenth of the time that it takes on an emulator.
 */
import { type Store, stores } from '../../contract/system/needs.ts';
import { dynamo } from '../../core/clients.ts';
import { setRuntime } from '../../core/clock.ts';
import { env } from '../../core/env.ts';
import type { OutboxItem } from '../../core/events/event.ts';
import { createApiKey } from '../../core/keys/create-key.ts';
import { parseKeyValue } from '../../core/keys/key-value.ts';
import { records } from '../../core/table-keys.ts';
import { createWebhook } from '../../core/webhooks/registry/create-webhook.ts';
import { type Command, MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Tenant } from '../demo.ts';
import { createBusiness } from '../seed.ts';
import { tableShapes } from '../table-shapes.ts';
import { at, startClock } from './clock.ts';
import { deliverPast, type Waiting } from './deliveries.ts';
import { demoReceivers } from './receivers.ts';
import { makeVisits, ownerOf, type Website } from './visits.ts';

const dayMs = 86_400_000;
/** Before the first booking. */
const beginDays = 24;

export interface Past {
  readonly items: Readonly<Record<Store, readonly object[]>>;
  /** Of deliveries that are to be tried again. */
  readonly waiting: readonly Waiting[];
}

/** The items of a new business with this catalog and its past. `now` is in milliseconds since the epoch. */
export async function makePast(tenant: Tenant, receiverUrl: string, now: number): Promise<Past> {
  const store = new MemoryDynamo(tableShapes(env.table));
  const itemsOf = (name: Store) => [...store.table(env.table(name)).all()];
  Object.assign(dynamo(), { send: async (command: Command) => store.execute(command) });
  startClock(now);
  try {
    await createBusiness({ db: dynamo(), table: env.table }, tenant);
    const owner = ownerOf(tenant.business.id);
    const website = await at(now - beginDays * dayMs, () => connect(owner, receiverUrl));
    await makeVisits(tenant, website, now);
    const isOutbox = ({ pk }: { readonly pk?: unknown }) => String(pk).startsWith(records.outboxPrefix);
    const waiting = await deliverPast(itemsOf('records').filter(isOutbox) as unknown as OutboxItem[], now);
    const items = Object.fromEntries(stores.map((name) => [name, itemsOf(name)])) as Record<Store, object[]>;
    // What was logged then is not news.
    return { items: { ...items, records: items.records.filter((item) => !isOutbox(item)) }, waiting };
  } finally {
    setRuntime();
    Reflect.deleteProperty(dynamo(), 'send');
  }
}

/** A key for the website, and one for the programs behind the webhooks. */
async function connect(owner: ReturnType<typeof ownerOf>, receiverUrl: string): Promise<Website> {
  const { id, key: value } = await createApiKey(owner, { name: 'Website', scopeSet: 'booking_widget' });
  const { id: apiKeyId } = await createApiKey(owner, { name: 'Back office', scopeSet: 'full_crm' });
  for (const { path, description, events } of demoReceivers) {
    const webhook = { apiKeyId, targetUrl: `${receiverUrl}${path}`, description, events: [...events] };
    await createWebhook(owner, webhook);
  }
  return {
    // Few people are booked often here, which a key that does not see clients may not do.
    key: { tenantId: owner.tenantId, actor: { kind: 'key', id, scopes: ['bookings:read'] } },
    hash: parseKeyValue(value)?.hash ?? '',
  };
}
