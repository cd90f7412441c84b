/** Rules of single screens of the console, and their agreement with the rules of the API. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { day, words } from '../../console/src/app/search.ts';
import { latest } from '../../console/src/format/clock.ts';
import { firstPath, originOf } from '../../console/src/screens/api-keys/first-request.ts';
import { scopeSets } from '../../console/src/screens/api-keys/scope-sets.ts';
import { eventOfOperation } from '../../console/src/screens/audit/event-of-operation.ts';
import { missingScope } from '../../console/src/screens/events/event-names.ts';
import { shownToday } from '../../console/src/screens/overview/shown-today.ts';
import { methodName, methodOf } from '../../console/src/screens/payments/method.ts';
import { isPerformed } from '../../console/src/screens/services/performed.ts';
import { loadTexts, strings } from '../../console/src/strings/strings.ts';
import { accountRoutes } from '../../contract/account/api.ts';
import { isAudited } from '../../contract/define.ts';
import { eventNames } from '../../contract/event-names.ts';
import { allRoutes } from '../../contract/integration/api.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { originAllowed } from '../../core/http/access/origin.ts';
import { assertMayReceive } from '../../core/keys/event-access.ts';

test('The console has a label for exactly the operations that the audit log can contain', () => {
  const changes = [...accountRoutes, ...allRoutes].filter(isAudited).map(({ method, path }) => `${method} ${path}`);
  const labelled = Object.keys({ ...strings.audit.operations, ...eventOfOperation });
  expect(labelled.sort()).toEqual([...new Set(changes)].sort());
});

test.each(eventNames)('The console names the permission that an API key needs to receive the event %s', (event) => {
  for (const scopes of scopeNames.flatMap((one) => scopeNames.map((other) => [one, other]))) {
    const ask = expect(() => assertMayReceive({ scopes }, [event]));
    const scope = missingScope(scopes, event);
    if (scope) ask.toThrow(`needs the scope ${scope}.`);
    else ask.not.toThrow();
  }
});

test.each(['www.example.com', '*.example.com', 'https://example.com:8443', 'http://*.example.com', 'localhost:3000'])(
  'For an API key with the allowed origin %s, the console shows a curl command with an origin that the API accepts',
  (website) => {
    expect(originAllowed(originOf(website), [website])).toBe(true);
  },
);

test("The console tests a new API key with a GET request that needs no parameters and that the key's scopes allow", () => {
  expect(firstPath(scopeSets.full_crm)).toBe('/business');
  expect(firstPath(scopeSets.booking_widget)).toBe('/services');
  expect(firstPath(['slots:read', 'bookings:write'])).toBeUndefined();
});

test('The console stores a known payment method as the same word in every language, and any other method as typed', async () => {
  expect([methodOf('Card '), methodOf('cash'), methodOf('Gift card')]).toEqual(['card', 'cash', 'Gift card']);
  await loadTexts('lv');
  expect([methodOf('karte'), methodName('card'), methodName('voucher')]).toEqual(['card', 'Karte', 'Voucher']);
});

test.each([
  ['before the first', 8, [9, 10, 11]],
  ['during the third', 11.5, [11, 12, 13]],
  ['during the last', 13.5, [11, 12, 13]],
  ['after the last', 20, [11, 12, 13]],
])('Of too many bookings, the overview shows the first ones that are not over: %s', (_, hour, shown) => {
  const hourMs = 3_600_000;
  const hours = [9, 10, 11, 12, 13];
  const bookings = hours.map((start) => ({ start, endTime: new Date((start + 1) * hourMs).toISOString() }));
  expect(shownToday(bookings, hour * hourMs, 3).map(({ start }) => start)).toEqual(shown);
  expect(shownToday(bookings, hour * hourMs, 9).map(({ start }) => start)).toEqual(hours);
});

test('While a long booking goes on, the overview leaves out bookings that are over, and shows the next one', () => {
  const [date, most] = ['2026-12-01', 3];
  const booking = (name: string, to: number) => ({ name, endTime: `${date}T${to}:00:00Z` });
  const bookings = [booking('long', 18), booking('first', 10), booking('second', 11), booking('next', 16)];
  const shown = shownToday(bookings, Date.parse(`${date}T14:00:00Z`), most);
  expect(shown.map(({ name }) => name)).toEqual(['long', 'second', 'next']);
});

test('The console shows a service as bookable if one of its staff members is active or has not loaded yet', () => {
  const staff = [
    { id: 1, active: true },
    { id: 2, active: false },
  ];
  expect([[], [2], [1, 2], [3]].map((staffIds) => isPerformed(staffIds, staff))).toEqual([false, false, true, true]);
});

test.each(['2026-13-45', '2026-02-31', '2026-11', '9999-12-31', '0001-01-01', 20_261_124])(
  'The console ignores the date %s in a page address, because it is malformed or centuries away',
  (value) => {
    expect(day(value)).toBeUndefined();
  },
);

test('The console reads search text in its page address as text, even if it looks like a number', () => {
  expect([words('Anna'), words(371), words('')]).toEqual(['Anna', '371', undefined]);
});

test('The current time that the console shows is less than a minute old, even if no screen has used it for an hour', () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const drawn = latest();
  expect(drawn).toBe(Date.now());
  vi.advanceTimersByTime(59_999);
  expect(latest()).toBe(drawn);
  vi.advanceTimersByTime(1);
  expect(latest()).toBe(Date.now());
});
