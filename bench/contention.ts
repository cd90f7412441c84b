/**
 * `npm run bench -- contention`: how many of the concurrent requests for one time succeed, and how long the last one
 * waits for a response (docs/rules.md#bookings). All requests run in one process, with DynamoDB in memory: the measured
 * time is the time of the attempts and of the pauses between them.
 */
import { createBooking } from '../core/bookings/create-booking.ts';
import { dynamo } from '../core/clients.ts';
import { newId, now } from '../core/clock.ts';
import type { Admin } from '../local/admin.ts';
import { demoTenant, type Tenant } from '../local/demo.ts';
import { createBusiness } from '../local/seed.ts';
import { alwaysThere } from '../test/support/always-open.ts';
import { tableName } from '../test/support/dynamo.ts';
import { outcomes } from '../test/support/outcomes.ts';
import { keyPrincipal } from '../test/support/principals.ts';
import { openTables } from '../test/support/tables.ts';
import type { Row } from './row.ts';
import type { Size } from './turns.ts';

interface Rush {
  readonly name: string;
  readonly takers: number;
  readonly winners: number;
  readonly members: number;
  readonly capacity?: number;
  readonly rooms?: number;
  /** The number of services of a visit. */
  readonly services?: number;
}

const rushes: readonly Rush[] = [
  { name: 'one slot of one member', takers: 200, winners: 1, members: 1 },
  { name: 'a class of 20 places', takers: 500, winners: 20, members: 1, capacity: 20 },
  { name: 'a visit of three services, five members', takers: 200, winners: 5, members: 5, services: 3 },
  { name: 'two rooms, five members', takers: 200, winners: 2, members: 5, rooms: 2 },
];

/** A business with one service that all staff members perform. */
function businessOf({ members, capacity = 1, rooms = 0 }: Rush): Tenant {
  const times = { durationMinutes: 30, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  const { business, services, staff } = alwaysThere(demoTenant(now(), newId), times);
  const [service, member] = [services[0], staff[0]];
  if (!service || !member) throw new Error('The demo has services and staff');
  const team = Array.from({ length: members }, (_, n) => ({ ...member, id: newId(), name: `Member ${n}` }));
  const staffIds = team.map(({ id }) => id);
  return {
    business,
    services: [{ ...service, capacity, ...(rooms > 0 && { resourceKind: 'room' }), staffIds }],
    staff: team.map((one) => ({ ...one, serviceIds: [service.id] })),
    resources: Array.from({ length: rooms }, (_, n) => ({
      ...{ id: newId(), name: `Room ${n}`, kind: 'room', active: true, bookings: 0 },
    })),
  };
}

async function run(rush: Rush, takers: number): Promise<Row> {
  const admin = { db: dynamo(), table: tableName } as Admin;
  const { business, services } = await createBusiness(admin, businessOf(rush));
  const key = keyPrincipal(business.id, newId());
  const serviceId = services[0]?.id ?? 0;
  const { services: count = 1, winners, name } = rush;
  const requested = count === 1 ? { serviceId } : { services: Array.from({ length: count }, () => ({ serviceId })) };
  const startTime = new Date((Math.floor(now() / 86_400_000) + 2) * 86_400_000).toISOString();
  const began = performance.now();
  const { won, codes } = await outcomes(
    Array.from({ length: takers }, (_, n) =>
      createBooking(key, {
        ...requested,
        startTime,
        client: { name: `Client ${n}`, email: `client-${n}@example.com` },
      }),
    ),
  );
  const seconds = (performance.now() - began) / 1_000;
  const others = codes.filter((code) => code !== 'slot_unavailable').length;
  return {
    name: `contention: ${name}, time until the last response`,
    value: seconds,
    unit: 's',
    ratio: `${won.length} of ${takers} won${others > 0 ? `, ${others} were asked to try again` : ''}`,
    goal: `${winners} win`,
    met: won.length === Math.min(winners, takers),
  };
}

export async function bench(size: Size): Promise<Row[]> {
  const tables = await openTables();
  try {
    const rows: Row[] = [];
    for (const rush of rushes) rows.push(await run(rush, size === 'tiny' ? 25 : rush.takers));
    return rows;
  } finally {
    dynamo().destroy();
    await tables.stop();
  }
}
