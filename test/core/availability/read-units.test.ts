import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { listSlots } from '../../../core/availability/list-slots.ts';
import type { BookingItem } from '../../../core/bookings/booking.ts';
import { bookingPut } from '../../../core/bookings/change.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { newId } from '../../../core/clock.ts';
import { getItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { tableName } from '../../support/dynamo.ts';
import { storedBusy } from '../../support/packed-day.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { useTestBusiness } from '../../support/test-business.ts';
import { bookingOf } from '../bookings/races.ts';

const fixture = useTestBusiness();
const table = tableName('records');

const staffCount = 20;
const days = 31;
const bookingsPerDay = 6;

test('Slots of 31 days and 20 staff members take one query and a twentieth of the read units of bookings', {
  timeout: 180_000,
}, async () => {
  const { tenant, key } = await fixture.tenant((one) => {
    const [member] = one.staff;
    if (!member) throw new Error('The demo has staff');
    const staff = Array.from({ length: staffCount }, () => ({ ...member, id: newId() }));
    return {
      ...one,
      staff,
      services: one.services.map((service) => ({ ...service, staffIds: staff.map(({ id }) => id) })),
    };
  });
  await fill(tenant.business.id, tenant.services[0]?.id ?? 0, key);

  using script = scriptDynamo([], { units: true });
  const serviceId = tenant.services[0]?.id ?? 0;
  const { data } = await listSlots(key, { serviceId, from: '2026-12-02', to: '2027-01-01' });
  const queries = script.calls.filter(({ operation }) => operation === 'Query');

  expect(new Set(data.map(({ staffId }) => staffId)).size).toBe(staffCount);
  expect(queries).toHaveLength(1);
  const perBooking = await unitsOfBookings(tenant.business.id);
  const spent = queries[0]?.units ?? Number.NaN;
  process.stdout.write(`31 days of 20 members: ${spent} read units, ${perBooking} with one item per booking\n`);
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(perBooking / 20);
});

/** Six half hours of each member's day, as bookings and as days; the first of them is a real one. */
async function fill(tenantId: number, serviceId: number, key: Parameters<typeof createBooking>[0]): Promise<void> {
  const first = await createBooking(key, {
    serviceId,
    startTime: '2026-12-01T10:00:00+02:00',
    client: { name: 'Jane Doe', phone: '+37120000001', email: 'jane@example.com' },
    comment: 'By the window, please.',
  });
  const like = await getItem<BookingItem>('records', records.booking(tenantId, bookingOf(first).id));
  if (!like) throw new Error('The booking is stored');
  const rows: Record<string, unknown>[] = [];
  const firstDay = Date.UTC(2026, 11, 2) / 86_400_000;
  for (const { id: staffId } of await membersOf(tenantId)) {
    for (let day = firstDay; day < firstDay + days; day++) {
      const busy = Array.from({ length: bookingsPerDay }, (_, n) => ({ start: 430 + n * 60, end: 460 + n * 60 }));
      rows.push({ ...records.staffDay(tenantId, day, staffId), version: 6, busy: storedBusy(busy) });
      for (const { start, end } of busy) {
        const from = day * 1_440 + start;
        const taken = { start: from, end: day * 1_440 + end };
        const item = { ...like, id: newId(), staffId, start: from, end: taken.end, taken, revision: 1 };
        rows.push(bookingPut(tenantId, item).Put?.Item ?? {});
      }
    }
  }
  const batches = Array.from({ length: Math.ceil(rows.length / 25) }, (_, n) => rows.slice(n * 25, n * 25 + 25));
  await Promise.all(
    batches.map((batch) =>
      fixture.admin.db.send(
        new BatchWriteCommand({ RequestItems: { [table]: batch.map((Item) => ({ PutRequest: { Item } })) } }),
      ),
    ),
  );
}

async function membersOf(tenantId: number): Promise<{ id: number }[]> {
  const { Items } = await fixture.admin.db.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': records.tenant(tenantId), ':prefix': records.staffPrefix },
    }),
  );
  return (Items ?? []) as { id: number }[];
}

async function unitsOfBookings(tenantId: number): Promise<number> {
  let units = 0;
  let from: Record<string, unknown> | undefined;
  do {
    const page = await fixture.admin.db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': records.tenant(tenantId), ':prefix': 'BOOKING#' },
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
        ExclusiveStartKey: from,
      }),
    );
    units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    from = page.LastEvaluatedKey;
  } while (from);
  return units;
}
