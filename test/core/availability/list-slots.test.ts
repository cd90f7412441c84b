import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { records } from '../../../core/table-keys.ts';
import { expectConsistent } from '../../support/booking-state.ts';
import { tableName } from '../../support/dynamo.ts';
import { testNow, useBench } from '../../support/tenant.ts';
import { bookingOf } from '../bookings/races.ts';

const bench = useBench();

async function salon() {
  const { tenant, key } = await bench.tenant();
  return { tenant, key, serviceId: tenant.services[0]?.id ?? 0, staffId: tenant.staff[0]?.id ?? 0 };
}

describe('dates far away', () => {
  const ranges = [
    ['0000-01-01', '0000-01-31'],
    ['0001-01-01', '0001-01-31'],
    ['1969-12-20', '1970-01-10'],
    ['1997-05-01', '1997-05-31'],
    ['2243-10-01', '2243-10-31'],
    ['9999-12-01', '9999-12-31'],
  ] as const;

  test.each(ranges)('%s to %s have no slots, in any zone', async (from, to) => {
    const { key, serviceId } = await salon();
    for (const timeZone of [undefined, 'America/New_York', 'Pacific/Kiritimati', 'Africa/Monrovia', 'Etc/GMT+12']) {
      expect(await listSlots(key, { serviceId, from, to, timeZone })).toMatchObject({ data: [] });
    }
  });

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '1969-12-31T23:59:59.999Z',
    '1997-05-18T23:00:00Z',
    '2243-10-16T23:00:00Z',
    '9999-12-31T23:59:59-23:59',
  ])('%s cannot be booked or held', async (startTime) => {
    const { key, serviceId, staffId } = await salon();
    const refused = { code: 'slot_unavailable' };
    const client = { name: 'Jane', email: 'jane@example.com' };
    await expect(createBooking(key, { serviceId, startTime, client })).rejects.toMatchObject(refused);
    await expect(createHold(key, { serviceId, staffId, startTime })).rejects.toMatchObject(refused);
  });
});

test('the range is both dates in the zone asked for, and the times are printed in it', async () => {
  const { key, serviceId, staffId } = await salon();
  const query = { serviceId, staffId, from: '2026-12-02', to: '2026-12-02' };
  const { data } = await listSlots(key, { ...query, timeZone: 'America/New_York' });
  // Anna works 09:00–12:00 and 12:30–17:00 in Riga, which is seven hours ahead of New York.
  expect(data[0]).toMatchObject({ startTime: '2026-12-02T02:00:00-05:00', endTime: '2026-12-02T02:45:00-05:00' });
  expect(data.at(-1)).toMatchObject({ startTime: '2026-12-02T09:15:00-05:00' });
  const kiritimati = await listSlots(key, { ...query, timeZone: 'Pacific/Kiritimati' });
  // The date begins there at noon of the day before in Riga.
  expect(kiritimati.data[0]).toMatchObject({ startTime: '2026-12-02T00:30:00+14:00' });
  expect(kiritimati.timeZone).toBe('Pacific/Kiritimati');
});

test('more days than 31, dates in the wrong order, and more slots than an answer can carry are refused', async () => {
  const { key, serviceId } = await salon();
  const ask = (from: string, to: string) => listSlots(key, { serviceId, from, to });
  await expect(ask('2026-12-01', '2026-12-31')).resolves.toBeDefined();
  await expect(ask('2026-12-01', '2027-01-01')).rejects.toMatchObject({ code: 'range_too_large' });
  await expect(ask('2026-12-02', '2026-12-01')).rejects.toMatchObject({ code: 'validation_failed' });

  const around = [{ from: '00:00', to: '24:00' }];
  const { tenant, key: busy } = await bench.tenant((one) => ({
    ...one,
    business: { ...one.business, bookingRules: { ...one.business.bookingRules, slotStepMinutes: 1 } },
    staff: one.staff.map((member) => ({
      ...member,
      schedule: {
        exceptions: {},
        weekly: {
          ...member.schedule.weekly,
          tuesday: around,
          wednesday: around,
          thursday: around,
          friday: around,
          monday: around,
        },
      },
    })),
  }));
  const every = { serviceId: tenant.services[0]?.id ?? 0, from: '2026-12-01', to: '2026-12-31' };
  await expect(listSlots(busy, every)).rejects.toMatchObject({ code: 'range_too_large' });
  await expect(listSlots(busy, { ...every, to: '2026-12-04' })).resolves.toBeDefined();
});

test('a hold that is used gives back all that it took, also when the buffers changed since', async () => {
  const { tenant, key, serviceId, staffId } = await salon();
  const service = records.service(tenant.business.id, serviceId);
  const setBuffer = (minutes: number) =>
    bench.admin.db.send(
      new UpdateCommand({
        TableName: tableName('records'),
        Key: service,
        UpdateExpression: 'SET bufferBeforeMinutes = :minutes',
        ExpressionAttributeValues: { ':minutes': minutes },
      }),
    );
  // The buffer reaches into the UTC day before.
  await setBuffer(720);
  const slot = { serviceId, staffId, startTime: '2026-12-02T09:00:00+02:00' };
  const { holdId } = await createHold(key, slot);
  await setBuffer(0);
  const client = { name: 'Jane', email: 'jane@example.com' };
  const booked = bookingOf(await createBooking(key, { ...slot, client, holdId }));
  expect(booked).toMatchObject({ startTime: slot.startTime });
  expect(await expectConsistent(bench, key.businessId, testNow)).toMatchObject({
    holds: [],
    live: [{ id: booked.id }],
  });
});
