/** Keys, signing secrets, addresses and contents of events occur only where they are allowed (docs/rules.md#privacy). */
import { beforeAll, expect, test, vi } from 'vitest';
import type { Booking } from '../../contract/integration/resources.ts';
import type { JsonResponse } from '../../local/call-json.ts';
import type { LocalOptions } from '../../local/start-local.ts';
import type { Resource } from '../../packages/local-cloud/src/templates.ts';
import { addressesIn, leaveAddresses, seededPersonalData } from '../support/addresses.ts';
import { injected } from '../support/injected.ts';
import { newTenant, queuedMessages, startReceiver, withLocal } from '../support/local.ts';
import { leaksOf } from '../support/seeded-secrets.ts';

const content = 'seeded-content';
const foreignKey = 'seeded-foreign-key';
const target = 'seeded-target';

function variablesOf(resource: Resource, functionName: string): Record<string, unknown> {
  const { FunctionName, Environment } = resource.Properties ?? {};
  const isIt = resource.Type === 'AWS::Lambda::Function' && String(FunctionName).endsWith(functionName);
  return isIt ? (Environment as { Variables: Record<string, unknown> }).Variables : {};
}

// Without its tables a function returns 500, and logs the reason.
const bare = 'async (event, context) => { delete process.env.TABLE_RECORDS; return real(event, context); }';

/** Some functions fail, and failed messages are dead letters at once, because these could expose seeded secrets. */
const troubled: LocalOptions['mutateTemplates'] = (templates) => {
  injected({ '-get-business': bare })(templates);
  for (const resource of templates.flatMap(({ resources }) => Object.values(resources))) {
    delete variablesOf(resource, '-deliver-webhook-deliveries').QUEUE_RETRIES;
    delete variablesOf(resource, '-update-webhook').TABLE_DELIVERIES;
    if (resource.Type !== 'AWS::SQS::Queue' || !resource.Properties?.RedrivePolicy) continue;
    Object.assign(resource.Properties.RedrivePolicy, { maxReceiveCount: 1 });
  }
};

const local = withLocal({ mutateTemplates: troubled, visibilitySeconds: 3 });
const logged: string[] = [];
const loggedByFunctions: string[] = [];
beforeAll(() => {
  local().run.log.subscribe(({ kind, text }) => {
    logged.push(text);
    if (kind === 'function') loggedByFunctions.push(text);
  });
});

test('Functions log requests, refused requests, errors and delivery attempts without IP addresses or personal data', async () => {
  await leaveAddresses(local());
  const text = loggedByFunctions.join('\n');
  expect(addressesIn(text)).toEqual([]);
  expect(seededPersonalData.filter((one) => text.includes(one))).toEqual([]);
  // The log is not empty, and has the error of a request.
  expect(['"Changed"', '"Refused"', '"attempts"'].filter((part) => !text.includes(part))).toEqual([]);
  expect(loggedByFunctions.some((line) => /"ERROR".*"GET \/business"/.test(line))).toBe(true);
});

test('Secrets and personal data sent in requests appear in no log, error, list or dead-letter queue', async () => {
  const tenant = await newTenant(local());
  const [healthy, failing] = [await startReceiver(), await startReceiver({ fail: 1_000 })];
  const events = ['booking.created', 'client.created'] as const;
  const good = await tenant.subscribe(`${healthy.url}?${target}`, events);
  const bad = await tenant.subscribe(`${failing.url}?${target}`, events);
  const { body: rotated } = await tenant.call<{ secret: string }>('POST', `/webhooks/${good.id}/rotate-secret`);
  const secrets = [good.secret, bad.secret, rotated.secret];
  const hidden = [tenant.key.value, ...secrets, foreignKey];

  // Accepted content goes to both receivers; one of them causes dead letters.
  const client = { name: content, email: `${content}@example.com`, phone: '+37120000000' };
  const booking = { ...tenant.booking(), client, comment: content };
  const { status, body: booked } = await tenant.call<Booking>('POST', '/bookings', booking);
  expect(status, JSON.stringify(booked)).toBe(201);
  await healthy.waitFor((deliveries) => deliveries.some(({ rawBody }) => rawBody.includes(content)));
  await failing.waitFor((deliveries) => deliveries.length > 0);
  const dead: string[] = [];
  await vi.waitFor(
    async () => {
      dead.push(...(await queuedMessages(local())));
      expect(dead.some((body) => body.includes(`"webhookId":${bad.id},`))).toBe(true);
    },
    { timeout: 120_000, interval: 500 },
  );

  // These contents and keys are refused.
  const url = `${local().run.baseUrl}/v1/integration`;
  const raw = async (path: string, init: RequestInit): Promise<JsonResponse> => {
    const response = await fetch(url + path, init);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const change = (path: string, body: unknown, method = 'POST') => {
    const headers = { 'X-API-Key': tenant.key.value, 'Content-Type': 'application/json' };
    return raw(path, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
  };
  const errors = await Promise.all([
    raw('/services', { headers: { 'X-API-Key': foreignKey } }),
    raw('/services', { headers: { Authorization: `Bearer ${foreignKey}` } }),
    raw('/services', { headers: { 'X-API-Key': `${tenant.key.value}x` } }),
    raw('/services', { headers: { 'X-API-Key': tenant.key.value, Authorization: `Bearer ${foreignKey}` } }),
    change('/bookings', `{"comment":"${content}"`),
    change('/bookings', { ...booking, serviceId: content }),
    change('/bookings', { ...booking, staffId: booked.staffId }),
    change('/bookings', { ...booking, comment: content.repeat(5_000) }),
    change('/webhooks', { targetUrl: content.repeat(20), events: [content] }),
    // This function is broken.
    change(`/webhooks/${good.id}`, { description: content }, 'PATCH'),
  ]);
  const expected = [401, 401, 401, 401, 400, 400, 409, 413, 400, 500];
  expect(errors.map(({ status }) => status)).toEqual(expected);

  const lists = await Promise.all([
    tenant.call('GET', '/webhooks'),
    tenant.call('GET', `/webhooks/${good.id}`),
    tenant.call('GET', `/webhooks/${good.id}/deliveries`),
    tenant.call('GET', `/webhooks/${bad.id}/deliveries`),
    tenant.call('GET', '/webhooks/events'),
  ]);
  expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200));

  const text = (answers: readonly JsonResponse[]) => answers.map((one) => JSON.stringify([...one.headers, one.body]));
  const places = { log: logged, error: text(errors), list: text(lists), 'dead letter': dead };
  const seeded = (place: string) => [...hidden, content, ...(place === 'list' ? [] : [target])];
  expect(leaksOf(places, seeded)).toEqual([]);
  // The searched outputs were not empty.
  expect(logged.join('\n')).toContain('"level":"ERROR"');
});
