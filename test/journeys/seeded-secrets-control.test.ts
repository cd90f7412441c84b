/** Negative control of seeded-secrets.test.ts: functions that leak keys and content. */
import { beforeAll, expect, test } from 'vitest';
import { injected } from '../support/injected.ts';
import { newTenant, withLocal } from '../support/local.ts';
import { leaksOf, type Places } from '../support/seeded-secrets.ts';

const content = 'seeded-content';

const leaky = injected({
  '-create-booking': 'async (event, context) => { console.log(JSON.stringify(event)); return real(event, context); }',
  '-get-business': 'async (event) => ({ statusCode: 500, body: JSON.stringify(event.headers) })',
});

const local = withLocal({ mutateTemplates: leaky });
const logged: string[] = [];
beforeAll(() => void local().run.log.subscribe(({ text }) => logged.push(text)));

test('Negative control: if a key or body is logged, or an error contains a key, the search for seeded secrets finds it', async () => {
  const tenant = await newTenant(local());
  const booking = { ...tenant.booking(), comment: content };
  expect((await tenant.call('POST', '/bookings', booking)).status).toBe(201);
  const error = await tenant.call('GET', '/business');
  expect(error.status).toBe(500);

  const places: Places = { log: logged, error: [JSON.stringify(error.body)] };
  const leaks = leaksOf(places, () => [tenant.key.value, content]);
  const found = (start: string) => leaks.some((leak) => leak.startsWith(start));
  expect(found(`log with ${tenant.key.value}`)).toBe(true);
  expect(found(`error with ${tenant.key.value}`)).toBe(true);
  expect(found(`log with ${content}`)).toBe(true);
});
