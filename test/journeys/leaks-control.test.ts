/** Negative controls of the searches for seeded secrets, addresses and erased data: functions that leak all of them. */
import { beforeAll, expect, test } from 'vitest';
import { addressesIn, leaveAddresses } from '../support/addresses.ts';
import { erasedClient } from '../support/erased-client.ts';
import { injected } from '../support/injected.ts';
import { newTenant, withLocal } from '../support/local.ts';
import { leaksOf } from '../support/seeded-secrets.ts';

const local = withLocal({
  timeScale: 60,
  mutateTemplates: injected({
    '-account-list-clients':
      "async (event, context) => { console.log(event.headers['x-forwarded-for']); return real(event, context); }",
    '-create-booking': 'async (event, context) => { console.log(JSON.stringify(event)); return real(event, context); }',
    '-erase-clients-erasures': 'async () => ({ batchItemFailures: [] })',
    '-get-business': 'async (event) => ({ statusCode: 500, body: JSON.stringify(event.headers) })',
  }),
});
const logged: string[] = [];
beforeAll(() => void local().run.log.subscribe(({ text }) => logged.push(text)));

test('Negative control: the search for secrets finds an API key in a log or an error, and a request body in a log', async () => {
  const tenant = await newTenant(local());
  const content = 'seeded-content';
  expect((await tenant.call('POST', '/bookings', { ...tenant.booking(), comment: content })).status).toBe(201);
  const error = await tenant.call('GET', '/business');
  expect(error.status).toBe(500);

  const { value } = tenant.key;
  const leaks = leaksOf({ log: logged, error: [JSON.stringify(error.body)] }, () => [value, content]);
  for (const found of [`log with ${value}`, `error with ${value}`, `log with ${content}`]) {
    expect(leaks.some((leak) => leak.startsWith(found))).toBe(true);
  }
});

test('Negative control: the search for personal data in logs finds an IP address, an email address and a phone number', async () => {
  const before = logged.length;
  await leaveAddresses(local());
  expect(logged.slice(before).flatMap(addressesIn)).toEqual(
    expect.arrayContaining(['203.0.113.77', 'seeded.person@example.com', '+371 2000-7777']),
  );
});

test('Negative control: if an erasure deletes only one item, the erasure test finds the data in bookings and deliveries', async () => {
  const { leaks } = await erasedClient(local(), []);
  const sources = new Set((await leaks(true)).map((leak) => leak.split(' ')[0]));
  expect([...sources].sort()).toEqual(['deliveries', 'records', 'response']);
});
