/** A ping is one recorded attempt, and has no other effects (docs/rules.md#pings). */

import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { eventExamples } from '../../../../contract/event-examples.ts';
import { eventMessage, eventNames, events } from '../../../../contract/events.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { getDelivery } from '../../../../core/deliveries/log/detail.ts';
import { deliveryId } from '../../../../core/deliveries/model/delivery-id.ts';
import { env } from '../../../../core/env.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, type Write } from '../../../../core/store/write.ts';
import { deliveries, secrets } from '../../../../core/table-keys.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import type { SendRequest } from '../../../../core/webhooks/sender/send.ts';
import { hmacSha256 } from '../../../../core/webhooks/sender/signature.ts';
import { interfering, unconditional } from '../../../support/interfere.ts';
import { ok, platformFault, refused } from '../../../support/pipeline.ts';
import { newOwnWebhook, put, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
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

test("A ping of a webhook is signed, names its event, and is recorded with the receiver's response", async () => {
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
  const instead = { instead: (writes: readonly Write[]) => writes.map(unconditional) };
  await interfering(
    {
      // The commit of the lease has only one write.
      when: (writes) => writes.length > 1,
      first: () => put('deliveries', { ...webhook, lastNumber: 7 }),
      ...(injected && instead),
    },
    () => ping(key, id, {}, async () => ok),
  );
  expect((await recordsOf(webhook.id)).map((record) => record.id)).toEqual([number]);
  expect(await webhookNow(webhook)).toMatchObject({ lastNumber: number });
});
