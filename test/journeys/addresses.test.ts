/** Functions never log an address of a visitor, whichever field contains it (docs/rules.md#privacy). */
import { beforeAll, describe, expect, test } from 'vitest';
import { addressesIn, leaveAddresses, seededPersonalData } from '../support/addresses.ts';
import { injected } from '../support/injected.ts';
import { withLocal } from '../support/local.ts';

/** The log of the functions during the requests of a visitor, with one function that fails. */
function logOfVisit(wrappers: Readonly<Record<string, string>> = {}): () => Promise<readonly string[]> {
  // Without its tables a function returns 500, and logs the reason.
  const bare = 'async (event, context) => { delete process.env.TABLE_RECORDS; return real(event, context); }';
  const local = withLocal({ mutateTemplates: injected({ '-get-business': bare, ...wrappers }) });
  const logged: string[] = [];
  beforeAll(() => {
    local().run.log.subscribe(({ kind, text }) => {
      if (kind === 'function') logged.push(text);
    });
  });
  return async () => {
    await leaveAddresses(local());
    return logged;
  };
}

describe('functions', () => {
  const visit = logOfVisit();

  test('Functions log requests, refusals, errors and delivery attempts without the IP address of the caller', async () => {
    const logged = await visit();
    expect(logged.flatMap(addressesIn)).toEqual([]);
    expect(logged.filter((text) => seededPersonalData.some((one) => text.includes(one)))).toEqual([]);
    // The log is not empty.
    for (const part of ['"Changed"', '"Refused"', '"attempts"', '"ERROR"']) {
      expect(
        logged.some((text) => text.includes(part)),
        part,
      ).toBe(true);
    }
  });
});

describe('negative control', () => {
  const visit = logOfVisit({
    '-list-services':
      'async (event, context) => { console.log(event.requestContext.http.sourceIp); return real(event, context); }',
    '-create-booking': 'async (event, context) => { console.log(event.body); return real(event, context); }',
    '-account-list-clients':
      "async (event, context) => { console.log(event.headers['x-forwarded-for']); return real(event, context); }",
  });

  test('Negative control: if an IP address or a body with contact data is logged, the check of logs finds it', async () => {
    const found = (await visit()).flatMap(addressesIn);
    expect(found).toEqual(
      expect.arrayContaining(['127.77.66.55', '203.0.113.77', 'seeded.person@example.com', '+371 2000-7777']),
    );
  });
});
