/** Tables with businesses, for tests that call functions of `core/` directly. */
import { randomBytes } from 'node:crypto';
import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { EventName } from '../../contract/events.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import type { Store } from '../../contract/system/needs.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import type { ServiceItem, StaffItem } from '../../core/catalog/items.ts';
import { firstIdAt, now, setRuntime } from '../../core/clock.ts';
import { type Event, eventOf, type OutboxItem } from '../../core/events/event.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';
import type { OwnerActor, Principal } from '../../core/principal.ts';
import type { Key } from '../../core/store/key.ts';
import { getItems } from '../../core/store/read.ts';
import { records } from '../../core/table-keys.ts';
import { type Admin, putAll } from '../../local/admin.ts';
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

/** Tuesday 1 December 2026, 05:00 UTC: the value of `now` in these tests, unless a test changes it. */
export const testNow = Date.UTC(2026, 11, 1, 5);

/** A local start in Riga: `at('10:00')` is on the day of `testNow`, `at('10:00', 3)` two days later. */
export const at = (clock: string, day = 1): string => `2026-12-${String(day).padStart(2, '0')}T${clock}:00+02:00`;

export const jane = { name: 'Jane', email: 'jane@example.com' };

let clients = 0;
export const newClient = () => ({ name: 'Client', email: `client-${++clients}@example.com` });

type NewBooking = Parameters<typeof createBooking>[1];

export function bookOnce(by: Principal, body: NewBooking, idempotencyKey: string | undefined) {
  return idempotently(by, idempotencyKey, body, (commit) => createBooking(by, body, commit));
}

export interface BusinessOptions {
  readonly rules?: Partial<Tenant['business']['bookingRules']>;
  /** Makes staff always available, with these durations for the services. */
  readonly times?: Partial<Times>;
  /** Changes to the services, in their order. */
  readonly services?: readonly Partial<ServiceItem>[];
  readonly allPerformAll?: boolean;
  readonly change?: (tenant: Tenant) => Tenant;
}

/** Like the demo: three services (haircut, colour, beard) and three staff members (Anna, Marta, Janis). */
export interface TestBusiness {
  readonly tenant: Tenant;
  readonly tenantId: number;
  readonly services: readonly [ServiceItem, ServiceItem, ServiceItem];
  readonly staff: readonly [StaffItem, StaffItem, StaffItem];
  /** The first service and the first staff member. */
  readonly serviceId: number;
  readonly staffId: number;
  /** The ids of service and staff member in one object, as a request contains them. */
  readonly offered: { readonly serviceId: number; readonly staffId: number };
  /** A key with every scope. */
  readonly key: TestKey;
  readonly owner: Principal<OwnerActor>;
  /** Calls a handler of the account API: `account('createService', { body })`. */
  readonly account: ReturnType<typeof ownerOf>;
  /** Books the first service with the first staff member for Jane, unless other fields are given. */
  book(startTime: string, more?: Partial<NewBooking>): Promise<Booking>;
  bookAsOwner(startTime: string, more?: Partial<NewBooking>): Promise<Booking>;
  /** The events in the outbox of the business, all or those of one name. */
  events(name?: EventName): Promise<Event[]>;
  /**
   * The current bookings and holds of the business. Fails the test unless its calendars contain exactly these
   * (`booking-state.ts`).
   */
  state(): Promise<BookingState>;
}

export interface TestBusinesses {
  readonly admin: Admin;
  business(options?: BusinessOptions): Promise<TestBusiness>;
  tenant(change?: (tenant: Tenant) => Tenant): Promise<TestBusiness>;
  items(store: Store, filter?: Partial<ScanCommandInput>): Promise<Record<string, unknown>[]>;
  put(store: Store, items: readonly object[]): Promise<void>;
  events(tenantId: number): Promise<Event[]>;
}

let ids = 0;

/**
 * Sets the clock. The ids of one moment count up, also after the clock was set back. A random id can already be taken,
 * which costs a try and a pause, or ends a reconciliation with an error.
 */
export function setTestClock(now: () => number): void {
  setRuntime({ now, randomBytes: (size) => (size === 2 ? Uint8Array.of(ids >> 8, ids++) : randomBytes(size)) });
}

/** Opens tables before the tests of the file and closes them after. Each test begins with the clock at `testNow`. */
export function useTestBusiness(open = openTables): TestBusinesses {
  let tables: Tables | undefined;
  let admin: Admin | undefined;
  let script: Script | undefined;
  /** The events that transactions tried to write, by business. The table shows which of them exist. */
  const written = new Map<number, Map<string, Key>>();
  // When a test sets the clock back, `newId` starts again and would repeat an earlier id in one of 4 096 cases.
  let lastId = firstIdAt(testNow) - 1_000_000;
  const newId = () => ++lastId;
  const resetClock = () => setTestClock(() => testNow);

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
    // The ids do not depend on the files that ran before.
    ids = 0;
    resetClock();
  });

  afterEach(resetClock);

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
    // If the id was taken, the event of another business has the key that was tried.
    const own = found.flatMap((item) => (item?.tenantId === tenantId ? [eventOf(item)] : []));
    return own.sort((a, b) => a.id - b.id);
  }

  async function business(options: BusinessOptions = {}): Promise<TestBusiness> {
    const tenant = await createBusiness(started(), tenantOf(demoTenant(testNow, newId), options));
    const tenantId = tenant.business.id;
    const [key, owner] = [keyPrincipal(tenantId, newId()), ownerPrincipal(tenantId)];
    const offered = { serviceId: tenant.services[0]?.id ?? 0, staffId: tenant.staff[0]?.id ?? 0 };
    const bookingBy =
      (by: Principal) =>
      (startTime: string, more: Partial<NewBooking> = {}) =>
        createBooking(by, { ...offered, client: jane, startTime, ...more } as NewBooking);
    return {
      tenant,
      tenantId,
      services: tenant.services as unknown as TestBusiness['services'],
      staff: tenant.staff as unknown as TestBusiness['staff'],
      ...offered,
      offered,
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
    put: (store, items) => putAll(started(), store, items),
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
