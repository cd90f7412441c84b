/**
 * A ping is one recorded attempt, and has no other effects. Only a few are sent at the same time, because each uses a
 * function until its receiver responds (docs/rules.md#pings).
 */
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { eventExamples } from '../../../../contract/event-examples.ts';
import { eventMessage, eventNames, events } from '../../../../contract/events.ts';
import { limits } from '../../../../contract/limits.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { getDelivery } from '../../../../core/deliveries/log/detail.ts';
import { deliveryId } from '../../../../core/deliveries/model/delivery-id.ts';
import { env } from '../../../../core/env.ts';
import type { ApiError } from '../../../../core/errors.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { deliveries, secrets } from '../../../../core/table-keys.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import type { SendRequest } from '../../../../core/webhooks/sender/send.ts';
import { hmacSha256 } from '../../../../core/webhooks/sender/signature.ts';
import { withBug } from '../../../support/faults.ts';
import { interfering, withoutConditions } from '../../../support/interfere.ts';
import { type Answer, ok, platformFault, refused } from '../../../support/pipeline.ts';
import {
  changeWebhook,
  newOwnWebhook,
  newTenant,
  newWebhook,
  put,
  recordsOf,
  webhookNow,
} from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import type { Call } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
beforeEach(() => void begin());

async function pinged(answer: typeof ok, changes = {}) {
  const { key, id, webhook } = await newOwnWebhook(changes);
  const sent: SendRequest[] = [];
  const result = await ping(key, id, {}, async (request) => {
    sent.push(request);
    expect(await recordsOf(webhook.id)).toMatchObject([{ deliveryStatus: 'pending', trigger: 'ping' }]);
    return answer;
  });
  const [record] = await recordsOf(webhook.id);
  return { webhook, result, sent, record, after: await webhookNow(webhook) };
}

test('A ping of a webhook that is deleted before its secret is read gets 404, and nothing is sent', async () => {
  const { key, id } = await newOwnWebhook();
  const readsSecret = ({ input }: Call) => input.TableName === env.table('secrets');
  scriptTest([{ when: readsSecret, nth: 1, before: () => deleteWebhook(key, id) }]);
  const sender = vi.fn(async () => ok);
  await expect(ping(key, id, {}, sender)).rejects.toMatchObject({ code: 'not_found' });
  expect(sender).not.toHaveBeenCalled();
});

test('A ping of a webhook without a signing secret is recorded as a fault of the platform, and nothing is sent', async () => {
  const { key, id } = await newOwnWebhook();
  await transact([remove('secrets', secrets.signing(id.id))]);
  const sender = vi.fn(async () => ok);
  await expect(ping(key, id, {}, sender)).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    cause: { message: `webhook ${id.id} has no secret` },
  });
  expect(sender).not.toHaveBeenCalled();
});

test('A ping of a webhook that is deleted during the ping gets 404', async () => {
  const { key, id } = await newOwnWebhook();
  const answer = ping(key, id, {}, async () => {
    await transact([remove('deliveries', deliveries.record(id.id, 1))]);
    return ok;
  });
  await expect(answer).rejects.toMatchObject({ code: 'not_found' });
});

test("A ping of a webhook is signed, has the event name `ping`, and is recorded with the receiver's response", async () => {
  const { webhook, result, sent, record, after } = await pinged(ok);
  expect(result).toEqual({
    success: true,
    deliveryId: deliveryId(webhook.id, 1),
    responseStatusCode: 200,
    responseTimeMs: 12,
    errorMessage: null,
  });
  const [{ url, headers, body } = { url: '', headers: {} as Record<string, string>, body: '' }] = sent;
  expect(url).toBe(webhook.targetUrl);
  expect(headers['X-Webhook-Event']).toBe('ping');
  expect(headers['X-Webhook-Signature']).toBe(`sha256=${hmacSha256('whsec_dGVzdC1zZWNyZXQ=', body).toString('hex')}`);
  expect(JSON.parse(String(body))).toMatchObject({
    id: result.deliveryId,
    event: 'ping',
    apiVersion: '1.0',
    data: { webhookId: webhook.id, message: expect.stringContaining('test message') },
  });
  expect(record).toMatchObject({
    id: 1,
    event: 'ping',
    trigger: 'ping',
    deliveryStatus: 'success',
    responseStatusCode: 200,
    responseBody: 'thanks',
    attemptNumber: 1,
    nextAttemptAt: null,
  });
  expect(after).toEqual({ ...webhook, lastNumber: 1 });
});

test.each(eventNames)(
  'A ping of a webhook with the event %s sends the documented example of that event, marked as a test',
  async (event) => {
    const { key, id } = await newOwnWebhook({ events: ['client.created'] });
    const sent: SendRequest[] = [];
    const { deliveryId } = await ping(key, id, { event }, async (request) => {
      sent.push(request);
      return ok;
    });
    const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = sent;
    expect(headers['X-Webhook-Event']).toBe(event);
    const [{ test, ...message }, schema] = [JSON.parse(String(body)), eventMessage(event, events[event].data)];
    expect(z.parse(schema, { test, ...message })).toEqual({ test: true, ...message });
    expect(message).toMatchObject({ id: deliveryId, event, data: eventExamples[event] });
    expect(await recordsOf(id.id)).toMatchObject([{ event, trigger: 'ping', deliveryStatus: 'success' }]);
    expect((await getDelivery(key, { ...id, deliveryId })).message.body).toBe(body);
  },
);

test.each([
  [
    'a response with an error status',
    refused,
    'active',
    { responseStatusCode: 500, errorMessage: 'The receiver answered 500.' },
  ],
  [
    'an error of the DNS lookup',
    platformFault,
    'active',
    { responseStatusCode: 0, errorMessage: 'The name could not be resolved.' },
  ],
  ['a 2xx response', ok, 'active', { success: true }],
  ['a 2xx response while its webhook is disabled', ok, 'failed', { success: true }],
] as const)(
  'A ping that ends with %s changes neither status nor failure counter of its webhook, and is not retried',
  async (_, answer, status, shown) => {
    const pipeline = begin();
    const { webhook, result, record, after } = await pinged(answer, { consecutiveFailures: 4, status });
    expect(result).toMatchObject({ success: answer === ok, ...shown });
    expect(record).toMatchObject({ deliveryStatus: result.success ? 'success' : 'failed', nextAttemptAt: null });
    expect(after).toEqual({ ...webhook, lastNumber: 1 });
    expect(pipeline.waiting).toBe(0);
  },
);

test.each([
  ['A ping of a webhook and a concurrent event never get the same delivery number', false, 8],
  [
    'Negative control: if a ping of a webhook does not read the last delivery number, it gets a number that is already in use',
    true,
    1,
  ],
])('%s', async (_, injected, number) => {
  const { key, id, webhook } = await newOwnWebhook();
  await interfering(
    {
      // The commit of the lease has only one write.
      when: (writes) => writes.length > 1,
      first: () => put('deliveries', { ...webhook, lastNumber: 7 }),
      ...(injected && { instead: withoutConditions }),
    },
    () => ping(key, id, {}, async () => ok),
  );
  expect((await recordsOf(webhook.id)).map((record) => record.id)).toEqual([number]);
  expect(await webhookNow(webhook)).toMatchObject({ lastNumber: number });
});

const waiting = { timeout: 60_000, interval: 5 };

/** A receiver that responds when the test asks for it. */
function slowReceiver() {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let pings = 0;
  const sender = () => {
    pings += 1;
    return promise;
  };
  return { sender, answer: () => resolve(ok), pings: () => pings };
}

const pingOf = ({ tenantId, keyId, id }: WebhookItem, sender: () => Promise<Answer>) =>
  ping(keyPrincipal(tenantId, keyId), { id }, {}, sender);

/** Concurrent pings; the receiver responds after each of the others was refused. */
async function pingAtOnce(webhooks: readonly WebhookItem[]) {
  const receiver = slowReceiver();
  const refused: string[] = [];
  const pings = webhooks.map((webhook) =>
    pingOf(webhook, receiver.sender).catch(({ code }: ApiError) => void refused.push(code)),
  );
  await vi.waitFor(() => expect(receiver.pings() + refused.length).toBe(webhooks.length), waiting);
  receiver.answer();
  await Promise.all(pings);
  return { pings: receiver.pings(), refused };
}

test('If five pings of one webhook are requested concurrently, one ping is sent and the other requests get 409', async () => {
  const { webhook } = await newOwnWebhook();
  expect(await pingAtOnce(Array(5).fill(webhook))).toEqual({ pings: 1, refused: Array(4).fill('ping_in_progress') });
});

test('If pings of five webhooks of one business are requested concurrently, three pings are sent and the other requests get 409', async () => {
  const { webhooks } = await newTenant(5);
  expect(await pingAtOnce(webhooks)).toEqual({ pings: 3, refused: Array(2).fill('ping_in_progress') });
});

test('Negative control: if the start of a ping is recorded without a condition, a business pings more than three webhooks at once', async () => {
  const { webhooks } = await newTenant(5);
  const { pings } = await withBug(withoutConditions, () => pingAtOnce(webhooks));
  expect(pings).toBeGreaterThan(limits.pingsPerBusiness);
});

test('Pings of the webhooks of one business do not block pings of another business', async () => {
  const receiver = slowReceiver();
  const { webhooks } = await newTenant(3);
  const running = webhooks.map((webhook) => pingOf(webhook, receiver.sender));
  await vi.waitFor(() => expect(receiver.pings()).toBe(3), waiting);
  const other = await newOwnWebhook();
  expect(await pingOf(other.webhook, async () => ok)).toMatchObject({ success: true });
  receiver.answer();
  await Promise.all(running);
});

test('A webhook can be pinged again as soon as its ping was answered or has failed', async () => {
  const { webhook } = await newOwnWebhook();
  expect(await pingOf(webhook, async () => ok)).toMatchObject({ success: true });
  await expect(
    pingOf(webhook, async () => {
      throw new Error('the sender broke');
    }),
  ).rejects.toThrow('the sender broke');
  expect(await pingOf(webhook, async () => ok)).toMatchObject({ success: true });
});

test('After a crash of the function that pings a webhook, further pings get 409 for a limited time, which the response states', async () => {
  const pipeline = begin();
  const { tenantId, keyId, webhook } = await newOwnWebhook();
  const receiver = slowReceiver();
  void pingOf(webhook, receiver.sender);
  await vi.waitFor(() => expect(receiver.pings()).toBe(1), waiting);
  const seconds = limits.deliveryTimeoutMs / 1_000 + 3;
  pipeline.advance(seconds * 1_000 - 1);
  await expect(pingOf(webhook, async () => ok)).rejects.toMatchObject({
    code: 'ping_in_progress',
    extras: { retryAfter: 1 },
  });
  pipeline.advance(1);
  // Storage does not grow with each crash: a ping of another webhook also removes what the crashed one left.
  await pingOf(await newWebhook(tenantId, keyId), async () => ok);
  const leases = await getItem<object>('deliveries', deliveries.pings(tenantId));
  expect(JSON.stringify(leases)).not.toContain('waits');
  // Only a lease that ended a day ago may be deleted.
  const expiresAtSeconds = Math.ceil(pipeline.now / 1_000) + seconds + 86_400;
  expect(leases).toMatchObject({ expiresAtSeconds });
  expect(await pingOf(webhook, async () => ok)).toMatchObject({ success: true });
});

test('The lower sending limit of a new host ends when the host answers a ping with 2xx, and not with an error', async () => {
  const { webhook } = await newOwnWebhook({ answeredHost: 'other' });
  await pingOf(webhook, async () => ({ ...ok, status: 500 }) as Answer);
  expect(await webhookNow(webhook)).toMatchObject({ answeredHost: 'other' });
  await pingOf(webhook, async () => ok);
  expect(await webhookNow(webhook)).toMatchObject({ answeredHost: 'receiver.example' });
});

test('If the URL of a webhook changes to another host during a ping, the ping does not change the sending limit of the new host', async () => {
  const { webhook } = await newOwnWebhook({ answeredHost: 'other' });
  const moved = { targetUrl: 'https://moved.example/', answeredHost: 'moved.example' };
  await pingOf(webhook, async () => {
    await changeWebhook(webhook, moved);
    return ok;
  });
  expect(await webhookNow(webhook)).toMatchObject(moved);
});
