/**
 * Creates the last two weeks and the next days of the demo business. Calls the functions that owners, integrators and
 * queues call, each at its own time. The date, not chance, determines the visits. The functions work on tables in
 * memory, which takes a tenth of the time of an emulator.
 */
import { type Store, stores } from '../../contract/system/needs.ts';
import { dynamo } from '../../core/clients.ts';
import { dayMs, setRuntime } from '../../core/clock.ts';
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

/** Days from the creation of the business to the first booking. */
const beginDays = 24;

export interface Past {
  readonly items: Readonly<Record<Store, readonly object[]>>;
  /** The messages of deliveries that will be retried. */
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
    // Operational events of the past are not sent again.
    return { items: { ...items, records: items.records.filter((item) => !isOutbox(item)) }, waiting };
  } finally {
    setRuntime();
    Reflect.deleteProperty(dynamo(), 'send');
  }
}

/** Creates a key for the website, and one for the programs behind the webhooks. */
async function connect(owner: ReturnType<typeof ownerOf>, receiverUrl: string): Promise<Website> {
  const { id, key: value } = await createApiKey(owner, { name: 'Website', scopeSet: 'booking_widget' });
  const { id: apiKeyId } = await createApiKey(owner, { name: 'Back office', scopeSet: 'full_crm' });
  for (const { path, description, events } of demoReceivers) {
    const webhook = { apiKeyId, targetUrl: `${receiverUrl}${path}`, description, events: [...events] };
    await createWebhook(owner, webhook);
  }
  return {
    // The demo's few clients book more often than a key without `bookings:read` may book for one contact.
    key: { tenantId: owner.tenantId, actor: { kind: 'key', id, scopes: ['bookings:read'] } },
    hash: parseKeyValue(value)?.hash ?? '',
  };
}
