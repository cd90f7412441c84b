/** Functions never log an address of a visitor, whichever field contains it (docs/rules.md#privacy). */
import { beforeAll, expect, test } from 'vitest';
import { addressesIn, leaveAddresses, seededPersonalData } from '../support/addresses.ts';
import { injected } from '../support/injected.ts';
import { withLocal } from '../support/local.ts';

// Without its tables a function returns 500, and logs the reason.
const bare = 'async (event, context) => { delete process.env.TABLE_RECORDS; return real(event, context); }';
const local = withLocal({ mutateTemplates: injected({ '-get-business': bare }) });
const logged: string[] = [];
beforeAll(() => {
  local().run.log.subscribe(({ kind, text }) => {
    if (kind === 'function') logged.push(text);
  });
});

test('Functions log requests, refusals, errors and delivery attempts without the IP address of the caller', async () => {
  await leaveAddresses(local());
  expect(logged.flatMap(addressesIn)).toEqual([]);
  expect(logged.filter((text) => seededPersonalData.some((one) => text.includes(one)))).toEqual([]);
  // The log is not empty.
  const missing = ['"Changed"', '"Refused"', '"attempts"', '"ERROR"'].filter((part) => !logged.join().includes(part));
  expect(missing).toEqual([]);
});
