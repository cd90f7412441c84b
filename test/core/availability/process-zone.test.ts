import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const folder = new URL('../../../core/availability/', import.meta.url);
const script = `
  import { freeStarts } from './free-starts.ts';
  import { slotList } from './slot-list.ts';
  import { datesToEpoch, zoneOf } from './zone.ts';
  const day = [{ from: '00:00', to: '06:00' }, { from: '22:00', to: '24:00' }];
  const weekly = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day };
  const slots = ['Europe/Riga', 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe'].flatMap((timeZone) => {
    const zone = zoneOf(timeZone);
    const starts = freeStarts({
      service: { durationMinutes: 45, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 },
      rules: { slotStepMinutes: 15, minNoticeMinutes: 60, maxAdvanceDays: 365 },
      timeZone,
      schedule: { weekly, exceptions: { '2026-10-25': [{ from: '01:00', to: '05:00' }] } },
      busy: [{ start: 29881000, end: 29881100 }],
      now: 1772323200000,
      range: datesToEpoch(zone, '2026-03-25', '2026-10-31'),
    });
    return slotList([{ staffId: 1, starts }], { id: 2, durationMinutes: 45 }, zone);
  });
  console.log(slots.length + JSON.stringify(slots));`;

test('The free slots of a business do not depend on the time zone of the server', () => {
  const [inUtc = '', ...others] = ['UTC', 'Asia/Kathmandu', 'America/Santiago', 'Pacific/Kiritimati'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      ...{ cwd: folder, env: { TZ }, encoding: 'utf8', maxBuffer: 64 * 1_048_576 },
    }),
  );
  expect(Number.parseInt(inUtc, 10)).toBeGreaterThan(10_000);
  for (const slots of others) expect(slots === inUtc).toBe(true);
});
