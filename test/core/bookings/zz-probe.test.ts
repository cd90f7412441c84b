import { expect, test } from 'vitest';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { createHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { dynamo } from '../../../core/clients.ts';
import { countCalls } from '../../support/count-calls.ts';
import { useBench } from '../../support/tenant.ts';
const bench = useBench();
test('extremes', async () => {
  const { tenant, key } = await bench.tenant();
  const serviceId = tenant.services[0]?.id ?? 0;
  const staffId = tenant.staff[0]?.id ?? 0;
  for (const [from, to] of [['0000-01-01','0000-01-03'],['0001-01-01','0001-01-31'],['1969-12-20','1970-01-10'],['1997-05-10','1997-06-01'],['2243-10-10','2243-10-20'],['9999-12-20','9999-12-31']] as const) {
    for (const timeZone of [undefined,'America/New_York','Africa/Monrovia','Etc/GMT+12'])
    console.log(from, timeZone, await listSlots(key, { serviceId, from, to, timeZone }).then((x) => x.data.length, (e) => String(e)));
  }
  for (const startTime of ['0000-01-01T00:00:00Z','0001-01-01T00:00:00+23:59','1970-01-01T00:00:00Z','1969-12-31T23:59:00Z','2243-10-16T00:00:00Z','9999-12-31T23:59:59.999Z','9999-12-31T23:59:00-23:59','2026-12-01T10:00Z'])
    console.log(startTime, await createBooking(key, { serviceId, startTime, client: {name:'a', phone:'+37120000'} }).then(() => 'ok', (e) => String(e)), await createHold(key, { serviceId, staffId, startTime }).then(() => 'ok', (e) => String(e)));
}, 60000);
test('contention', async () => {
  const { tenant, key } = await bench.tenant((one) => ({
    ...one,
    business: { ...one.business, bookingRules: { ...one.business.bookingRules, slotStepMinutes: 5 } },
    services: one.services.map((service) => ({ ...service, durationMinutes: 5, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 })),
    staff: one.staff.map((member) => ({ ...member, schedule: { ...member.schedule, weekly: { ...member.schedule.weekly, wednesday: [{ from: '08:00', to: '16:00' }] } } })),
  }));
  const serviceId = tenant.services[0]?.id ?? 0;
  const staffId = tenant.staff[0]?.id ?? 0;
  const first = Date.UTC(2026, 11, 2, 6);
  const calls = countCalls(dynamo());
  const t = performance.now();
  await Promise.all(Array.from({ length: 96 }, (_, n) => createBooking(key, { serviceId, staffId, startTime: new Date(first + n * 300_000).toISOString(), client: { name: 'c'+n, phone: `+3712000${String(n).padStart(4, '0')}` } })));
  console.log(Math.round(performance.now() - t), Object.fromEntries(Object.entries(Object.groupBy(calls, (x) => x)).map(([a,b]) => [a,b?.length])));
}, 60000);
