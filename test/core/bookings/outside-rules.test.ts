/** An owner can book outside of hours, grid, notice and horizon (docs/rules.md#bookings). */
import { expect, test } from 'vitest';
import { createBooking as row } from '../../../contract/integration/routes.ts';
import { at } from '../../support/account.ts';
import { jane, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
/** The time this many minutes after `testNow`. Anna works from 09:00 in Riga, two hours later. */
const inMinutes = (minutes: number) => new Date(testNow + minutes * 60_000).toISOString();
const dayMinutes = 1_440;

async function salon() {
  const one = await fixture.business();
  const body = (startTime: string, outsideRules?: boolean) => ({
    ...one.offered,
    startTime,
    client: jane,
    ...(outsideRules && { outsideRules }),
  });
  const create = (startTime: string, outsideRules?: boolean) =>
    one.account('createBooking', { body: body(startTime, outsideRules) });
  const move = (id: unknown, startTime: string, outsideRules?: boolean) =>
    one.account('rescheduleBooking', { ...at(id), body: { startTime, outsideRules } });
  return { ...one, body, create, move };
}

test.each([
  ['before working hours', 60],
  ['between the steps of the slot grid', 2 * 60 + 7],
  ['sooner than the minimum notice', 5],
  ['too far ahead', 200 * dayMinutes],
  ['in the past', -dayMinutes],
])(
  'An owner needs the option `outsideRules` to book, or move a booking to, a time that breaks the booking rules (%s)',
  async (_, minutes) => {
    const { state, create, move } = await salon();
    const startTime = inMinutes(minutes);
    expect(await create(startTime)).toMatchObject({ status: 409, json: { code: 'slot_unavailable' } });
    const response = await create(startTime, true);
    expect(response.status).toBe(201);
    expect(Date.parse(String(response.json.startTime))).toBe(Date.parse(startTime));
    const later = inMinutes(minutes + 10 * dayMinutes + 1);
    expect((await move(response.json.id, later)).status).toBe(409);
    expect((await move(response.json.id, later, true)).status).toBe(200);
    await state();
  },
);

test('Of thirty concurrent bookings of one slot with the option `outsideRules`, which ignores booking rules, exactly one succeeds', async () => {
  const { state, create } = await salon();
  const answers = await Promise.all(Array.from({ length: 30 }, () => create(inMinutes(67), true)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const losers = answers.filter(({ status }) => status !== 201);
  expect(new Set(losers.map(({ json }) => json.code))).toEqual(new Set(['slot_unavailable']));
  expect((await create(inMinutes(60), true)).status).toBe(409);
  expect((await state()).live).toHaveLength(1);
});

test('A booking with the option `outsideRules` is at most 400 days ahead, and an API key cannot use this option', async () => {
  const { create, body } = await salon();
  for (const days of [-401, 401]) expect((await create(inMinutes(days * dayMinutes), true)).status).toBe(409);
  expect(row.body.safeParse(body(inMinutes(67))).success).toBe(true);
  expect(row.body.safeParse(body(inMinutes(67), true)).success).toBe(false);
});

test('With the option `outsideRules` the start of a new or moved booking must still be a whole minute', async () => {
  const { create, move } = await salon();
  const details = [{ path: 'startTime', message: 'must be a whole minute' }];
  for (const answer of [await create(inMinutes(60.5), true), await move(1, inMinutes(60.5), true)]) {
    expect(answer).toMatchObject({ status: 400, json: { code: 'validation_failed', details } });
  }
  expect(await create('10:00', true)).toMatchObject({ status: 400, json: { details: [{ path: 'startTime' }] } });
});
