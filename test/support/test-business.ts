/** Tables with businesses in them, for tests that call verbs directly. */
import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { EventName } from '../../contract/events.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import type { Store } from '../../contract/system/needs.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import type { ServiceItem, StaffItem } from '../../core/catalog/items.ts';
import { chunksOf } from '../../core/chunks.ts';
import { firstIdAt, now, setRuntime } from '../../core/clock.ts';
import { type Event, eventOf, type OutboxItem } from '../../core/events/event.ts';
import type { OwnerActor, Principal } from '../../core/principal.ts';
import type { Key } from '../../core/store/key.ts';
import { getItems } from '../../core/store/read.ts';
import { records } from '../../core/table-keys.ts';
import type { Admin } from '../../local/admin.ts';
import { demoTenant, type Tenant } from '../../local/demo.ts';
import { createBusiness } from '../../local/seed.ts';
import { ownerOf } from './account.ts';
import { alwaysThere, type Times } from './always-open.ts';
import { type BookingState, expectConsistent } from './booking-state.ts';
import { tableName } from './dynamo.ts';
import { keyPrincipal, ownerPrincipal, type TestKey } from './principals.ts';
import { intercept, queueAndBusEnvironment } from './queue-and-bus.ts';
import { type Script, scriptDynamo } from './scripted-dynamo.ts';
import { openTables, type Tables } from './tables.ts';

/** Tuesday 1 December 2026, 05:00 UTC: what `now` is in these tests, unless a test moves it. */
export const testNow = Date.UTC(2026, 11, 1, 5);

/** A start by the clock of the test business in Riga: `at('10:00')` on the day of `testNow`, `at('10:00', 3)` two days later. */
export const at = (clock: string, day = 1): string => `2026-12-${String(day).padStart(2, '0')}T${clock}:00+02:00`;

export const jane = { name: 'Jane', email: 'jane@example.com' };

let clients = 0;
/** A client who was never there before. */
export const newClient = () => ({ name: 'Client', email: `client-${++clients}@example.com` });

type NewBooking = Parameters<typeof createBooking>[1];

/** What differs from the demo business. */
export interface BusinessOptions {
  readonly rules?: Partial<Tenant['business']['bookingRules']>;
  /** Its members are always there, and its services take these minutes. */
  readonly times?: Partial<Times>;
  /** What differs of its services, by their order. */
  readonly services?: readonly Partial<ServiceItem>[];
  /** Every member performs every service. */
  readonly allPerformAll?: boolean;
  readonly change?: (tenant: Tenant) => Tenant;
}

/** Like the demo: three services (haircut, colour, beard) and three members (Anna, Marta, Janis). */
export interface TestBusiness {
  readonly tenant: Tenant;
  readonly tenantId: number;
  readonly services: readonly [ServiceItem, ServiceItem, ServiceItem];
  readonly staff: readonly [StaffItem, StaffItem, StaffItem];
  /** May do everything. */
  readonly key: TestKey;
  readonly owner: Principal<OwnerActor>;
  /** Calls a handler of the account API: `account('createService', { body })`. */
  readonly account: ReturnType<typeof ownerOf>;
  /** Books the first service with the first member for Jane, unless other fields are given. */
  book(startTime: string, more?: Partial<NewBooking>): Promise<Booking>;
  /** The same, by the owner. */
  bookAsOwner(startTime: string, more?: Partial<NewBooking>): Promise<Booking>;
  /** In its outbox, all of them or those of one name. */
  events(name?: EventName): Promise<Event[]>;
  /** Its bookings and holds by now. Fails the test unless its calendars hold just these (`booking-state.ts`). */
  state(): Promise<BookingState>;
}

export interface TestBusinesses {
  readonly admin: Admin;
  /** A new business. */
  business(options?: BusinessOptions): Promise<TestBusiness>;
  /** The same, changed by a function. */
  tenant(change?: (tenant: Tenant) => Tenant): Promise<TestBusiness>;
  /** Every item of a table. */
  items(store: Store, filter?: Partial<ScanCommandInput>): Promise<Record<string, unknown>[]>;
  /** Stores items as they are. */
  put(store: Store, items: readonly object[]): Promise<void>;
  /** Events in the outbox of one business. */
  events(tenantId: number): Promise<Event[]>;
}

/** Opens tables before the file's tests and stops them after them. Each begins with the clock at `testNow`. */
export function useTestBusiness(open = openTables): TestBusinesses {
  let tables: Tables | undefined;
  let admin: Admin | undefined;
  let script: Script | undefined;
  /** By business, the events that a transaction tried to write. Which of them are there is read off the table. */
  const written = new Map<number, Map<string, Key>>();
  // `newId` begins again where a test sets the clock back, and then meets an id of before in one of 4 096 times.
  let lastId = firstIdAt(testNow) - 1_000_000;
  const newId = () => ++lastId;

  beforeAll(async () => {
    process.env.QUEUE_ERASURES = queueAndBusEnvironment.QUEUE_ERASURES;
    const none = () => Promise.reject(new Error('Nothing is there'));
    intercept({ toQueue: none, toBus: none });
    tables = await open();
    script = scriptDynamo([
      {
        when: 'TransactWriteItems',
        before: ({ input: { TransactItems = [] } }) => {
          for (const { Put } of TransactItems) {
            const { pk, sk, tenantId } = (Put?.Item ?? {}) as OutboxItem;
            if (!pk?.startsWith(records.outboxPrefix)) continue;
            written.set(tenantId, (written.get(tenantId) ?? new Map()).set(sk, { pk, sk }));
          }
        },
      },
    ]);
    const db = tables.connect();
    admin = { db, table: tableName } as Admin;
    setRuntime({ now: () => testNow });
  });

  afterEach(() => setRuntime({ now: () => testNow }));

  afterAll(async () => {
    setRuntime();
    script?.end();
    admin?.db.destroy();
    await tables?.stop();
  });

  const started = (): Admin => {
    if (!admin) throw new Error('A test business is used inside tests only');
    return admin;
  };

  async function events(tenantId: number): Promise<Event[]> {
    const found = await getItems<OutboxItem>('records', [...(written.get(tenantId)?.values() ?? [])]);
    // Where an id was taken, another business's event has the key that was tried.
    const own = found.flatMap((item) => (item?.tenantId === tenantId ? [eventOf(item)] : []));
    return own.sort((a, b) => a.id - b.id);
  }

  async function business(options: BusinessOptions = {}): Promise<TestBusiness> {
    const tenant = await createBusiness(started(), tenantOf(demoTenant(testNow, newId), options));
    const tenantId = tenant.business.id;
    const [key, owner] = [keyPrincipal(tenantId, newId()), ownerPrincipal(tenantId)];
    const first = { serviceId: tenant.services[0]?.id ?? 0, staffId: tenant.staff[0]?.id, client: jane };
    const bookingBy =
      (by: Principal) =>
      async (startTime: string, more: Partial<NewBooking> = {}) =>
        (await createBooking(by, { ...first, startTime, ...more } as NewBooking)).value;
    return {
      tenant,
      tenantId,
      services: tenant.services as unknown as TestBusiness['services'],
      staff: tenant.staff as unknown as TestBusiness['staff'],
      key,
      owner,
      book: bookingBy(key),
      bookAsOwner: bookingBy(owner),
      account: ownerOf(tenantId),
      events: async (name) => (await events(tenantId)).filter((event) => !name || event.name === name),
      state: () => expectConsistent(fixture, tenantId, now()),
    };
  }

  const fixture: TestBusinesses = {
    get admin() {
      return started();
    },
    business,
    tenant: (change) => business(change && { change }),
    items: async (store, filter = {}) => {
      const found: Record<string, unknown>[] = [];
      for await (const { Items = [] } of paginateScan(
        { client: started().db },
        { TableName: tableName(store), ...filter },
      ))
        found.push(...Items);
      return found;
    },
    put: async (store, items) => {
      for (const some of chunksOf(items, 25)) {
        const RequestItems = { [tableName(store)]: some.map((Item) => ({ PutRequest: { Item } })) };
        await started().db.send(new BatchWriteCommand({ RequestItems }));
      }
    },
    events,
  };
  return fixture;
}

function tenantOf(demo: Tenant, { rules, times, services = [], allPerformAll, change }: BusinessOptions): Tenant {
  const { business } = demo;
  const ruled = { ...demo, business: { ...business, bookingRules: { ...business.bookingRules, ...rules } } };
  const timed = times ? alwaysThere(ruled, times) : ruled;
  const served = { ...timed, services: timed.services.map((one, i) => ({ ...one, ...services[i] })) };
  const changed = change ? change(served) : served;
  if (!allPerformAll) return changed;
  const serviceIds = changed.services.map(({ id }) => id);
  const staffIds = changed.staff.map(({ id }) => id);
  return {
    ...changed,
    services: changed.services.map((one) => ({ ...one, staffIds })),
    staff: changed.staff.map((one) => ({ ...one, serviceIds })),
  };
}
