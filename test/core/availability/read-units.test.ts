import { expect, test } from 'vitest';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { newId } from '../../../core/clock.ts';
import { records } from '../../../core/table-keys.ts';
import { storedBusy } from '../../support/packed-day.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const [staffCount, days] = [20, 31];

test('A search for slots over 31 days and 20 staff members with six bookings a day costs one query and at most 20 read units', async () => {
  const { key, services, staff } = await fixture.business({
    change: (demo) => {
      const staff = Array.from({ length: staffCount }, () => ({ ...demo.staff[0], id: newId() }) as never);
      const staffIds = staff.map(({ id }) => id);
      return { ...demo, staff, services: demo.services.map((service) => ({ ...service, staffIds })) };
    },
  });
  const firstDay = Date.UTC(2026, 11, 2) / 86_400_000;
  const busy = storedBusy(Array.from({ length: 6 }, (_, n) => ({ start: 430 + n * 60, end: 460 + n * 60 })));
  const items = [...staff].flatMap(({ id }) =>
    Array.from({ length: days }, (_, n) => ({
      ...records.calendarDay(key.tenantId, firstDay + n, `${id}`),
      version: 6,
      busy,
    })),
  );
  await fixture.put('records', items);

  using script = scriptDynamo([], { units: true });
  const { data } = await listSlots(key, { serviceId: services[0].id, from: '2026-12-02', to: '2027-01-01' });
  expect(new Set(data.map(({ staffId }) => staffId)).size).toBe(staffCount);
  const queries = script.calls.filter(({ operation }) => operation === 'Query');
  expect(queries).toHaveLength(1);
  // One item for each booking, which nobody stores, would be more than 500 units.
  expect(queries[0]?.units).toBeLessThanOrEqual(20);
});
